"""Parses a client's reply to a request, in any accepted shape, into a decision and a command."""

from typing import Any, Literal

from pydantic import Field, JsonValue

from soprag.tools.flow.commands import StepReply, parse
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line

Type = Literal["approve", "edit", "reject", "respond"]
_LONGEST_NAME = 100  # characters


class StepDecision(Frozen):
    """One decision of the human-in-the-loop schema; `approver` is who decided, when that is not the operator."""

    type: Type
    message: str = ""
    arguments: dict[str, JsonValue] | None = None
    tool: str = ""
    approver: str = ""
    error: str = Field(default="", description="why it could not be read; it then counts as a reply that says nothing")


def read_decision(resumed: Any) -> StepDecision:  # noqa: ANN401 - any client may send anything
    """The decision in a resume value; plain text counts as a response, an unreadable value has `error` set."""
    if isinstance(resumed, str):
        return StepDecision(type="respond", message=resumed)
    if isinstance(resumed, dict) and "decisions" in resumed:
        decisions = resumed["decisions"]
        if not isinstance(decisions, list) or len(decisions) != 1:
            return _fault("There was one request, so one decision is needed.")
        resumed = decisions[0]
    elif isinstance(resumed, list) and len(resumed) == 1:
        resumed = resumed[0]
    return _decision(resumed) if isinstance(resumed, dict) else _fault("The reply could not be read.")


def _decision(reply: dict[str, Any]) -> StepDecision:
    kind = reply.get("type")
    approver = one_line(str(reply.get("approver") or ""), _LONGEST_NAME)
    message = str(reply.get("message") or "")
    if kind == "edit":
        action = reply.get("edited_action")
        if not isinstance(action, dict) or not isinstance(action.get("args"), dict):
            return _fault("An edit holds `edited_action` with `name` and `args`.")
        return StepDecision(
            type="edit",
            arguments=action["args"],
            tool=str(action.get("name") or ""),
            message=message,
            approver=approver,
        )
    if kind in ("approve", "reject", "respond"):
        return StepDecision(type=kind, message=message, approver=approver)
    return _fault(f"{kind!r} is no decision; there are approve, edit, reject and respond.")


def _fault(reason: str) -> StepDecision:
    return StepDecision(type="respond", error=reason)


def command_of(decision: StepDecision, request_name: str) -> StepReply:
    """What a decision about a `warning` or a `step` means in the command language."""
    if decision.type == "approve":
        return StepReply("ack" if request_name == "warning" else "done")
    if decision.type == "reject" and request_name == "step":
        return StepReply("skip", decision.message)
    if decision.type == "respond" and not decision.error:
        return parse(decision.message)
    return StepReply("unknown")
