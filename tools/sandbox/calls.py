"""Calls of a program to the host: which tools it may call, how often, and what its response means."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from soprag.tools.history import StepFailure
from soprag.tools.sandbox import HostTool, SandboxLimits, SandboxOutcome

CONCURRENT = 4  # calls of tools that may run at once; a call that hangs takes one of them until it returns


@dataclass(frozen=True)
class HostTools:
    """The tools of one sandbox, with a limit on the calls that run at the same time."""

    tools: Mapping[str, HostTool]
    slots: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(CONCURRENT))

    def for_run(self, limits: SandboxLimits) -> "HostCalls":
        """The calls of one run."""
        return HostCalls(self, limits.calls, limits.seconds)


@dataclass
class HostCalls:
    """Serves the calls of one run, in the thread of that run."""

    host: HostTools
    remaining: int  # calls
    seconds: float  # a call waits that long for a slot

    def call(self, name: str, arguments: str) -> str:
        """The reply to one call, as JSON: `{value}` or `{error: {kind, message}}`; never raises."""
        self.remaining -= 1
        if self.remaining < 0:
            return _refuse("limit", "The program calls tools too often.")
        tool = self.host.tools.get(name)
        if tool is None:
            available = ", ".join(sorted(self.host.tools)) or "none"
            return _refuse("unavailable", f"There is no tool {name!r}; a program may call: {available}.")
        if not self.host.slots.acquire(timeout=self.seconds):
            return _refuse("timeout", f"The tools of the host are busy; {name!r} could not be called.")
        try:
            result = tool(json.loads(arguments))
            if isinstance(result, StepFailure):
                return _refuse(result.kind, result.message)
            return json.dumps({"value": result})
        except Exception as error:  # noqa: BLE001 - whatever a tool raises, the program is told and the host goes on
            return _refuse("runtime", f"The tool {name!r} failed: {type(error).__name__}: {error}")
        finally:
            self.host.slots.release()


def read_response(response: str, seconds: float) -> SandboxOutcome:
    """The outcome that the guest's response describes."""
    try:
        content: dict[str, Any] = json.loads(response)
        failure = StepFailure.model_validate(content["error"]) if content.get("error") else None
        return SandboxOutcome(value=content.get("value"), stdout=content["stdout"], failure=failure, seconds=seconds)
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        broken = StepFailure(kind="runtime", message="The program ended without an answer.", detail=response[-500:])
        return SandboxOutcome(failure=broken, seconds=seconds)


def _refuse(kind: str, message: str) -> str:
    return json.dumps({"error": {"kind": kind, "message": message}})
