"""Question candidates for the four sentence levels, from what the SOP states.

Symptoms are observable states, conditional questions rest on a branch or a range of the procedure; an SOP without them
gives no candidate. What people ask seldom quotes: candidates name things that stand far apart in the SOP, each by its
kind. Every sentence holds words of the SOP beside its circumstances.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, pairwise, product
from random import Random

from soprag.tools.procedure.lexicon import words
from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.circumstances import Circumstances
from soprag.tools.rules.questions.clauses import trimmed
from soprag.tools.rules.questions.heads import clause_parts, is_plural, is_thing, plain_clause, plain_object
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
_WEIGHTIEST = 4  # states and instructions that a direct question is made of
_SHORT = 18  # words of a clause that still fits into a question
_PLACING = words(
    "add attach bring change compare connect convert insert move place put return send set switch transfer turn"
)
_NEIGHBOURS = 3  # sentences between two steps that are asked about together
_WHEN = (
    "how do I {inf} when {clause}?",
    "when {clause}, how do I {inf}?",
    "if {clause}, how can I {inf}?",
)
_IF = (
    "what should I do when {clause}?",
    "what do I have to do if {clause}?",
    "what is to be done when {clause}?",
)
# The same where the state has a thing that can be named first: no word of it stands beside what is the matter with it.
_WHEN_APART = (
    "what about {thing}, how do I {inf} when {rest}?",
    "about {thing}: how do I {inf} when {rest}?",
    "regarding {thing}: how do I {inf} if {rest}?",
)
_IF_APART = (
    "what should I do about {thing} when {rest}?",
    "what do I have to do with {thing} if {rest}?",
    "what is to be done about {thing} when {rest}?",
)
_BOTH = (
    "how do I {inf}, and do I {other} before or after that?",
    "how do I {inf} once I have {done}?",
)
_NEEDS = (
    "do I have to {inf} {deadline}, {further}?",
    "how do I {inf} {deadline}, {further}?",
    "how exactly do I {inf}, {further}?",
    "{asked} {inf} {deadline}: how is that done, {further}?",
)
_REMEDIES = (
    "what do I do about {thing} {deadline}, {further}?",
    "what can be done about {thing} {deadline}, {further}?",
    "where do I start with {thing}, {further}?",
)
_THING_NEEDS = (
    "what about {thing}, do I have to {verb} {it} {deadline}, {further}?",
    "how do I {verb} {thing} {deadline}, {further}?",
)


@dataclass(frozen=True)
class QuestionCandidate:
    """A question that may be asked, with the printed words that answer it.

    `rank` 0 fits its level; 1 is a substitute for SOPs with too little material.
    """

    text: str
    evidence: str
    rank: int = 0


def direct(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Direct questions: how a step is carried out in a state; what to do in it; a step after the one before it."""
    seen = [
        state for state in _brief([*material.states, *material.conditions]) if state.odd and _is_briefly_seen(state)
    ]
    trouble = sorted(seen, key=lambda state: -material.weight(state.text))[:_WEIGHTIEST]
    tasks = [_plain(action) for action in [*material.goals, *_weightiest(material)] if _is_short(action)]
    for state, task in product(trouble, tasks[:_WEIGHTIEST]):
        if _are_apart(state.text, task.infinitive):
            text = _said_of(state, random, _WHEN_APART, _WHEN, inf=task.infinitive)
            yield QuestionCandidate(raised(text), task.evidence)
    for state in [*trouble, *filter(_is_briefly_seen, _brief(material.conditions))]:
        if len(set(terms(state.text))) > _FEW:
            yield QuestionCandidate(raised(_said_of(state, random, _IF_APART, _IF)), material.remedy(state), 1)
    yield from _after_another(material, random)
    for task in tasks:
        if len(set(terms(task.infinitive))) > _FEW:
            yield QuestionCandidate(f"How do I {task.infinitive}?", task.evidence, 2)


def _said_of(state: ObservableState, random: Random, apart: Sequence[str], joined: Sequence[str], **parts: str) -> str:
    """A question about a state: its thing first and what is the matter with it later, where it can be told so."""
    clause = clause_parts(state.text)
    if clause is None:
        return random.choice(joined).format(clause=state.text, **parts)
    return random.choice(apart).format(thing=clause.thing, rest=f"{clause.pronoun} {clause.predicate}", **parts)


