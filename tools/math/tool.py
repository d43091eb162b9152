"""The interface of math tools: a protocol, and a function from typed arguments to quantities."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from soprag.tools.history import StepFailure
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import Quantity


class Named(Frozen):
    """A quantity with the name a formula uses for it."""

    name: str = Field(description="a short name such as p1 or C_A0", pattern=r"^[A-Za-z]\w{0,30}$")
    value: float
    unit: str = Field(default="", description="such as kg/s or degC; empty for a plain number")

    @property
    def quantity(self) -> Quantity:
        """Without its name."""
        return Quantity(value=self.value, unit=self.unit)


class Computed(Frozen):
    """What a tool computed."""

    values: tuple[Named, ...] = Field(description="the results; the one that was asked for comes first")
    method: str = Field(description="by which formula, correlation or library")
    assumptions: tuple[str, ...] = Field(default=(), description="what was taken for granted, and limits of validity")

    @property
    def first(self) -> Quantity:
        """The main result."""
        return self.values[0].quantity


Run = Callable[[Any], Coroutine[Any, Any, Computed | StepFailure]]


@dataclass(frozen=True)
class MathTool:
    """A tool with its contract; `run` takes `protocol.arguments` and raises nothing the arguments can cause."""

    protocol: ToolProtocol
    run: Run


def fail(kind: Any, message: str, detail: str = "") -> StepFailure:  # noqa: ANN401 - an ErrorKind
    """A `StepFailure` of this kind."""
    return StepFailure(kind=kind, message=message, detail=detail)
