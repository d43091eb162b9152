"""Question candidates for the four sentence levels, from what the SOP states.

Symptoms are observable states, conditional questions rest on a branch or a range of the procedure; an SOP without them
gives no candidate. Every sentence holds words of the SOP beside its circumstances.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, pairwise
from random import Random

from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.circumstances import Circumstances
from soprag.tools.rules.questions.clauses import trimmed
from soprag.tools.rules.questions.heads import is_thing, plain_clause, plain_object, with_aside
from soprag.tools.rules.questions.material import ObservableState, QuestionMaterial
from soprag.tools.rules.questions.observations import StatedReading
from soprag.tools.rules.questions.speakable import raised
from soprag.tools.sop import Level
from soprag.tools.text.terms import terms

_FEW = 2  # content words; a clause with no more is too short to describe a situation
_OWN = re.compile(r"\b(?:I|my|me|we|our)\b")
_FORMS = 2  # how often a state is tried, each time with other circumstances
_OFTEN = 0.5  # share of the first of two forms
_SHORT = 14  # words of a clause that still fits into a question beside an instruction


@dataclass(frozen=True)
class QuestionCandidate:
    """A question that may be asked, with the printed words that answer it.

    `rank` 0 fits its level; 1 is a substitute for SOPs with too little material.
    """

    text: str
    evidence: str
    rank: int = 0


def direct(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Direct questions: on the goal, on an instruction with its condition, on the remedy for a symptom."""
    for goal in material.goals:
        yield QuestionCandidate(_how(goal, random), goal.evidence)
    short = (state.text for state in material.states if len(state.text.split()) < _SHORT)
    trouble = next(short, "")
    clauses = {state.evidence: state.text for state in material.conditions}
    for action in _weightiest(material):
        clause = plain_clause(clauses.get(action.evidence, trouble)) if clauses.get(action.evidence, trouble) else ""
        before = None if clause else material.near(action.position, action.rest)
        yield QuestionCandidate(_how(_plain(action) if clause else action, random, clause, before), action.evidence)
    for state in [*material.states, *material.conditions]:
        frames = ("What should I check when {}?", "Where do I start when {}?", "What is there to do when {}?")
        yield QuestionCandidate(random.choice(frames).format(state.text), material.remedy(state))
    for before, action in pairwise(material.actions):
        yield QuestionCandidate(f"What has to be done before I {action.infinitive}?", before.evidence, 1)


def _how(action: Instruction, random: Random, clause: str = "", before: Instruction | None = None) -> str:
    frames: tuple[str, ...]
    if clause:
        frames = ("How do I {inf} when {clause}?", "What is the right way to {inf} if {clause}?")
    elif before:
        frames = ("How do I {inf} once I have {done}?", "What is the right way to {inf} after {gerund}?")
    else:
        frames = ("How do I {inf}?", "How should I go about {own}?", "What do I need to do to {inf}?")
    earlier = before or action
    return random.choice(frames).format(
        inf=action.infinitive, own=action.gerund, clause=clause, done=earlier.done, gerund=earlier.gerund
    )


def symptom(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Symptom questions: an observable state, seen by somebody at some time, without the name of the fault."""
    around = Circumstances(random)
    for state, ordinary in zip(_odd(material) * _FORMS, around.ordinary(), strict=False):
        busy = material.near(state.position, state.text)
        if busy and not _OWN.search(state.text) and random.random() < _OFTEN:
            text = f"I was {_plain(busy).gerund} {around.when()} when I saw that {state.text}; {ordinary}."
        else:
            text = f"{_told(state, around)}; {ordinary}."
        yield QuestionCandidate(text, material.remedy(state))


def _told(state: ObservableState, around: Circumstances) -> str:
    """The state as somebody tells it; what the speaker cannot do nobody else tells."""
    if _OWN.search(state.text):
        return f"{raised(around.when())} I had to tell {around.who()} that {state.text}"
    interrupted = with_aside(state.text, f"as {around.who()} noticed {around.when()}")
    return raised(interrupted) or f"{raised(around.when())} {around.who()} noticed that {state.text}"


def _pending(action: Instruction, around: Circumstances) -> str:
    """A task that is still to do: `have the logs to review by noon`."""
    plain = _plain(action)
    if is_thing(plain.rest) and len(plain.verbs) == 1:
        return f"have {plain.rest} to {plain.verbs[0]} {around.deadline()}"
    return f"have to {plain.infinitive} {around.deadline()}"


def scenario(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Scenario questions: a state, what was being done or a task under way, and the request."""
    around = Circumstances(random)
    needs = cycle(_weightiest(material) or [None])
    for state, ordinary in zip(_odd(material) * _FORMS, around.ordinary(), strict=False):
        need, busy = next(needs), material.near(state.position, state.text)
        if not need:
            continue
        told = f"{_told(state, around)}, and {ordinary}."
        if busy and busy != need and not _OWN.search(state.text):
            told = f"{_told(state, around)}, while I was {_plain(busy).gerund}."
        ask = f"I still {_pending(need, around)}: how is that done, {around.doubt()}?"
        yield QuestionCandidate(f"{told} {ask}", need.evidence)
    for (before, action), pressure in zip(
        pairwise([*material.goals, *material.actions]), around.pressure(), strict=False
    ):
        text = (
            f"{raised(around.asked())} {_plain(before).infinitive} {around.deadline()}, and {pressure}. "
            f"Once I have {_plain(before).done}, how do I {action.infinitive}?"
        )
        yield QuestionCandidate(text, action.evidence, 1)


def conditional(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Conditional questions: facts that fulfil a branch of the procedure or lie outside a range, and what follows."""
    around = Circumstances(random)
    facts = [*map(_shown, material.readings), *_shortened(material.conditions)] * _FORMS
    for fact, pressure in zip(facts, around.pressure(), strict=False):
        if len(set(terms(fact.text))) < _FEW:
            continue
        busy = material.near(fact.position, fact.text)
        if not busy:
            text = f"{_told(fact, around)}, and {pressure}: {around.follows()}?"
        elif random.random() < _OFTEN:
            text = f"I {_pending(busy, around)} and {pressure}, but {fact.text}: {around.follows()}?"
        else:
            text = f"{_told(fact, around)}, and I still {_pending(busy, around)}: {around.follows()}?"
        yield QuestionCandidate(text, fact.evidence)


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
    brief = [replace(state, text=plain_clause(trimmed(state.text))) for state in states]
    return [*brief, *(state for state, short in zip(states, brief, strict=True) if short != state)]


def _odd(material: QuestionMaterial) -> list[ObservableState]:
    """The states on trouble that say enough to be recognised, shortened ones first."""
    return [state for state in _shortened(material.states) if state.odd and len(set(terms(state.text))) >= _FEW]


def _plain(action: Instruction) -> Instruction:
    return replace(action, rest=plain_object(action.rest))


def _weightiest(material: QuestionMaterial) -> Sequence[Instruction]:
    """The instructions, those with the highest weight of the SOP's frequent words first."""
    return sorted(material.actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))
