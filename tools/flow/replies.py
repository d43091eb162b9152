"""What a decision about a warning or a step means in the command language of guided runs."""

from soprag.tools.approval import HumanDecision
from soprag.tools.flow.commands import StepReply, parse
from soprag.tools.flow.step_card import REPLY

_NO_REPLY = "Write your answer into `reply`; the words of the procedure cannot be edited."


def spoken(decision: HumanDecision) -> HumanDecision:
    """An edit of a card as the reply that was written into it; other decisions as they are."""
    if decision.type != "edit":
        return decision
    reply = str((decision.arguments or {}).get(REPLY) or "").strip()
    error = "" if reply else _NO_REPLY
    return HumanDecision(type="respond", message=reply, approver=decision.approver, error=error)


def command_of(decision: HumanDecision, request_name: str) -> StepReply:
    """The command of a decision; `unknown` when it could not be read."""
    if decision.type == "approve":
        return StepReply("ack" if request_name == "warning" else "done")
    if decision.type == "reject":
        return StepReply("refuse", decision.message)
    if decision.error:
        return StepReply("unknown")
    command = parse(decision.message)
    agreed = request_name == "warning" and command == StepReply("choose", "yes")
    return StepReply("ack") if agreed else command
