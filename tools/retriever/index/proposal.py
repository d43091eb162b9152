"""What the code's own reading of an SOP proposes to a model: the first lines of numbered steps and of warnings."""

from dataclasses import dataclass

from soprag.tools.procedure.procedure import ProcedureFlow


@dataclass(frozen=True)
class Proposal:
    """Lines of the body, counted from 1, that the code takes for the beginning of a numbered step or of a warning."""

    steps: tuple[int, ...] = ()
    warnings: tuple[int, ...] = ()

    @staticmethod
    def of(reading: ProcedureFlow) -> "Proposal":
        """All that a reading proposes."""
        steps = dict.fromkeys(step.lines[0] for step in reading.steps if step.label)
        return Proposal(tuple(steps), tuple(warning.lines[0] for warning in reading.warnings))

    def within(self, first: int, last: int) -> "Proposal":
        """The proposals from line `first` to line `last`."""
        inside = range(first, last + 1)
        steps = tuple(line for line in self.steps if line in inside)
        return Proposal(steps, tuple(line for line in self.warnings if line in inside))
