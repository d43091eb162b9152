"""What the calculating experts read from the history: usable results and their own failed attempts."""

from collections.abc import Iterable
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from soprag.tools.history import StepFailure, StepRecord

Arguments = TypeVar("Arguments", bound=BaseModel)
LINE = 300  # characters of one earlier result that a model is shown


def told(kind: type[Arguments], arguments: dict[str, JsonValue]) -> Arguments | StepFailure:
    """Validate the arguments of a sub-task as `kind`; unknown fields are ignored."""
    try:
        return kind.model_validate({name: value for name, value in arguments.items() if name in kind.model_fields})
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors()[:5])
        return StepFailure(kind="arguments", message=f"The arguments do not fit the protocol: {faults}")


def earlier(history: Iterable[StepRecord]) -> dict[str, JsonValue]:
    """The output of every successful step by its id; of a repaired step that of the last version.

    A result with further `values` beside its first gives them as `<id>_values`.
    """
    outputs: dict[str, JsonValue] = {}
    for event in history:
        if event.status == "ok" and event.output is not None:
            outputs[event.step] = event.output
            if isinstance(event.output, dict) and {"value", "unit", "values"} == set(event.output):
                outputs[event.step] = {"value": event.output["value"], "unit": event.output["unit"]}
                outputs[f"{event.step}_values"] = event.output["values"]
    return outputs


def shown(history: Iterable[StepRecord]) -> str:
    """The successful steps as prompt text, one line each: id, result, task."""
    usable = (event for event in history if event.status == "ok" and event.output is not None)
    return "\n".join(f"{event.step}: {event.text[:LINE] or event.output} ({event.task[:LINE]})" for event in usable)


def failures(history: Iterable[StepRecord], tool: str, task: str) -> list[str]:
    """The failures of this tool on this sub-task, as text."""
    attempts = (event for event in history if event.tool == tool and event.task == task and event.failure)
    return [
        f"{event.failure.kind}: {event.failure.message}\n{event.failure.detail}" for event in attempts if event.failure
    ]
