"""The command language of replies to a step: `done 4.8 bar`, `4.8 bar`, `no`, `skip the valve is locked`, `back`."""

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from soprag.tools.flow.required_readings import named_values, values_of

Verb = Literal[
    "done", "choose", "skip", "refuse", "back", "why", "lines", "note", "ack", "use", "open", "ask", "go", "stop",
    "unknown",
]  # fmt: skip

_ALIASES: dict[str, Verb] = {
    "done": "done", "ok": "done", "d": "done", "skip": "skip", "s": "skip", "back": "back", "b": "back",
    "why": "why", "lines": "lines", "note": "note", "ack": "ack", "acknowledge": "ack", "acknowledged": "ack",
    "read": "ack", "use": "use", "open": "open", "ask": "ask", "stop": "stop", "quit": "stop", "choose": "choose",
    "way": "choose", "finished": "done", "completed": "done",
}  # fmt: skip
_YES = frozenset(("yes", "y", "true", "ja", "oui", "si", "sí"))
_NO = frozenset(("no", "n", "false", "nein", "non"))
_FIRST = re.compile(r"\s*/?(?P<word>[^\W\d_]+)\b[:,]?\s*(?P<rest>.*)", re.DOTALL)
_GO = re.compile(r"\s*/?go\s+(?:on\s+)?(?:to\s+|at\s+)?(?:step\s+)?(\d{1,3})\s*[.!]?\s*$", re.IGNORECASE)
_BACK = re.compile(r"\s*/?go\s+back\s*[.!]?\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d{1,3})\s*[.)]?\s*$")
_SHORTEST = 3  # letters of a word that is compared with the commands
_TOLD = re.compile(r"(?P<words>(?:[A-Za-z][\w-]*[\s:=]+){1,5})(?P<values>[-+−]?\d[^?]*)")
_NOT_TOLD = re.compile(
    r"n't\b|\b(?:not|no|never|above|below|over|under|than|at|most|least|up|only|until|if|when|was|were|before|after|why|"
    r"what|how|should|must|may|about|around|almost|nearly|between|from|wait\w*|for|in|every|set|add\w*|fill\w*|skip)\b",
    re.IGNORECASE,
)
_ACIDITY = re.compile(r"\bpH\b")
_CLOSE = 0.74  # of two words: "dnoe" for "done"

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
    numbered = command.verb in ("done", "open", "go") and command.text[:1].isdigit()
    return not command.text or numbered


def parse(reply: str) -> StepReply:
    """The command in `reply`; `unknown` with the whole reply when it is not a command."""
    number = _NUMBER.match(reply)
    if number:
        return StepReply("choose", number[1])
    reading = _reading(reply.strip())
    if reading:
        return StepReply("done", reading)
    match = _FIRST.match(reply)
    if not match:
        return StepReply("unknown", reply.strip())
    word, rest = match["word"].lower(), match["rest"].strip().strip("!")
    moved = _moved(reply)
    if moved:
        return moved
    if word in _YES | _NO and not rest.strip(".! "):
        return StepReply("choose", "yes" if word in _YES else "no")
    verb = _ALIASES.get(word)
    # A sentence that begins with a command word is not a command: "Back pressure is high?"
    if verb in ("back", "why", "lines", "ack", "stop") and rest.strip("?!. ") and word not in ("ack",):
        verb = None
    return StepReply(verb, rest) if verb else StepReply("unknown", reply.strip())


def _moved(reply: str) -> StepReply | None:
    step = _GO.match(reply)
    if step:
        return StepReply("go", step[1])
    return StepReply("back") if _BACK.match(reply) else None


def _reading(reply: str) -> str:
    """The values of `4.8 bar` or "pressure is 2.5 bar"; empty where the words command, compare, deny or ask."""
    readings, rest = values_of(reply)
    named = named_values(reply) if reply.partition(" ")[0].lower() not in _ALIASES else ()
    if (readings and not rest) or (len(named) > 1 and not _NOT_TOLD.search(reply)):
        return reply
    told = _TOLD.fullmatch(reply.rstrip("."))
    if not told or _NOT_TOLD.search(told["words"]) or told["words"].split()[0].lower().strip(":=/") in _ALIASES:
        return ""
    values, rest = values_of(told["values"])
    units = all(value.unit for value in values) or bool(_ACIDITY.search(told["words"]))
    return told["values"] if values and units and not rest else ""


def near_command(reply: str) -> str:
    """The command that a single mistyped word is close to, such as `done` for "dnoe"; else empty."""
    word = reply.strip(" /.!").lower()
    if not word.isalpha() or len(word) < _SHORTEST:
        return ""
    names = [name for name in (*_ALIASES, "yes") if len(name) >= _SHORTEST]
    swapped = [name for name in names if sorted(name) == sorted(word)]
    return next(iter(swapped or difflib.get_close_matches(word, names, 1, _CLOSE)), "")
