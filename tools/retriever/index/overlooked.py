"""What the code's own reading of an SOP has and the answers of a model neither hold nor strike."""

from collections.abc import Iterator, Sequence, Set

from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureWarning
from soprag.tools.tasks.retriever import StepDraft, WarningDraft


def missing_steps(
    reading: ProcedureFlow, steps: Sequence[StepDraft], warnings: Sequence[WarningDraft], struck: Set[int]
) -> Iterator[StepDraft]:
    """Numbered items that the code reads as steps, each with all that belongs to it."""
    covered = _lines(steps) | _lines(warnings) | struck
    for step in reading.steps:
        if step.label and step.lines[0] not in covered:
            item = {line for other in reading.steps if step.lines[0] in other.lines for line in other.lines}
            covered |= item
            yield StepDraft(id=f"r-{step.id}", kind="action", start=step.lines[0], end=max(item))


def missing_warnings(
    reading: ProcedureFlow, steps: Sequence[StepDraft], warnings: Sequence[WarningDraft], struck: Set[int]
) -> Iterator[ProcedureWarning]:
    """Warnings of the code; an order at the end of one may be a step of the model."""
    warned = _lines(warnings)
    held = warned | _lines(steps)
    for stated in reading.warnings:
        first = stated.lines[0]
        if first not in struck and not (first in warned and held.issuperset(stated.lines)):
            yield stated


def _lines(parts: Sequence[StepDraft] | Sequence[WarningDraft]) -> set[int]:
    return {line for part in parts for line in range(part.start, part.end + 1)}
