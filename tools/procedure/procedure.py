"""The exchange form of a procedure: line roles, steps, edges, warnings, ranges, and what stays unresolved.

Lines are counted from 1 in the Markdown that was read. `END` is the target of an edge where the procedure stops or
hands over. An edge without words is simply the next step.
"""

from pydantic import Field

from soprag.tools.procedure.drafting.draft import Role
from soprag.tools.sop import Alternatives, Call, EntryPoint, Frozen, StatedRange, StepKind, Unresolved


class LineRole(Frozen):
    """What one non-blank line is."""

    n: int
    role: Role


class ProcedureStep(Frozen):
    """One thing that somebody does or decides, with every line it stands on."""

    id: str
    lines: tuple[int, ...]
    kind: StepKind
    text: str
    only_if: str = Field(
        default="", description="the condition under which the step applies; it is passed by otherwise"
    )
    label: str = Field(default="", description="its number in the document")


class ProcedureEdge(Frozen):
    """A way from one step to the next, or to END, with the words of its condition."""

    source: str
    target: str
    when: str = ""


class ProcedureWarning(Frozen):
    """A warning and the steps before which it must be read; `all` when it holds for every step."""

    lines: tuple[int, ...]
    text: str
    protects: tuple[str, ...]


class ProcedureRange(StatedRange):
    """A range and the step that states it; empty when it is stated for no single step."""

    step: str


class ProcedureFlow(Frozen):
    """A procedure as it was read."""

    lines: tuple[LineRole, ...]
    steps: tuple[ProcedureStep, ...]
    edges: tuple[ProcedureEdge, ...]
    entry: tuple[str, ...]
    entry_points: tuple[EntryPoint, ...]
    alternatives: tuple[Alternatives, ...]
    warnings: tuple[ProcedureWarning, ...]
    ranges: tuple[ProcedureRange, ...]
    unresolved: tuple[Unresolved, ...]
    calls: tuple[Call, ...] = ()
