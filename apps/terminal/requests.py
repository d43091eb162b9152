"""What the graph asks a person: the payload of an interrupt, read into what this screen knows how to show.

The shape is that of LangChain's HumanInTheLoopMiddleware: `action_requests` and `review_configs`. A request named
`step` is a step of a guided run, one named `warning` must be acknowledged, every other one is an action to approve.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from soprag.tools.errors import ServiceError
from soprag.tools.sop import WarningKind

DecisionType = Literal["approve", "edit", "reject", "respond"]
ALL: frozenset[DecisionType] = frozenset(("approve", "edit", "reject", "respond"))


class Lenient(BaseModel):
    """A value from the graph; what this screen does not know is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class WarningShown(Lenient):
    """A safety remark, verbatim, with its first and last line."""

    kind: WarningKind
    text: str
    lines: tuple[int, int] | None = None


class WayShown(Lenient):
    """Where a decision leads when its condition holds."""

    to: int
    condition: str = ""


class ValueRange(Lenient):
    """The range the procedure states for a value."""

    low: float | None = None
    high: float | None = None
    unit: str = ""
    words: str = ""
    asked: bool = True


class Suggested(Lenient):
    """The way that a reading taken earlier decides."""

    way: int
    reading: str = ""
    step: int = 0


class Reference(Lenient):
    """Another procedure that the step names; it is opened by its number."""

    n: int
    name: str
    sop: str = ""


class StepArguments(Lenient):
    """A step of a guided run; a warning request has the same fields without the step's text."""

    sop: str
    sop_title: str = ""
    node: str = ""
    number: int = 0
    of: int = 0
    label: str = ""
    section: str = ""
    text: str = ""
    lines: tuple[int, int] | None = None
    warnings: tuple[WarningShown, ...] = ()
    kind: Literal["action", "decision"] = "action"
    ways: tuple[WayShown, ...] = ()
    range: ValueRange | None = None
    ranges: tuple[ValueRange, ...] = ()
    suggested: Suggested | None = None
    references: tuple[Reference, ...] = ()
    tools: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class StepRequest:
    """A step is waiting to be done, decided or skipped."""

    step: StepArguments
    allowed: frozenset[DecisionType] = ALL


@dataclass(frozen=True)
class WarningRequest:
    """Warnings are waiting to be read before their step is shown."""

    step: StepArguments
    allowed: frozenset[DecisionType] = ALL


@dataclass(frozen=True)
class ActionRequest:
    """Something that would happen is waiting for a yes."""

    name: str
    arguments: Mapping[str, JsonValue]
    description: str = ""
    allowed: frozenset[DecisionType] = ALL


Request = StepRequest | WarningRequest | ActionRequest


@dataclass(frozen=True)
class Waiting:
    """All that one interrupt asks; answered with one decision per request, in order."""

    id: str
    requests: tuple[Request, ...]


class RequestDecision(BaseModel):
    """The answer to one request."""

    model_config = ConfigDict(frozen=True)

    type: DecisionType
    message: str = ""
    name: str = ""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    approver: str = Field(default="", description="who decided, when that is not the operator")

    def wire(self) -> dict[str, Any]:
        """As the graph takes it."""
        wire: dict[str, Any] = {"type": self.type}
        if self.message:
            wire["message"] = self.message
        if self.type == "edit":
            wire["edited_action"] = {"name": self.name, "args": self.arguments}
        return wire | ({"approver": self.approver} if self.approver else {})


def read_waiting(id: str, payload: object) -> Waiting:
    """The requests of one interrupt; raises `ServiceError` when it has another shape."""
    if not isinstance(payload, Mapping) or not isinstance(payload.get("action_requests"), list):
        raise ServiceError(f"The graph asks in a form this chat does not know: {str(payload)[:200]!r}.")
    configs = payload.get("review_configs") or []
    allowed = {config["action_name"]: frozenset(config["allowed_decisions"]) for config in configs}
    return Waiting(id, tuple(_read(payload["action_requests"], allowed)))


def _read(actions: list[Any], allowed: Mapping[str, frozenset[DecisionType]]) -> Iterator[Request]:
    for action in actions:
        name, may = str(action["name"]), allowed.get(action["name"], ALL)
        arguments = action.get("args") or {}
        try:
            if name == "step":
                yield StepRequest(StepArguments.model_validate(arguments), may)
            elif name == "warning":
                yield WarningRequest(StepArguments.model_validate(arguments), may)
            else:
                yield ActionRequest(name, arguments, str(action.get("description") or ""), may)
        except ValidationError as error:
            raise ServiceError(f"The graph sent a {name} that cannot be shown: {error}.") from error
