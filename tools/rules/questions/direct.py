"""Direct questions: a step in a state that it is about or belongs to, what to do in a state, a step after another."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from random import Random

from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.candidates import (
    QuestionCandidate,
    are_apart,
    belongs,
    briefly,
    is_next,
    plainly,
    tasks,
)
from soprag.tools.rules.questions.found import as_found, restated
from soprag.tools.rules.questions.heads import clause_parts
from soprag.tools.rules.questions.material import ObservableState, QuestionMaterial
from soprag.tools.rules.questions.observations import is_seen
from soprag.tools.rules.questions.speakable import raised
from soprag.tools.text.terms import terms

_FEW = 2  # content words; a question with no more says too little
_BRIEF = 12  # words of a state that does
_WEIGHTIEST = 4  # states and steps that are tried
# The step first, so that a pronoun of the state stands after its thing.
_WHEN = ("how do I {inf} when {clause}?", "do I have to {inf} when {clause}?", "should I {inf} if {clause}?")
_WHEN_NAMED = (*_WHEN, "when {clause}, how do I {inf}?")
_IF = ("what should I do when {clause}?", "what do I have to do if {clause}?", "what can I do if {clause}?")
_IF_ODD = (*_IF, "what is the first thing to check when {clause}?", "how should I react when {clause}?")
_AFTER = ("how do I {inf} once I have {done}?", "I have {done}; how do I {inf} now?")
_ALONE = (
    "how do I {inf}?",
    "how exactly do I {inf}?",
    "what is the best way to {inf}?",
    "can you tell me how to {inf}?",
)


def direct(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """Direct questions; a step stands beside a state only where one belongs to the other."""
    states, conditions = (
        [replace(state, text=restated(state.text)) for state in filter(_is_asked, briefly(each))]
        for each in (material.states, material.conditions)
    )
    odd = [state for state in [*states, *conditions] if state.odd]
    trouble = sorted(odd, key=lambda state: -material.weight(state.text))[:_WEIGHTIEST]
    steps = tasks(material)
    for state, task in product(trouble, steps):
        if clause := _beside(state, task):
            beside = _WHEN if clause.startswith(("it ", "they ")) else _WHEN_NAMED
            yield _asked(beside, random, task.evidence, 0, inf=task.infinitive, clause=clause)
    for state in [*trouble, *conditions]:
        if len(set(terms(state.text))) > _FEW:
            forms = _IF_ODD if state.odd and not state.text.startswith("I ") else _IF
            yield _asked(forms, random, material.remedy(state), 0, clause=state.text)
    yield from _after_another(material, random)
    for task in steps:
        if _says_enough(task, material):
            yield _asked(_ALONE, random, task.evidence, 1, inf=task.infinitive)


def _says_enough(task: Instruction, material: QuestionMaterial) -> bool:
    """Whether a step that is asked about alone is more than one of the many that are in every SOP."""
    return material.is_told_by(task.infinitive) or len(set(terms(task.infinitive))) > _FEW + 1


def _asked(forms: Sequence[str], random: Random, evidence: str, rank: int, **parts: str) -> QuestionCandidate:
    return QuestionCandidate(raised(random.choice(forms).format(**parts)), evidence, rank)


def _is_asked(state: ObservableState) -> bool:
    """Whether a short state can be seen and would be told."""
    return is_seen(state.text) and len(state.text.split()) <= _BRIEF and bool(as_found(state.text, odd=state.odd))


def _beside(state: ObservableState, task: Instruction) -> str:
    """The state beside a step on the same thing, which is a pronoun then, or beside one of the next sentences."""
    parts = clause_parts(state.text)
    if parts and task.rest in (parts.thing, parts.kind):
        return f"{parts.pronoun} {parts.predicate}"
    return state.text if belongs(task, state) and are_apart(state.text, task.infinitive) else ""


def _after_another(material: QuestionMaterial, random: Random) -> Iterator[QuestionCandidate]:
    """How a step is carried out after the one before it."""
    for task, other in pairwise(map(plainly, material.actions)):
        if is_next(task, other) and material.is_told_by(f"{task.infinitive} {other.rest}"):
            yield _asked(_AFTER, random, other.evidence, 1, inf=other.infinitive, done=task.done)
