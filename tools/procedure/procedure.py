"""The exchange form of a procedure: line roles, steps, edges, warnings, ranges, and what stays unresolved.

Lines are counted from 1 in the Markdown that was read. `END` is the target of an edge where the procedure stops or
hands over. An edge without words is simply the next step.
"""

from pydantic import Field

from soprag.tools.procedure.draft import Role
from soprag.tools.procedure.tree import StepKind
from soprag.tools.sop import Frozen


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


class Alternatives(Frozen):
    """Steps of which one is entered: variants, cases, alarms."""

    by: str
    entries: tuple[str, ...]


class EntryPoint(Frozen):
    """A step where reading may begin, and the situation for it."""

    situation: str
    step: str


class ProcedureWarning(Frozen):
    """A warning and the steps before which it must be read; `all` when it holds for every step."""

    lines: tuple[int, ...]
    text: str
    protects: tuple[str, ...]


class ProcedureRange(Frozen):
    """The bounds of a quantity at a step; an absent bound is open.

    `use` says what for: `accept` a value that must hold, `branch` a condition, `time` a duration.
    """

    step: str
    quantity: str
    variant: str = ""
    low: float | None = None
    high: float | None = None
    unit: str = ""
    low_inclusive: bool = True
    high_inclusive: bool = True
    negated: bool = Field(default=False, description="stated as a negation, such as `never below 16 °C`")
    use: str = "accept"
    words: str = Field(default="", description="the words of the text")


class Unresolved(Frozen):
    """Lines whose meaning for the flow the reader cannot tell."""

    lines: tuple[int, ...]
    reason: str


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