def _after_another(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """How a step is carried out beside the one before it."""
    for task, other in pairwise(map(_plain, material.actions)):
        if _is_next(task, other) and _are_apart(task.infinitive, other.infinitive):
            text = random.choice(_BOTH).format(inf=other.infinitive, other=task.infinitive, done=task.done)
            yield QuestionCandidate(raised(text), other.evidence, 1)


def _is_next(first: Instruction, second: Instruction) -> bool:
    """Whether two short instructions stand close together, in this order."""
    return second.position - first.position <= _NEIGHBOURS and _is_short(first) and _is_short(second)


def _is_briefly_seen(state: ObservableState) -> bool:
    return is_seen(state.text) and len(state.text.split()) < _SHORT


def _is_short(action: Instruction) -> bool:
    return len(action.rest.split()) < _SHORT


def _are_apart(first: str, second: str) -> bool:
    """Whether two things said have no content word in common."""
    return not set(terms(first)) & set(terms(second))


def symptom(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Symptom questions: an observable state, seen by somebody at some time, without the name of the fault."""
    around = Circumstances(random)
    teller, odd = Teller(material, around), _odd(material)
    for state, ordinary in zip(odd * _FORMS, around.ordinary(), strict=False):
        for more in (teller.besides(state, odd), teller.checked(state), ""):
            text = ", and ".join(filter(None, (teller.told(state), more, ordinary)))
            yield QuestionCandidate(f"{text}.", material.remedy(state))


def _requested(need: Instruction, around: Circumstances) -> str:
    """The request for an instruction; where its object is a thing, that is named first and the verb after it."""
    said = {"deadline": around.deadline(), "further": around.further(), "asked": around.asked()}
    if not is_thing(need.rest) or len(need.verbs) > 1:
        return around.random.choice(_NEEDS).format(inf=need.infinitive, **said)
    it = "them" if is_plural(need.rest) else "it"
    return around.random.choice(_THING_NEEDS).format(thing=need.rest, verb=need.verbs[0], it=it, **said)


def scenario(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Scenario questions: a state, what else was seen or done about it, and the request."""
    around = Circumstances(random)
    teller, odd, needs = Teller(material, around), _odd(material), cycle(_weightiest(material) or [None])
    for state, ordinary, pressure in zip(odd * _FORMS, around.ordinary(), around.pressure(), strict=False):
        told, need = f"{teller.told(state)}, and {teller.checked(state) or ordinary}", next(needs)
        clause = clause_parts(state.text)
        if clause:
            ask = random.choice(_REMEDIES).format(
                thing=clause.kind, deadline=around.deadline(), further=around.further()
            )
            yield QuestionCandidate(f"{told}. {raised(pressure)}, so {ask}", material.remedy(state))
        if need:
            text = f"{told}. {raised(pressure)}, so {_requested(_plain(need), around)}"
            yield QuestionCandidate(text, need.evidence)
    for (before, action), pressure in zip(pairwise(map(_plain, material.actions)), around.pressure(), strict=False):
        if _is_next(before, action) and _are_apart(before.infinitive, action.infinitive):
            text = (
                f"{raised(around.asked())} {before.infinitive} {around.deadline()}, and {pressure}. "
                f"Once that is done, how do I {action.infinitive}, {around.further()}?"
            )
            yield QuestionCandidate(text, action.evidence, 1)


def conditional(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Conditional questions: facts that fulfil a branch of the procedure or lie outside a range, and what follows."""
    around = Circumstances(random)
    teller, shown, full = Teller(material, around), [*map(_shown, material.readings)], set(material.conditions)
    facts = [*shown, *_shortened(material.conditions)] * _FORMS
    for fact, ordinary, pressure in zip(facts, around.ordinary(), around.pressure(), strict=False):
        if len(set(terms(fact.text))) < _FEW:
            continue
        rank, checked = int(fact in full and len(fact.text.split()) > _LONG), teller.checked(fact)
        done, told = material.before(fact.position, fact.text), teller.told(fact)
        beside = f"{told}, and {ordinary}" if fact.odd else told
        texts = [f"{beside}{';' if fact.odd else ', and'} {pressure}, so {around.follows()}?"]
        if checked:
            texts.append(f"{told}, and {checked}; {pressure}, so {around.follows()}?")
        if done:
            step = _plain(done).done
            texts.append(f"I have {step}, and {_of_speaker(fact.text)}; {pressure}, so {around.follows()}?")
            texts.append(f"{beside}. I have {step}, and {pressure}, so {around.follows()}?")
        for text in texts:
            yield QuestionCandidate(text, fact.evidence, rank)


def _of_speaker(clause: str) -> str:
    """The clause as what the speaker finds after a step."""
    return f"now {clause}" if not clause.startswith(("there ", "I ")) else clause


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


def _shortened(states: Sequence[ObservableState]) -> Sequence[ObservableState]:
    """Each state with its things by their kind and without details where that is possible, then all as they stand."""
    brief = _brief(states)
    return [*brief, *(state for state, short in zip(states, brief, strict=True) if short != state)]


def _brief(states: Sequence[ObservableState]) -> list[ObservableState]:
    """Each state with its things by their kind and without details."""
    return [replace(state, text=plain_clause(trimmed(state.text))) for state in states]


def _odd(material: QuestionMaterial) -> list[ObservableState]:
    """The states on trouble that say enough to be recognised and no more than somebody tells, shortened ones first."""
    return [
        state for state in _shortened(material.states) if state.odd and _FEW <= len(set(terms(state.text))) <= _TELLABLE
    ]


def _plain(action: Instruction) -> Instruction:
    """The instruction with its object by its kind; unchanged where the verb asks for a place."""
    return action if set(action.verbs) & _PLACING else replace(action, rest=plain_object(action.rest))


def _weightiest(material: QuestionMaterial) -> Sequence[Instruction]:
    """The instructions, those with the highest weight of the SOP's frequent words first."""
    return sorted(material.actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))
