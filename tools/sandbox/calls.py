"""The desk between a program and the host: which tools it may call, how often, and what its response means."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from soprag.tools.history import StepFailure
from soprag.tools.sandbox import HostTool, SandboxOutcome


@dataclass
class HostCalls:
    """Serves the calls of one run."""

    tools: Mapping[str, HostTool]
    left: int
    deadline: float  # of `time.monotonic`

    def call(self, name: str, arguments: str) -> str:
        """The reply to one call, as JSON: `{value}` or `{error: {kind, message}}`; never raises."""
        self.left -= 1
        if self.left < 0:
            return _refuse("limit", "The program calls tools too often.")
        if time.monotonic() > self.deadline:
            return _refuse("timeout", "The time of the program is over.")
        tool = self.tools.get(name)
        if tool is None:
            known = ", ".join(sorted(self.tools)) or "none"
            return _refuse("unavailable", f"There is no tool {name!r}; a program may call: {known}.")
        try:
            result = tool(json.loads(arguments))
        except Exception as fault:  # noqa: BLE001 - whatever a tool does, the program is told and the host goes on
            return _refuse("runtime", f"The tool {name!r} failed: {type(fault).__name__}: {fault}")
        if isinstance(result, StepFailure):
            return _refuse(result.kind, result.message)
        return json.dumps({"value": result})

    def read(self, response: str, seconds: float) -> SandboxOutcome:
        """The outcome that a guest's response describes."""
        try:
            told: dict[str, Any] = json.loads(response)
            failure = StepFailure.model_validate(told["error"]) if told.get("error") else None
            return SandboxOutcome(value=told.get("value"), stdout=told["stdout"], failure=failure, seconds=seconds)
        except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
            broken = StepFailure(kind="runtime", message="The program ended without an answer.", detail=response[-500:])
            return SandboxOutcome(failure=broken, seconds=seconds)


def _refuse(kind: str, message: str) -> str:
    return json.dumps({"error": {"kind": kind, "message": message}})
