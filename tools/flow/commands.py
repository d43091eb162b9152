"""The command language of replies to a step: `done 4.8 bar`, `4.8 bar`, `no`, `skip the valve is locked`, `back`."""

import re
from dataclasses import dataclass
from typing import Literal

from soprag.tools.flow.required_readings import values_of

Verb = Literal[
    "done", "choose", "skip", "refuse", "back", "why", "lines", "note", "ack", "use", "open", "ask", "go", "stop",
    "unknown",
]  # fmt: skip

_ALIASES: dict[str, Verb] = {
    "done": "done", "ok": "done", "d": "done", "skip": "skip", "s": "skip", "back": "back", "b": "back",
    "why": "why", "lines": "lines", "note": "note", "ack": "ack", "acknowledge": "ack", "acknowledged": "ack",
    "read": "ack", "use": "use", "open": "open", "ask": "ask", "stop": "stop", "quit": "stop", "choose": "choose",
    "way": "choose",
}  # fmt: skip
_YES = frozenset(("yes", "y", "true", "ja", "oui", "si", "sí"))
_NO = frozenset(("no", "n", "false", "nein", "non"))
_FIRST = re.compile(r"\s*/?(?P<word>[^\W\d_]+)\b[:,]?\s*(?P<rest>.*)", re.DOTALL)
_GO = re.compile(r"\s*/?go\s+(?:on\s+)?(?:to\s+|at\s+)?(?:step\s+)?(\d{1,3})\s*[.!]?\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d{1,3})\s*[.)]?\s*$")

HELP = (
    "Reply `done` (with the reading where one is asked, such as `done 4.8 bar`), `yes`, `no` or the number of a way, "
    "`skip <reason>`, `back`, `why`, `lines`, `note <text>`, `use <tool>`, `open <number>`, `ask <question>`, `stop`, "
    "or, where the procedure does not tell how to go on, `go <number of a step>`."
)


@dataclass(frozen=True)
class StepReply:
    """A parsed reply; `text` follows the verb."""

    verb: Verb
    text: str = ""


def is_bare_command(reply: str) -> bool:
    """Whether the reply is a command of a guided run and nothing else, such as `done 4.8 bar` or `ack`."""
    command = parse(reply)
    if command.verb in ("unknown", "ask", "note", "choose"):
        return False
    return not command.text or (command.verb == "done" and command.text[:1].isdigit())


def parse(reply: str) -> StepReply:
    """The command in `reply`; `unknown` with the whole reply when it is not a command."""
    number = _NUMBER.match(reply)
    if number:
        return StepReply("choose", number[1])
    readings, rest = values_of(reply.strip())
    if readings and not rest:
        return StepReply("done", reply.strip())  # `4.8 bar`
    match = _FIRST.match(reply)
    if not match:
        return StepReply("unknown", reply.strip())
    word, rest = match["word"].lower(), match["rest"].strip()
    step = _GO.match(reply)
    if step:
        return StepReply("go", step[1])
    if word in _YES | _NO and not rest.strip(".! "):
        return StepReply("choose", "yes" if word in _YES else "no")
    verb = _ALIASES.get(word)
    # A sentence that begins with a command word is not a command: "Back pressure is high?"
    if verb in ("back", "why", "lines", "ack", "stop") and rest.strip("?!. ") and word not in ("ack",):
        verb = None
    return StepReply(verb, rest) if verb else StepReply("unknown", reply.strip())
