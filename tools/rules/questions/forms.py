"""Question candidates for the four sentence levels, from what the SOP states.

Symptoms are observable states, conditional questions rest on a branch or a range of the procedure; an SOP without them
gives no candidate. What people ask seldom quotes: candidates name things that stand far apart in the SOP, each by its
kind. Every sentence holds words of the SOP beside its circumstances.
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
_FORMS = 3  # how often a state is tried, each time with other circumstances
_FAR = 6  # things of which two are drawn: those named farthest from what is asked about
_OFTEN = 0.5  # share of the first of two forms
_LONG = 10  # words of a fact that is only stated where no shorter one is to be had
_WEIGHTIEST = 4  # states and instructions that a direct question is made of
_SHORT = 18  # words of a clause that still fits into a question
_WHEN = (
    "when {clause}, do I start with {first} or with {second}?",
    "what do I do with {first} when {clause}?",
    "what should I look at besides {first} when {clause}?",
    "do I look at {first} or at {second} first when {clause}?",
)
_HOW = (
    "how do I {inf}, and what about {first}?",
    "do I have to think of {first} before I {inf}?",
    "what do I need to {inf} when it comes to {first} and {second}?",
    "which is first, {first} or {second}, when I {inf}?",
)
_VAGUE = (
    "{when} something went wrong around {about}, and I cannot tell whether it has to do with {first} or with {second}.",
    "{who} reports trouble with {about}; I have looked at {first} and {second}, and {ordinary}.",
    "we have had trouble with {about} since {who} worked on {first} {when}, and nobody has been near {second}.",
)
_VAGUE_NEED = (
    "{when} {who} reported trouble with {about}, and {ordinary}. Is it {first} or {second} that I have to look at "
    "first when {asked} {inf} {deadline}, {doubt}?",
    "{asked} {inf} {deadline}, but we have had trouble with {about} since {who} worked on {first} {when}, and "
    "{ordinary}. What do I do about {second}, {doubt}?",
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
    """Direct questions: on the remedy for a state or on an instruction, with things from elsewhere in the SOP."""
    states = sorted(_brief([*material.states, *material.conditions]), key=lambda state: -material.weight(state.text))
    for state in states[:_WEIGHTIEST] * _FORMS:
        if len(state.text.split()) < _SHORT:
            yield _asked(_WHEN, material.remedy(state), material, random, state.position, clause=state.text)
    for action in [*material.goals, *_weightiest(material)][:_WEIGHTIEST] * _FORMS:
        plain = _plain(action)
        yield _asked(_HOW, action.evidence, material, random, action.position, inf=plain.infinitive)
    for action in material.actions:
        yield QuestionCandidate(f"How do I {_plain(action).infinitive}?", action.evidence, 1)


def _asked(
    forms: Sequence[str],
    evidence: str,
    material: QuestionMaterial,
    random: Random,
    position: int,
    **said: str,
) -> QuestionCandidate:
    """One of the forms with two things that are named far from `position`, of a direct question one of the title.

    Without text, and so without a question, where the SOP names too few.
    """
    far = material.apart(position, " ".join(said.values()))
    if len(far) < 2 or not all(said.values()):
        return QuestionCandidate("", evidence)
    first = random.choice(far[:_FAR] if "about" in said else material.topical(far) or far[:_FAR])
    second = random.choice([thing for thing in far if thing != first][:_FAR])
    return QuestionCandidate(raised(random.choice(forms).format(first=first, second=second, **said)), evidence)


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
        yield _asked(
            _VAGUE, material.remedy(state), material, random, state.position,
            about=material.named_in(state.text), when=around.when(), who=around.who(), ordinary=ordinary,
        )  # fmt: skip


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
        about = material.named_in(state.text) or material.nearest(state.position)
        yield _asked(
            _VAGUE_NEED, need.evidence, material, random, state.position,
            about=about, when=around.when(), who=around.who(), ordinary=ordinary, asked=around.asked(),
            deadline=around.deadline(), inf=_plain(need).infinitive, doubt=around.doubt(),
        )  # fmt: skip
    for (before, action), pressure in zip(
        pairwise([*material.goals, *material.actions]), around.pressure(), strict=False
    ):
        text = (
            f"{raised(around.asked())} {_plain(before).infinitive} {around.deadline()}, and {pressure}. "
            f"Once I have {_plain(before).done}, how do I {_plain(action).infinitive}?"
        )
        yield QuestionCandidate(text, action.evidence, 1)


def conditional(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Conditional questions: facts that fulfil a branch of the procedure or lie outside a range, and what follows."""
    around = Circumstances(random)
    shown, full = [*map(_shown, material.readings)], set(material.conditions)
    facts = [*shown, *_shortened(material.conditions)] * _FORMS
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
        yield QuestionCandidate(text, fact.evidence, int(fact in full and len(fact.text.split()) > _LONG))


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
    """The states on trouble that say enough to be recognised, shortened ones first."""
    return [state for state in _shortened(material.states) if state.odd and len(set(terms(state.text))) >= _FEW]


def _plain(action: Instruction) -> Instruction:
    return replace(action, rest=plain_object(action.rest))


def _weightiest(material: QuestionMaterial) -> Sequence[Instruction]:
    """The instructions, those with the highest weight of the SOP's frequent words first."""
    return sorted(material.actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))
