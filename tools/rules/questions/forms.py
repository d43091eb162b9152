"""Question candidates for the levels that tell a story, from what the SOP states.

Symptoms are observable states, conditional questions rest on a branch or a range of the procedure; an SOP without them
gives no candidate. What people ask seldom quotes: candidates name things that stand far apart in the SOP, each by its
kind. Every sentence holds words of the SOP, and circumstances are told once, as a part of what is asked.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.candidates import (
    QuestionCandidate,
    are_apart,
    belongs,
    is_next,
    is_task,
    plainly,
    shortened,
    weightiest,
)
from soprag.tools.rules.questions.circumstances import Circumstances
from soprag.tools.rules.questions.direct import direct
from soprag.tools.rules.questions.found import as_found
from soprag.tools.rules.questions.heads import clause_parts, is_plural
from soprag.tools.rules.questions.material import ObservableState, QuestionMaterial
from soprag.tools.rules.questions.observations import StatedReading, is_seen
from soprag.tools.rules.questions.speakable import raised
from soprag.tools.rules.questions.telling import Teller
from soprag.tools.sop import Level
from soprag.tools.text.terms import terms

_FEW = 2  # content words; a clause with no more is too short to describe a situation
_FORMS = 3  # how often a state is tried, each time with other circumstances
_TELLABLE = 7  # content words of a state; who reads more of them in a row reads the procedure
_LONG = 10  # words of a fact that is only stated where no shorter one is to be had
_NEEDS = (
    "do I have to {inf} right away, or can that wait until tomorrow?",
    "should I {inf} first, or is there something to do before that?",
    "{asked} {inf} {before}: how exactly is that done?",
    "how do I {inf} {before}?",
    "is it enough to {inf}, or is there more to do?",
)
_REMEDIES = (
    "what can I do about {thing} {before}?",
    "where do I start with {thing} {before}?",
    "how do I deal with {thing} {before}?",
    "the colleague who knows {thing} best is on holiday, so what do I do {before}?",
    "what would you do about {thing}, and what has to be done {before}?",
)
_STEPS = (
    "{Asked} {first} {before}. Once that is done, how do I {inf}?",
    "I am filling in for a colleague and have just {done}. How do I {inf} {before}?",
    "I have never done this alone, but {asked} {first}. Once that is done, how do I {inf} {before}?",
)


def symptom(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Symptom questions: an observable state, seen by somebody at some time, without the name of the fault."""
    teller = Teller(material, Circumstances(random))
    for state in _odd(material) * _FORMS:
        known, says_enough = _known(state, teller)
        if known and says_enough:
            yield QuestionCandidate(known, material.remedy(state))


def _known(state: ObservableState, teller: Teller) -> tuple[str, bool]:
    """A state as it is told, with what was looked at in vain or what else can be said; and whether that says enough."""
    told, checked = teller.told(state), teller.checked(state)
    says_enough = len(set(terms(state.text)) | set(terms(checked))) > _FEW
    if not told:
        return "", False
    return (f"{told}. {raised(checked)}." if checked else f"{told}, {teller.around.besides(told)}."), says_enough


def scenario(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Scenario questions: a state, what else is known of it, and the request; or a step and the next one."""
    around = Circumstances(random)
    teller = Teller(material, around)
    for state in _odd(material) * _FORMS:
        known, says_enough = _known(state, teller)
        for request, evidence, rank in _requests(state, known, material, around) if known else ():
            if says_enough or not rank:
                yield QuestionCandidate(f"{known} {raised(request)}", evidence, rank)
    for first, action in pairwise(map(plainly, material.actions)):
        if is_next(first, action) and material.is_told_by(f"{first.infinitive} {action.infinitive}"):
            asked = around.asked()
            said = {"first": first.infinitive, "done": first.done, "inf": action.infinitive}
            text = random.choice(_STEPS).format(asked=asked, Asked=raised(asked), before=around.before(), **said)
            yield QuestionCandidate(text, action.evidence, 2)


def _requests(
    state: ObservableState, known: str, material: QuestionMaterial, around: Circumstances
) -> Iterator[tuple[str, str, int]]:
    """What somebody asks about a state, each with its evidence and rank: about a step that belongs to it, or a way out.

    Nobody asks for what is `known` already.
    """
    clause = clause_parts(as_found(state.text, odd=True))
    if clause:
        remedy = around.random.choice(_REMEDIES).format(thing=clause.kind, before=around.before())
        yield remedy, material.remedy(state), 1
    for need in map(plainly, weightiest(material)):
        if belongs(need, state) and is_task(need) and are_apart(need.rest, known):
            said = {"asked": around.asked(), "before": around.before()}
            yield around.random.choice(_NEEDS).format(inf=need.infinitive, **said), need.evidence, 0


def conditional(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Conditional questions: facts that fulfil a branch of the procedure or lie outside a range, and what follows."""
    around = Circumstances(random)
    teller, shown, full = Teller(material, around), [*map(_shown, material.readings)], set(material.conditions)
    conditions = [fact for fact in shortened(material.conditions) if is_seen(fact.text)]
    for fact in [*shown, *conditions] * _FORMS:
        told, done = teller.told(fact), material.before(fact.position, fact.text)
        if not told or len(set(terms(fact.text))) < _FEW:
            continue
        rank = int(fact in full and len(fact.text.split()) > _LONG)
        for text, more in _outcomes(told, plainly(done) if done else None, teller.checked(fact), around):
            yield QuestionCandidate(text, fact.evidence, rank + more)


def _outcomes(told: str, done: Instruction | None, checked: str, around: Circumstances) -> Iterator[tuple[str, int]]:
    """What follows from a fact after a step or something that was looked at in vain; alone as a substitute."""
    if done and is_task(done):
        yield f"{told}. I have already {done.done}, so {around.follows()}?", 0
        yield f"I have {done.done}. {told}, so {around.follows()}?", 0
    if checked:
        yield f"{told}. {raised(checked)}, so {around.follows()}?", 0
    if len(set(terms(told))) > _FEW:
        yield f"{told}, so {around.follows()}?", 1
        yield f"{told}; {around.to_do()} {around.before()}?", 1


def _shown(reading: StatedReading) -> ObservableState:
    """A reading as the clause that a display shows."""
    text = f"the {reading.quantity} {'read' if is_plural(reading.quantity) else 'reads'} {reading.value}"
    return ObservableState(text, reading.sentence.evidence, reading.sentence.position)


SPOKEN: dict[Level, Callable[[QuestionMaterial, Random], Iterator[QuestionCandidate]]] = {
    "direct": direct,
    "symptom": symptom,
    "scenario": scenario,
    "conditional": conditional,
}


def _odd(material: QuestionMaterial) -> list[ObservableState]:
    """The states on trouble that say enough to be recognised and no more than somebody tells, shortened ones first."""
    return [
        state for state in shortened(material.states) if state.odd and _FEW <= len(set(terms(state.text))) <= _TELLABLE
    ]
