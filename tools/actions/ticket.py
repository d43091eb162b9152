"""A ticket as JSON; with an address set it is posted there after approval, once, however often it is attempted."""

import asyncio
import json
import os
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, JsonValue

from soprag.tools.actions.action import ToolCall, Written
from soprag.tools.actions.drafts import keep
from soprag.tools.bounded_http import send_request
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line

Priority = Literal["low", "normal", "high", "urgent"]


class Ticket(Frozen):
    """A work order or incident."""

    title: str = Field(min_length=1, max_length=200)
    description: str = Field(max_length=20_000)
    asset: str = Field(default="", max_length=200, description="equipment tag, as the SOP has it")
    priority: Priority = "normal"


PROTOCOL = ToolProtocol(
    name="ticket",
    purpose="Prepare a ticket or work order; it is posted only where an address is set, and only after approval.",
    when_to_use="A step says to open, raise or file a ticket, work order, incident or case.",
    when_not="The step only asks for an entry in the log: use `note`.",
    arguments=Ticket,
    response=Written,
    side_effect="external",
    errors=("arguments", "unavailable", "timeout"),
)


@dataclass(frozen=True)
class TicketDesk:
    """Where tickets are posted; `token_variable` names the environment variable with the bearer token."""

    url: str
    token_variable: str = ""
    timeout: float = 20.0


@dataclass(frozen=True)
class TicketDraft:
    """Writes the ticket, and posts it where there is a desk."""

    desk: TicketDesk | None = None
    protocol: ToolProtocol = PROTOCOL

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Keep the ticket first, so that nothing is lost when the desk does not answer."""
        ticket = Ticket.model_validate(arguments)
        form = {**ticket.model_dump(), "operator": call.operator, "reference": call.reference}
        data = json.dumps(form, ensure_ascii=False, indent=1).encode()
        file = await asyncio.to_thread(keep, call.folder, "ticket", ".json", data)
        if self.desk is None:
            return ExpertResult(
                output={"file": str(file), "sent": False},
                text=f"The ticket was drafted in {str(file)!r}; nothing was sent.",
            )
        return await self._post(self.desk, data, str(file), call)

    async def _post(self, desk: TicketDesk, data: bytes, file: str, call: ToolCall) -> ExpertResult | StepFailure:
        import httpx2

        headers = {"Content-Type": "application/json", "Idempotency-Key": call.key}
        token = os.environ.get(desk.token_variable, "") if desk.token_variable else ""
        if desk.token_variable and not token:
            return StepFailure(
                kind="unavailable", message=f"{desk.token_variable} is not set; the ticket is kept in {file!r}."
            )
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            answer = await send_request("POST", desk.url, desk.timeout, content=data, headers=headers)
        except httpx2.TimeoutException:
            return StepFailure(
                kind="timeout",
                message=f"The ticket desk gave no answer in {desk.timeout:g} s; whether the ticket was taken is not "
                f"known. It is kept in {file!r}.",
            )
        except httpx2.HTTPError as error:
            reason = type(error).__name__
            return StepFailure(
                kind="unavailable", message=f"The ticket desk cannot be reached ({reason}); see {file!r}."
            )
        if not 200 <= answer.status < 300:
            return StepFailure(
                kind="unavailable",
                message=f"The ticket desk answered {answer.status}; the ticket is kept in {file!r}.",
                detail=one_line(answer.text, 300),
            )
        return ExpertResult(
            output={"file": file, "sent": True, "answer": one_line(answer.text, 2000)},
            text=f"The ticket was posted ({answer.status}) and kept in {file!r}.",
        )
