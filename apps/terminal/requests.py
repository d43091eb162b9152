"""What the graph asks a person, as this screen shows it: a step, its warnings, or an action to approve."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from soprag.tools.approval import EVERY_DECISION, DecisionType, RequestedAction, read_request
from soprag.tools.errors import ServiceError
from soprag.tools.flow.requests import StepArguments


@dataclass(frozen=True)
class StepRequest:
    """A step is waiting to be done, decided or skipped."""

    step: StepArguments
    allowed: frozenset[DecisionType] = EVERY_DECISION


@dataclass(frozen=True)
class WarningRequest:
    """Warnings are waiting to be read before their step is shown."""

    step: StepArguments
    allowed: frozenset[DecisionType] = EVERY_DECISION


@dataclass(frozen=True)
class ActionRequest:
    """Something that would happen is waiting for a yes."""

    name: str
    arguments: Mapping[str, JsonValue]
    description: str = ""
    allowed: frozenset[DecisionType] = EVERY_DECISION


Request = StepRequest | WarningRequest | ActionRequest


@dataclass(frozen=True)
class Waiting:
    """All that one interrupt asks; answered with one decision per request, in order."""

    id: str
    requests: tuple[Request, ...]


def read_waiting(id: str, payload: object) -> Waiting:
    """The requests of one interrupt; raises `ServiceError` when it has another shape."""
    return Waiting(id, tuple(map(_request, read_request(payload))))


def _request(action: RequestedAction) -> Request:
    try:
        if action.name == "step":
            return StepRequest(StepArguments.model_validate(action.structured), action.allowed)
        if action.name == "warning":
            return WarningRequest(StepArguments.model_validate(action.structured), action.allowed)
    except ValidationError as error:
        raise ServiceError(f"The graph sent a {action.name} that cannot be shown: {error}.") from error
    return ActionRequest(action.name, action.arguments, action.description, action.allowed)
