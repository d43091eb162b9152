"""The state of one guided run: position, trail and readings, as plain values for a checkpoint."""

from typing import Literal, Optional

from pydantic import Field

from soprag.tools.procedure.ranges.comparisons import GivenReading
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import Quantity

Status = Literal["running", "finished", "stopped"]
Means = Literal["operator", "reading", "tool"]


class StepResult(Frozen):
    """One completed or skipped step of the trail, with its outcome and the branch taken."""

    node: str
    number: int
    words: str = Field(default="", description="hash of its words, to know it again in another edition")
    outcome: Literal["done", "skipped"]
    value: Quantity | None = None
    condition: str = Field(default="", description="of the way that was taken, in the words of the SOP")
    means: Means = Field(default="operator", description="who or what answered the decision")
    reason: str = Field(default="", description="why it was skipped")
    to: str = Field(default="", description="the node it led to; empty: the procedure ended there")
    calling: tuple[str, ...] = Field(default=(), description="the nodes whose calls were open then, innermost last")


class FlowRun(Frozen):
    """The state of a run over one SOP, pinned to the edition it began with.

    `trail` is the path from the first step to `at`; going back shortens it. All other events are in the logbook.
    """

    id: str = Field(description="tells it from other runs of the same SOP")
    sop: str
    title: str
    digest: str = Field(description="SHA-256 of the SOP's title and body")
    graph: str = Field(description="SHA-256 of its flow graph")
    at: str = Field(default="", description="the node to be done now; empty: none is left")
    words: str = Field(default="", description="hash of the words of that node")
    status: Status = "running"
    trail: tuple[StepResult, ...] = ()
    readings: tuple[GivenReading, ...] = ()
    arrived: int = Field(default=0, description="readings that were there on arrival at the current node")
    calling: tuple[str, ...] = Field(default=(), description="the nodes whose calls are open, innermost last")
    variant: str = Field(default="", description="the model, hall or unit of this run, once a reply named it")
    chosen: dict[str, str] = Field(default_factory=dict, description="kind of alternatives -> the one of this run")
    applies: bool = Field(default=False, description="the operator said that the condition of the step holds")
    leaving: StepResult | None = Field(
        default=None, description="the step is done, and the text does not tell where to go on: the operator chooses"
    )
    notes: tuple[str, ...] = ()
    declined: tuple[str, ...] = Field(default=(), description="tool calls a person refused, with the reason")
    warned: bool = Field(default=False, description="the warnings of this arrival were acknowledged")
    read: tuple[str, ...] = Field(default=(), description="lines of all warnings that were acknowledged")
    visits: dict[str, int] = Field(default_factory=dict)
    confirming: str = Field(
        default="", description="the node that was begun so often, or the value that no step asked for: refused once"
    )
    problem: str = Field(default="", description="why the last reply was not taken")
    question: str = Field(default="", description="what was asked aside; the run waits for its answer")
    turn: int = Field(default=0, description="replies so far")
    parent: Optional["FlowRun"] = Field(default=None, description="the run that this one was opened from")

    @property
    def done(self) -> tuple[str, ...]:
        """The nodes that were done, in order, each once."""
        return tuple(dict.fromkeys(mark.node for mark in self.trail if mark.outcome == "done"))

    @property
    def skipped(self) -> tuple[StepResult, ...]:
        """The steps that were skipped, with their reasons."""
        return tuple(mark for mark in self.trail if mark.outcome == "skipped")
