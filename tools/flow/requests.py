"""What the requests of a guided run are about, in the structured form that clients of ours draw.

A request holds one action: `warning` (to be acknowledged), `step` (to be done), `changed` (the SOP is not the one the
run was begun with), or the name of a tool whose call is to be approved. Unknown fields are ignored, so that an older
client can follow a newer graph.
"""

from pydantic import Field

from soprag.tools.sop import Frozen, StepKind, WarningKind


class WarningShown(Frozen, extra="ignore"):
    """A safety remark, verbatim, with its first and last line."""

    kind: WarningKind
    text: str
    lines: tuple[int, int] | None = None


class WayShown(Frozen, extra="ignore"):
    """One branch of a step; `to` is the number of its target, 0 for the end of the procedure."""

    to: int
    label: str = Field(default="", description="how the document numbers the step it leads to")
    words: str = Field(default="", description="the first words of that step, where the document does not number it")
    condition: str = ""
    unresolved: bool = Field(default=False, description="the text does not tell where it leads: the operator chooses")
    begins: bool = Field(default=False, description="a place to begin the procedure at, told by its situation alone")
    back: int = Field(default=0, description="the step that follows when the part it leads to has been done; 0: none")


class ValueRange(Frozen, extra="ignore"):
    """The range the SOP states for a value, in its own words; `required`: the step asks for the value."""

    low: float | None = None
    high: float | None = None
    unit: str = ""
    phrase: str = ""
    variant: str = ""
    required: bool = True


class SuggestedWay(Frozen, extra="ignore"):
    """The branch that an earlier reading decides: its number, the reading, and the step where it was taken."""

    way: int
    reading: str = ""
    step: int = 0
    condition: str = ""


class NumberedReference(Frozen, extra="ignore"):
    """Another SOP that the step names; `sop` is empty when it is not in the index."""

    n: int
    name: str
    sop: str = ""


class StepArguments(Frozen, extra="ignore"):
    """The arguments of a `step`; a `warning` has the same without the text of the step."""

    sop: str
    sop_title: str = ""
    node: str = ""
    number: int = 0
    of: int = Field(default=0, description="how many steps the SOP has")
    label: str = ""
    section: str = ""
    text: str = ""
    passage: str = Field(default="", description="the whole item, where the step is a part of it")
    only_if: str = Field(default="", description="the condition under which the step applies")
    applies: bool = Field(default=False, description="the operator said that it holds")
    lines: tuple[int, int] | None = None
    warnings: tuple[WarningShown, ...] = ()
    kind: StepKind = "action"
    ways: tuple[WayShown, ...] = ()
    range: ValueRange | None = None
    ranges: tuple[ValueRange, ...] = ()
    suggested: SuggestedWay | None = None
    references: tuple[NumberedReference, ...] = ()
    tools: tuple[str, ...] = ()
    problem: str = Field(default="", description="why the last reply was not taken")

    @property
    def variants(self) -> tuple[str, ...]:
        """The models that the ranges are for, as long as none was named."""
        return tuple(dict.fromkeys(limits.variant for limits in self.ranges if limits.variant))
