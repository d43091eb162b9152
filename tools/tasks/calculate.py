"""The tasks of calculating: write a program for a sub-task, or choose a tool of mathematics with its arguments."""

from pydantic import Field

from soprag.tools.math.components import ComponentConstants
from soprag.tools.math.conversion import DimensionCheck, UnitConvert
from soprag.tools.math.equations import IntegrateOde, SolveEquations
from soprag.tools.math.laws import ApplyLaw
from soprag.tools.math.linear import LinearAlgebra, Optimise
from soprag.tools.math.properties import FluidProperty
from soprag.tools.math.wolfram import Wolfram
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task


class CodeAsk(Frozen):
    """A sub-task to be solved by a program."""

    task: str
    inputs: str = Field(default="", description="what `inputs` holds, a line each: name, value, unit, what it is")
    libraries: str = Field(default="", description="what a program may import besides the standard library")
    tools: str = Field(default="", description="the tools of the host with their arguments")
    failed: str = Field(default="", description="earlier programs for this sub-task and why they failed")


class CodeDraft(Frozen):
    """A program."""

    code: str = Field(description="Python; the result is left in `answer`; empty when no program can solve it")
    why: str = Field(default="", description="one sentence: the method, or why there is no program")


class MathAsk(Frozen):
    """A sub-task to be solved by one tool."""

    task: str
    inputs: str = Field(default="", description="results of earlier steps, a line each: name, value, unit, what it is")
    tools: str = Field(default="", description="the tools with what they are for")
    failed: str = Field(default="", description="earlier calls for this sub-task and why they failed")


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

    call: Call | None
    why: str = Field(default="", description="one sentence: why this tool, or why none fits")


CODE = Task("code", CodeAsk, CodeDraft)
MATH = Task("math", MathAsk, MathChoice)

TASKS = (CODE, MATH)
