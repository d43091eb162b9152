"""Question candidates for the four sentence levels: templates filled with paraphrased material."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, pairwise

from soprag.tools.rules.questions import phrases as say
from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.clauses import Condition, trimmed
from soprag.tools.rules.questions.material import ObservableState, QuestionMaterial
from soprag.tools.rules.questions.speakable import raised
from soprag.tools.rules.questions.voice import Voice
from soprag.tools.sop import Level
from soprag.tools.text.terms import terms

_FEW = 2  # content words; a clause with no more is too short to describe a situation
_SHORT = 14  # words of a clause that still fits into a question beside an instruction


@dataclass(frozen=True)
class QuestionCandidate:
    """A question that may be asked, with the printed words that answer it.

    `rank` 0 fits its level; 1 is a substitute for SOPs with too little material; 2 is the last resort.
    """

    text: str
    evidence: str
    rank: int = 0


def direct(material: QuestionMaterial, voice: Voice) -> Iterator[QuestionCandidate]:
    """Direct questions: on the goal, on an instruction with its condition, on the remedy for a symptom."""
    for goal in material.goals:
        yield QuestionCandidate(voice.fill(say.DIRECT, **voice.acts(goal)), goal.evidence)
    situations = {
        condition.evidence: condition.clause for condition in material.conditions if condition.word != "unless"
    }
    short = (
        observation.text
        for observation in material.symptoms
        if observation.clause and len(observation.text.split()) < _SHORT
    )
    trouble = next(short, "")
    for action in _weightiest(material):
        clause = situations.get(action.evidence, trouble)
        before = (
            None if clause or len(action.rest.split()) > _SHORT // 3 else material.near(action.position, action.rest)
        )
        frames = say.DIRECT_WHEN if clause else say.DIRECT_AFTER if before else say.DIRECT
        parts = voice.acts(action) | {f"other_{name}": text for name, text in voice.acts(before).items()}
        yield QuestionCandidate(voice.fill(frames, clause=voice.say(clause), **parts), action.evidence)
    for observation in material.symptoms:
        yield QuestionCandidate(
            voice.tells(observation, say.DIRECT_SEEN, say.DIRECT_SEEN, say.DIRECT_NOUN), material.remedy(observation)
        )
    for condition in material.conditions:
        yield QuestionCandidate(voice.fill(say.DIRECT_SEEN, clause=voice.say(condition.clause)), condition.evidence, 1)
    for before, action in pairwise(material.actions):
        yield QuestionCandidate(voice.fill(say.ORDERED, **voice.acts(action)), before.evidence, 1)
    for fact in material.facts:
        yield QuestionCandidate(voice.fill(say.DIRECT_FACT, clause=voice.say(fact.text)), fact.evidence, 2)


def symptom(material: QuestionMaterial, voice: Voice) -> Iterator[QuestionCandidate]:
    """Symptom questions: an observation, with the task it interrupts where one is near."""
    for observation in _brief(material.symptoms):
        yield QuestionCandidate(
            voice.tells(observation, say.SYMPTOM, say.SYMPTOM, say.SYMPTOM_NOUN), material.remedy(observation)
        )
    for condition in _observable(material):
        observation = ObservableState(condition.clause, condition.evidence, condition.position)
        busy = material.near(condition.position, condition.clause)
        trouble, plain = (say.NOTICED, say.NOTICED_PLAIN) if busy else (say.SYMPTOM, say.SYMPTOM_PLAIN)
        yield QuestionCandidate(voice.tells(observation, trouble, plain, say.SYMPTOM_NOUN, busy), observation.evidence)
    for action in [*_weightiest(material), *material.goals]:
        yield QuestionCandidate(voice.fill(say.SYMPTOM_STUCK, **voice.acts(action)), action.evidence, 1)
    for fact in material.facts:
        yield QuestionCandidate(voice.fill(say.SYMPTOM_PLAIN, clause=voice.say(fact.text)), fact.evidence, 2)


def scenario(material: QuestionMaterial, voice: Voice) -> Iterator[QuestionCandidate]:
    """Scenario questions: circumstances, a situation, an irrelevant remark, and the request."""
    openers, asides = cycle(voice.shuffled(say.OPENERS)), cycle(voice.shuffled(say.ASIDES))
    for situation, need, evidence, rank in _situations(material, voice):
        parts = [next(openers), situation, next(asides), need] if need else [next(openers), next(asides), situation]
        yield QuestionCandidate(" ".join(part for part in parts if part), evidence, rank)


def _situations(material: QuestionMaterial, voice: Voice) -> Iterator[tuple[str, str, str, int]]:
    """Tuples of situation, request, evidence of the answer, and rank."""
    for condition in _observable(material):
        busy = material.near(condition.position, condition.clause)
        odd = ObservableState(condition.clause, "", 0).odd
        frames = (say.BUSY if odd else say.BUSY_PLAIN) if busy else say.SITUATION
        situation = voice.fill(frames, clause=voice.say(condition.clause), **voice.acts(busy))
        yield situation, f"{raised(voice.asks(condition))}?", condition.evidence, 0
    for observation in _brief(material.symptoms):
        situation = voice.tells(observation, say.SITUATION, say.SITUATION, say.SITUATION_NOUN)
        yield situation, voice.random.choice(say.FIRST), material.remedy(observation), 0
    observations = cycle(material.symptoms)
    for action in _weightiest(material):
        need = voice.fill(say.NEEDS, **voice.acts(action))
        if material.symptoms:
            situation = voice.tells(next(observations), say.SITUATION, say.SITUATION, say.SITUATION_NOUN)
            yield situation, need, action.evidence, 0
        else:
            before = material.near(action.position, action.rest)
            yield (voice.fill(say.PROGRESS, **voice.acts(before)) if before else ""), need, action.evidence, 1
    for goal in material.goals:
        yield "", voice.fill(say.NEEDS, **voice.acts(goal)), goal.evidence, 1
    for observation in [*material.symptoms, *material.facts]:
        yield voice.tells(observation, say.SYMPTOM, say.HEARD, say.SYMPTOM_NOUN), "", observation.evidence, 2


def conditional(material: QuestionMaterial, voice: Voice) -> Iterator[QuestionCandidate]:
    """Conditional questions: what to do under a stated condition."""
    asides = _asides(voice)
    for condition in _short([condition for condition in material.conditions if condition.word != "unless"]):
        parts = {"clause": voice.say(condition.clause), "ask": voice.asks(condition), "aside": next(asides)}
        busy = material.near(condition.position, condition.clause)
        if busy:
            yield QuestionCandidate(voice.fill(say.CONDITIONAL_BUSY, **parts, **voice.acts(busy)), condition.evidence)
        yield QuestionCandidate(voice.fill(say.CONDITIONAL, **parts), condition.evidence, _rank(condition.clause))
    for observation in _brief([observation for observation in material.symptoms if observation.clause]):
        parts = {"clause": voice.say(observation.text), "ask": voice.random.choice(say.ASKS), "aside": next(asides)}
        busy = material.near(observation.position, observation.text)
        if busy:
            yield QuestionCandidate(voice.fill(say.CONDITIONAL_STATE, **parts, **voice.acts(busy)), busy.evidence)
        yield QuestionCandidate(
            voice.fill(say.CONDITIONAL, **parts), material.remedy(observation), _rank(observation.text)
        )
    yield from _conditional_else(material, voice)


def _conditional_else(material: QuestionMaterial, voice: Voice) -> Iterator[QuestionCandidate]:
    """Substitutes for an SOP without conditions: questions on the order of steps and on the consequence of a fact."""
    asides = _asides(voice)
    for before, action in pairwise(material.actions):
        text = voice.fill(say.CONDITIONAL_ORDER, aside=next(asides), **voice.acts(action))
        yield QuestionCandidate(text, before.evidence, 1)
    for fact in [*material.symptoms, *material.facts]:
        if fact.clause:
            yield QuestionCandidate(voice.fill(say.CONDITIONAL_FACT, clause=voice.say(fact.text)), fact.evidence, 2)


def _asides(voice: Voice) -> Iterator[str]:
    """An endless sequence of irrelevant remarks, each with a constraint on the operator."""
    pairs = zip(cycle(voice.shuffled(say.ASIDES)), cycle(voice.shuffled(say.LIMITS)), strict=False)
    return (f"{aside} {limit}" for aside, limit in pairs)


def _rank(clause: str) -> int:
    """Rank of a clause: 0 when it has enough content words to be specific, else 1."""
    return 0 if len(terms(clause)) > _FEW else 1


SPOKEN: dict[Level, Callable[[QuestionMaterial, Voice], Iterator[QuestionCandidate]]] = {
    "direct": direct,
    "symptom": symptom,
    "scenario": scenario,
    "conditional": conditional,
}


def _observable(material: QuestionMaterial) -> Sequence[Condition]:
    """Conditions that an operator can observe, those on trouble first."""
    conjunctions = ("if", "when", "whenever", "in case", "in the event that")
    observable = [condition for condition in material.conditions if condition.word in conjunctions]
    return sorted(_short(observable), key=lambda condition: not ObservableState(condition.clause, "", 0).odd)


def _short(conditions: Sequence[Condition]) -> Sequence[Condition]:
    """Each condition, and where that is possible once more with less detail."""
    brief = [
        replace(condition, clause=trimmed(condition.clause))
        for condition in conditions
        if trimmed(condition.clause) != condition.clause
    ]
    return [*conditions, *brief]


def _brief(symptoms: Sequence[ObservableState]) -> Sequence[ObservableState]:
    """Each symptom, and where that is possible once more with less detail."""
    brief = [
        replace(observation, text=trimmed(observation.text))
        for observation in symptoms
        if observation.clause and trimmed(observation.text) != observation.text
    ]
    return [*symptoms, *brief]


def _weightiest(material: QuestionMaterial) -> Sequence[Instruction]:
    """The instructions, those with the highest weight of the SOP's frequent words first."""
    return sorted(material.actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))
