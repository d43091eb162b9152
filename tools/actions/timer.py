"""A timer as a file with the time at which it is due, so that it survives a restart."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from pydantic import BaseModel, Field, JsonValue

from soprag.tools.actions.action import ToolCall
from soprag.tools.actions.drafts import keep
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line


class Timer(Frozen):
    """How long to wait, and for what."""

    minutes: float = Field(gt=0, le=60 * 24 * 365, description="minutes from now")
    label: str = Field(default="", max_length=300)


class Due(BaseModel):
    """When a timer is due."""

    due: str
    file: str


PROTOCOL = ToolProtocol(
    name="timer",
    purpose="Note the time at which a wait is over.",
    when_to_use="A step says to wait for so many seconds, minutes, hours or days.",
    when_not="The wait ends by a reading and not by the clock.",
    arguments=Timer,
    response=Due,
    side_effect="write",
    errors=("arguments",),
)


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class TimerFile:
    """Writes the timer as a file; `clock` gives the present time in UTC."""

    protocol: ToolProtocol = PROTOCOL
    clock: Callable[[], datetime] = field(default=_utc_now)

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Keep when it is due."""
        timer = Timer.model_validate(arguments)
        due = self.clock() + timedelta(minutes=timer.minutes)
        stamp = due.isoformat(timespec="seconds")
        data = json.dumps({"due": stamp, "label": timer.label, "reference": call.reference}, ensure_ascii=False)
        file = await asyncio.to_thread(keep, call.folder, "timer", ".json", data.encode())
        wait = f"{timer.minutes:g} minutes: over at {stamp}"
        return ExpertResult(
            output={"due": stamp, "file": str(file)}, text=f"Waiting {wait}. {one_line(timer.label)}".strip()
        )
