"""Question candidates for the four sentence levels, from what the SOP states.

Symptoms are observable states, conditional questions rest on a branch or a range of the procedure; an SOP without them
gives no candidate. What people ask seldom quotes: candidates name things that stand far apart in the SOP, each by its
kind. Every sentence holds words of the SOP beside its circumstances.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, pairwise, permutations, product
from random import Random

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
_WHEN = (
    "how do I {inf} when {clause}?",
    "when {clause}, how do I {inf}?",
    "do I have to {inf} when {clause}, and how?",
)
_BOTH = (
    "how do I {inf}, and do I {other} before or after that?",
    "how do I {inf} once I have {done}?",
)
_NEEDS = (
    "Do I have to {inf} now, {doubt}?",
    "How do I {inf} {deadline}, {doubt}?",
    "{asked} {inf} {deadline}: how is that done, {doubt}?",
)
_REMEDIES = (
    "what do I do about {thing} {deadline}, {doubt}?",
    "{asked} look after {thing} {deadline}: how do I go about it, {doubt}?",
    "how do I get {thing} back in order {deadline}, {doubt}?",
)
_THING_NEEDS = (
    "And {thing}: do I have to {verb} {it} {deadline}, {doubt}?",
    "What about {thing}, how do I {verb} {it} {deadline}, {doubt}?",
    "{thing} came to my mind: {asked} {verb} {it}, but how, {doubt}?",
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
    """Direct questions: how an instruction is carried out in a state or beside another instruction."""
    told = [state for state in _brief([*material.states, *material.conditions]) if _is_briefly_seen(state)]
    states = sorted(told, key=lambda state: -material.weight(state.text))[:_WEIGHTIEST]
    tasks = [_plain(action) for action in [*material.goals, *_weightiest(material)] if _is_short(action)]
    for state, task in product(states, tasks[:_WEIGHTIEST]):
        if _are_apart(state.text, task.infinitive):
            text = random.choice(_WHEN).format(inf=task.infinitive, clause=state.text)
            yield QuestionCandidate(raised(text), task.evidence)
    for task, other in permutations(tasks[:_WEIGHTIEST], 2):
        if _are_apart(task.infinitive, other.infinitive):
            text = random.choice(_BOTH).format(inf=task.infinitive, other=other.infinitive, done=other.done)
            yield QuestionCandidate(raised(text), task.evidence, int(bool(states)))
    for task in tasks:
        yield QuestionCandidate(f"How do I {task.infinitive}?", task.evidence, 2)


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
        besides, checked = teller.besides(state, odd), teller.checked(state)
        for more in (f"; besides, {besides}" if besides else "", f"; {checked}" if checked else "", f"; {ordinary}"):
            if more:
                yield QuestionCandidate(f"{teller.told(state)}{more}.", material.remedy(state))


def _pending(action: Instruction, around: Circumstances) -> str:
    """A task that is still to do: `have the logs to review by noon`."""
    plain = _plain(action)
    if is_thing(plain.rest) and len(plain.verbs) == 1:
        return f"have {plain.rest} to {plain.verbs[0]} {around.deadline()}"
    return f"have to {plain.infinitive} {around.deadline()}"


def _requested(need: Instruction, around: Circumstances) -> str:
    """The request for an instruction; where its object is a thing, that is named first and the verb after it."""
    said = {"deadline": around.deadline(), "doubt": around.doubt(), "asked": around.asked()}
    if not is_thing(need.rest) or len(need.verbs) > 1:
        return raised(around.random.choice(_NEEDS).format(inf=need.infinitive, **said))
    it = "them" if is_plural(need.rest) else "it"
    return raised(around.random.choice(_THING_NEEDS).format(thing=need.rest, verb=need.verbs[0], it=it, **said))


def scenario(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Scenario questions: a state, what else was seen or done about it, and the request."""
    around = Circumstances(random)
    teller, odd, needs = Teller(material, around), _odd(material), cycle(_weightiest(material) or [None])
    for state, ordinary, pressure in zip(odd * _FORMS, around.ordinary(), around.pressure(), strict=False):
        told, need = f"{teller.told(state)}; {teller.checked(state) or ordinary}", next(needs)
        clause = clause_parts(state.text)
        if clause:
            ask = random.choice(_REMEDIES).format(
                thing=clause.kind, deadline=around.deadline(), doubt=around.doubt(), asked=around.asked()
            )
            yield QuestionCandidate(f"{told}, and {pressure}. {raised(ask)}", material.remedy(state))
        if need:
            yield QuestionCandidate(f"{told}. {_requested(_plain(need), around)}", need.evidence)
    tasks = [_plain(action) for action in [*material.goals, *material.actions]]
    for (before, action), pressure in zip(pairwise(tasks), around.pressure(), strict=False):
        if is_thing(before.rest) and is_thing(action.rest) and not set(terms(before.rest)) & set(terms(action.rest)):
            text = (
                f"{raised(around.asked())} {before.infinitive} {around.deadline()}, and {pressure}. "
                f"Once I have {before.done}, how do I {action.infinitive}?"
            )
            yield QuestionCandidate(text, action.evidence, 1)


def conditional(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Conditional questions: facts that fulfil a branch of the procedure or lie outside a range, and what follows."""
    around = Circumstances(random)
    teller, shown, full = Teller(material, around), [*map(_shown, material.readings)], set(material.conditions)
    facts = [*shown, *_shortened(material.conditions)] * _FORMS
    for fact, pressure in zip(facts, around.pressure(), strict=False):
        if len(set(terms(fact.text))) < _FEW:
            continue
        rank, checked = int(fact in full and len(fact.text.split()) > _LONG), teller.checked(fact)
        texts = [f"{teller.told(fact)}, and {pressure}: {around.follows()}?"]
        if checked:
            texts.append(f"{teller.told(fact)}; {checked}, and {pressure}: {around.follows()}?")
        busy = material.near(fact.position, fact.text)
        if busy:
            texts.append(f"{teller.told(fact)}, and I still {_pending(busy, around)}: {around.follows()}?")
        for text in texts:
            yield QuestionCandidate(text, fact.evidence, rank)


def _shown(reading: StatedReading) -> ObservableState:
    """A reading as the clause that a display shows."""
    text = f"the {reading.quantity} reads {reading.value}"
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
    return replace(action, rest=plain_object(action.rest))


def _weightiest(material: QuestionMaterial) -> Sequence[Instruction]:
    """The instructions, those with the highest weight of the SOP's frequent words first."""
    return sorted(material.actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))
