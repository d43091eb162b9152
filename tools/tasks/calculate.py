"""The tasks of calculating: write a program for a sub-task, or choose a tool of mathematics with its arguments."""

from typing import Any

from pydantic import Field, model_validator

from soprag.tools.math.components import ComponentConstants
from soprag.tools.math.conversion import DimensionCheck, UnitConvert
from soprag.tools.math.equations import IntegrateOde, SolveEquations
from soprag.tools.math.laws import ApplyLaw
from soprag.tools.math.linear import LinearAlgebra, Optimise
from soprag.tools.math.properties import FluidProperty
from soprag.tools.math.wolfram import Wolfram
from soprag.tools.protocols import ToolCard, ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task


class CodeAsk(Frozen):
    """A sub-task to be solved by a program."""

    task: str
    inputs: str = Field(default="", description="what `inputs` holds, a line each: name, value, unit, what it is")
    libraries: str = Field(default="", description="what a program may import besides the standard library")
    tools: str = Field(default="", description="the tools of the host with their arguments")
    laws: str = Field(default="", description="laws that `apply_law` may be called with, and their quantities")
    failed: str = Field(default="", description="earlier programs for this sub-task and why they failed")


class CodeDraft(Frozen):
    """A program."""

    code: str = Field(description="Python; the result is left in `answer`; empty when no program can solve it")
    why: str = Field(default="", description="one sentence: the method, or why there is no program")


NO_TOOL = "none"


class NoTool(Frozen):
    """Why no tool fits."""

    why: str = Field(description="one sentence")


NO_TOOL_PROTOCOL = ToolProtocol(
    name=NO_TOOL,
    purpose="Says that no tool solves the sub-task.",
    when_to_use="A value is missing, or the sub-task is no calculation.",
    when_not="A law or an equation of your own solves it.",
    arguments=NoTool,
    response=NoTool,
    side_effect="pure",
    errors=(),
)


class MathAsk(Frozen):
    """A sub-task to be solved by one tool."""

    task: str
    inputs: str = Field(default="", description="results of earlier steps, a line each: name, value, unit, what it is")
    laws: str = Field(default="", description="laws that may fit, with their quantities, and the names of the others")
    tools: list[ToolCard] = Field(default_factory=list)
    failed: str = Field(default="", description="earlier calls for this sub-task and why they failed")

    def offered(self) -> tuple[ToolCard, ...]:
        """The tools."""
        return tuple(self.tools)

    def prompt_fields(self) -> dict[str, Any]:
        """All but the tools; the sub-task comes last."""
        return {name: getattr(self, name) for name in ("laws", "inputs", "failed", "task")}


Call = (
    UnitConvert
    | DimensionCheck
    | SolveEquations
    | IntegrateOde
    | LinearAlgebra
    | Optimise
    | FluidProperty
    | ComponentConstants
    | ApplyLaw
    | Wolfram
)


class MathChoice(Frozen):
    """The tool that solves it, with its arguments; no call when none does."""

    call: Call | None = Field(discriminator="tool")
    why: str = Field(default="", description="one sentence: why this tool, or why none fits")

    @model_validator(mode="before")
    @classmethod
    def _of_call(cls, value: Any) -> Any:  # noqa: ANN401 - a call as a model makes it, or any JSON
        """A call has its arguments beside the name of its tool; `none` is no call."""
        if not isinstance(value, dict) or "tool" not in value:
            return value
        if value["tool"] == NO_TOOL:
            return {"call": None, "why": value.get("why", "")}
        return {"call": value}


CODE = Task("code", CodeAsk, CodeDraft)
MATH = Task("math", MathAsk, MathChoice)

TASKS = (CODE, MATH)
