"""Parses what a person typed at a step or warning into a decision for the graph.

The words themselves are those of `soprag.tools.flow.commands`; what is none of them is read by the graph.
"""

from soprag.apps.terminal.commands import Mistyped, TypedCommand
from soprag.apps.terminal.requests import StepRequest, WarningRequest
from soprag.tools.approval import HumanDecision
from soprag.tools.flow import commands

_NEEDED = {
    "skip": "Say why: /skip REASON.",
    "note": "Say what: /note TEXT.",
    "open": "Name the procedure by its number: /open N.",
}
_LATER = frozenset(("done", "choose", "skip", "use", "open"))


def reply_typed(text: str, request: StepRequest | WarningRequest) -> HumanDecision:
    """The decision for words without a slash; raises `Mistyped` when something is missing."""
    typed = text.strip()
    meant = commands.parse(typed)
    if isinstance(request, WarningRequest) and typed.lower() in ("y", "yes"):
        return _reply("ack", "", "ack", request)
    if meant.verb == "unknown":
        return respond(typed)
    if typed.endswith("?") and meant.verb not in ("note", "ask"):
        return respond(f"ask {typed}")
    return _reply(meant.verb, meant.text, typed, request)


def reply_called(call: TypedCommand, request: StepRequest | WarningRequest) -> HumanDecision:
    """The decision for a command of the registry; raises `Mistyped` when something is missing."""
    name, rest = call.command.name, call.rest
    return _reply("choose" if name in ("yes", "no") else name, rest, f"{name} {rest}".strip(), request)


def respond(message: str) -> HumanDecision:
    """Words for the graph to read."""
    return HumanDecision(type="respond", message=message)


def _reply(verb: str, rest: str, message: str, request: StepRequest | WarningRequest) -> HumanDecision:
    if isinstance(request, WarningRequest) and verb in _LATER:
        raise Mistyped("The warnings come first; type ack when you have read them.")
    if verb in _NEEDED and not rest:
        raise Mistyped(_NEEDED[verb])
    if verb == "ack" and isinstance(request, WarningRequest) and "approve" in request.allowed:
        return HumanDecision(type="approve")
    return respond(message)
