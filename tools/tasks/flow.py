"""The task of binding the steps of an SOP to whoever carries them out."""

from typing import Literal

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task


class ToolOffer(Frozen):
    """One tool an operator has."""

    name: str
    purpose: str
    when_to_use: str
    when_not: str
    arguments: str = Field(description="its arguments, each with what it is")


class StepToBind(Frozen):
    """One step, verbatim."""

    node: str
    text: str
    ways: int = Field(default=1, ge=0, description="ways out of it; more than one: it is a decision")


class BindAsk(Frozen):
    """Steps of one SOP and the tools there are."""

    tools: list[ToolOffer]
    title: str
    steps: list[StepToBind]


class ArgumentTemplate(Frozen):
    """One argument of a tool, as a text in which places are filled in later."""

    name: str
    value: str = Field(description="$title, $step, $text, $lines, $readings, $sop and $operator are filled in")


class Duty(Frozen):
    """Who carries out one step, and with which arguments."""

    node: str
    kind: Literal["tool", "human", "decision", "info"]
    tool: str = ""
    arguments: list[ArgumentTemplate] = Field(default_factory=list)


class BindAnswer(Frozen):
    """A duty for each step that is not simply done by hand."""

    duties: list[Duty] = Field(default_factory=list)


BIND = Task("bind", BindAsk, BindAnswer)

TASKS = (BIND,)
