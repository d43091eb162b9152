"""A telephone call that the operator makes: whom to call, what to say, and a form for what came of it."""

import asyncio
import json
from dataclasses import dataclass

from pydantic import Field, JsonValue

from soprag.tools.actions.action import ToolCall, Written
from soprag.tools.actions.drafts import keep
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line, sanitize


class CallLog(Frozen):
    """A call and what came of it."""

    who: str = Field(min_length=1, max_length=300, description="person or post")
    number: str = Field(default="", max_length=60, description="telephone number or radio channel, as the SOP has it")
    message: str = Field(max_length=5_000, description="what to say")
    outcome: str = Field(default="", max_length=2_000, description="filled in after the call")


PROTOCOL = ToolProtocol(
    name="call",
    purpose="Prepare a telephone call and log what came of it; the operator dials.",
    when_to_use="A step says to call, phone, radio or alert somebody at once.",
    when_not="A written message is enough: use `email`.",
    arguments=CallLog,
    response=Written,
    side_effect="write",
    errors=("arguments",),
)


@dataclass(frozen=True)
class CallDraft:
    """Writes the call log."""

    protocol: ToolProtocol = PROTOCOL

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Keep the form; nobody is dialled."""
        log = CallLog.model_validate(arguments)
        form = {**log.model_dump(), "operator": call.operator, "reference": call.reference}
        data = json.dumps(form, ensure_ascii=False, indent=1).encode()
        file = await asyncio.to_thread(keep, call.folder, "call", ".json", data)
        number = f" on {one_line(log.number)}" if log.number else ""
        text = f"Call {one_line(log.who)}{number} and say: {sanitize(log.message)}"
        text += f"\nThe call is logged in {str(file)!r}."
        return ExpertResult(output={"file": str(file), "sent": False}, text=text)
