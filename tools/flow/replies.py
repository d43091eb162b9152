"""What a decision about a warning or a step means in the command language of guided runs."""

from soprag.tools.approval import HumanDecision
from soprag.tools.flow.commands import StepReply, parse


def command_of(decision: HumanDecision, request_name: str) -> StepReply:
    """The command of a decision; `unknown` when it could not be read."""
    if decision.type == "approve":
        return StepReply("ack" if request_name == "warning" else "done")
    if decision.type == "reject" and request_name == "step":
        return StepReply("skip", decision.message)
    if decision.type == "respond" and not decision.error:
        return parse(decision.message)
    return StepReply("unknown")
