"""What the calculating experts read from the history: usable results and their own failed attempts."""

from collections.abc import Iterable
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from soprag.agents.experts.retrieval import retrieved
from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.text.sanitize import one_line

Arguments = TypeVar("Arguments", bound=BaseModel)
LINE = 300  # characters of a task, and of one line of an earlier result
_BUDGET = 6_000  # characters of all earlier results that a model is shown


def told(kind: type[Arguments], arguments: dict[str, JsonValue]) -> Arguments | StepFailure:
    """Validate the arguments of a sub-task as `kind`; unknown fields are ignored."""
    try:
        return kind.model_validate({name: value for name, value in arguments.items() if name in kind.model_fields})
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors()[:5])
        return StepFailure(kind="arguments", message=f"The arguments do not fit the protocol: {faults}")


def earlier(history: Iterable[StepRecord]) -> dict[str, JsonValue]:
    """The output of every successful step by its id; of a repaired step that of the last version.

    A result with further `values` beside its first gives them as `<id>_values`. Of a procedure it is the quantities of
    the chosen steps and cited lines, by name.
    """
    outputs: dict[str, JsonValue] = {}
    for event in history:
        if event.status == "ok" and event.output is not None:
            outputs[event.step] = event.output
            found = retrieved(event)
            if found and found.findings:
                outputs[event.step] = found.findings.quantities()
            if isinstance(event.output, dict) and {"value", "unit", "values"} == set(event.output):
                outputs[event.step] = {"value": event.output["value"], "unit": event.output["unit"]}
                outputs[f"{event.step}_values"] = event.output["values"]
    return outputs


def shown(history: Iterable[StepRecord]) -> str:
    """The successful steps as prompt text: id, task, result; the newest whole, as far as the budget goes."""
    usable = [event for event in history if event.status == "ok" and event.output is not None]
    room, rows = _BUDGET, list[str]()
    for event in reversed(usable):
        text = event.text or str(event.output)
        row = f"{event.step}: {text if len(text) <= room else one_line(text, LINE)} ({event.task[:LINE]})"
        rows.append(row)
        room = max(room - len(row), LINE)
    return "\n".join(reversed(rows))


def failures(history: Iterable[StepRecord], tool: str, task: str) -> list[str]:
    """The failures of this tool on this sub-task, as text."""
    attempts = (event for event in history if event.tool == tool and event.task == task and event.failure)
    return [
        f"{event.failure.kind}: {event.failure.message}\n{event.failure.detail}" for event in attempts if event.failure
    ]
