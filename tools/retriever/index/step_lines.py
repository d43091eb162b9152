"""The lines on which a step of a model stands, by the roles that the code reads on them."""

from collections.abc import Mapping
from dataclasses import dataclass

from soprag.tools.procedure.drafting.draft import Role
from soprag.tools.tasks.retriever import StepDraft

_NO_PART = frozenset(("heading", "none", "table-data", "metadata"))  # headings, figures, wrappers, rows of data


@dataclass(frozen=True)
class StepLines:
    """Line -> its role; blank lines have none."""

    roles: Mapping[int, Role]

    def of(self, step: StepDraft) -> tuple[int, ...]:
        """The first line of a step, and those after it that belong to it."""
        inside = range(step.start + 1, step.end + 1)
        return (step.start, *(line for line in inside if self.roles.get(line, "none") not in _NO_PART))

    def below_heading(self, step: StepDraft) -> StepDraft:
        """The step without the heading above it, unless that alone says what to do (above code, or nothing)."""
        below = next(iter(self.of(step)[1:]), step.start)
        titled = self.roles.get(step.start) == "heading" and self.roles.get(below) != "step-part"
        return step.model_copy(update={"start": below}) if titled else step
