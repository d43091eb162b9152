"""`soprag ask`: a question and its context; the nearest procedures are named before the graph is loaded."""

import os
import stat
import sys
from dataclasses import dataclass
from typing import IO, Any, Literal

from soprag.apps.terminal.example_index import choose_index
from soprag.apps.terminal.first_look import announce
from soprag.apps.terminal.session_start import ChatCall, set_up
from soprag.tools.errors import UsageError
from soprag.tools.text.sanitize import sanitize

Form = Literal["text", "json", "jsonl"]

LONGEST = 100_000  # characters of piped context
_PIPED = (stat.S_ISFIFO, stat.S_ISREG, stat.S_ISSOCK)


@dataclass(frozen=True)
class AskCall:
    """One question, and the form of its answer.

    `context_required` reads stdin as context whatever it is; `source` asks for the lines that this step cites, `whole`
    for all steps of the procedure.
    """

    chat: ChatCall
    question: str
    context_required: bool = False
    form: Form = "text"
    quiet: bool = False
    source: int | None = None
    whole: bool = False


def ask_once(call: AskCall, open: Any = None) -> int:  # noqa: ANN401 - an Open, for tests
    """One turn; gives the exit code."""
    setup = choose_index(set_up(call.chat, open), attended=False, quiet=call.quiet)
    context = read_context(sys.stdin, required=call.context_required)
    if not call.quiet and call.form == "text" and not setup.folder:
        announce(setup.settings, call.question)
    from soprag.apps.terminal.one_turn import run_turn  # what it needs takes longer to load than a search

    return run_turn(setup, call, f"{call.question}\n\n{context}" if context else call.question)


def read_context(source: IO[str], *, required: bool) -> str:
    """What was piped in; nothing when stdin is a terminal, closed or a device. Raises `UsageError` when it is long."""
    if not required and not _piped(source):
        return ""
    text = sanitize(source.read(LONGEST + 1)).strip()
    if len(text) > LONGEST:
        raise UsageError(
            f"The piped text has more than {LONGEST:,} characters; pipe the part that matters, say by tail."
        )
    return text


def _piped(source: IO[str]) -> bool:
    try:
        mode = os.fstat(source.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    return any(kind(mode) for kind in _PIPED)
