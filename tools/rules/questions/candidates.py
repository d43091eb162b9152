"""A candidate for a question, and what the forms of all levels do with states and steps before they are asked about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from soprag.tools.procedure.wording.lexicon import words
from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.clauses import trimmed
from soprag.tools.rules.questions.heads import plain_clause, plain_object
from soprag.tools.rules.questions.material import ObservableState, QuestionMaterial
from soprag.tools.text.terms import terms

_PLACING = words(
    "add attach bring change compare connect convert insert move place put return send set switch transfer turn"
)
# "If you cannot resolve the issue, log in": the step belongs to another state.
_CONDITIONED = re.compile(r"(?:^|[^\w])(?:if|when|once|unless|in case|after|as soon as) ", re.IGNORECASE)
_SHORT = 9  # words of an object that fits into half a question
_NEIGHBOURS = 3  # sentences between two steps that are asked about together
# A list, what is left of a longer sentence, and what only prepares a command.
_CUT = re.compile(
    r",|^[A-Z]{5,}\b|\bvariable\b|^(?:by \w+ing|how|who|what|everyone)\b|\bthat \w+$|\b(?:should|will|can)\b|"
    r"\bif possible\b"
)


@dataclass(frozen=True)
class QuestionCandidate:
    """A question that may be asked, with the printed words that answer it.

    `rank` 0 fits its level; higher ones are substitutes for SOPs with too little material.
    """

    text: str
    evidence: str
    rank: int = 0


def briefly(states: Sequence[ObservableState]) -> list[ObservableState]:
    """Each state with its things by their kind and without details."""
    return [replace(state, text=plain_clause(trimmed(state.text))) for state in states]


def shortened(states: Sequence[ObservableState]) -> Sequence[ObservableState]:
    """Each state with its things by their kind and without details where that is possible, then all as they stand."""
    brief = briefly(states)
    return [*brief, *(state for state, short in zip(states, brief, strict=True) if short != state)]


def plainly(action: Instruction) -> Instruction:
    """The instruction with its object by its kind; unchanged where the verb asks for a place."""
    return action if set(action.verbs) & _PLACING else replace(action, rest=plain_object(action.rest))


def weightiest(material: QuestionMaterial) -> Sequence[Instruction]:
    """The instructions, those with the highest weight of the SOP's frequent words first."""
    return sorted(material.actions, key=lambda action: -material.weight(f"{' '.join(action.verbs)} {action.rest}"))


def is_task(task: Instruction) -> bool:
    """Whether a step is short and whole enough to be asked about."""
    return len(task.rest.split()) < _SHORT and not _CUT.search(task.rest)


def tasks(material: QuestionMaterial) -> list[Instruction]:
    """The goals and steps that can be asked about, each with its object by its kind: goals, then the weightiest."""
    return [task for task in map(plainly, [*material.goals, *weightiest(material)]) if is_task(task)]


def is_next(first: Instruction, second: Instruction) -> bool:
    """Whether two short instructions stand close together, in this order, and say different things."""
    near = second.position - first.position <= _NEIGHBOURS and is_task(first) and is_task(second)
    return near and are_apart(first.infinitive, second.infinitive)


def are_apart(first: str, second: str) -> bool:
    """Whether two things said have no content word in common."""
    return not set(terms(first)) & set(terms(second))


def belongs(task: Instruction, state: ObservableState) -> bool:
    """Whether a step is what the SOP orders in a state: in its sentence, or after it and under no other condition."""
    return task.evidence == state.evidence or (
        task.position > state.position and not _CONDITIONED.search(task.evidence)
    )
