"""Records guided runs of the example library as an operator types them.

    python -m tests.apps.terminal.guided_runs INDEX OUT.md

The chat runs in this process, without a terminal: what it prints and what is typed stand in the file in their order.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from soprag.apps.compose.settings import open_settings
from soprag.apps.terminal.conversation import Room, TerminalChat
from soprag.apps.terminal.session_start import open_session
from soprag.apps.terminal.sessions import Sessions
from soprag.tools.store.logbook import Logbook
from tests.apps.terminal.desk import Tape, card

_HEAD = """# Five guided runs

Read here how a run follows the text: stops, alternatives, cards of alarms, loops and prose. Written by
`python -m tests.apps.terminal.guided_runs` from the example library, without a model; lines with `>` were typed.
"""


class RecordedRun(NamedTuple):
    """A run with its heading, what it shows, and what is typed."""

    heading: str
    shows: str
    typed: tuple[str, ...]


RUNS: tuple[RecordedRun, ...] = ()


async def record(index: str, typed: tuple[str, ...]) -> str:
    """What stands on the screen when these lines are typed into a new session on the index."""
    with tempfile.TemporaryDirectory() as folder:
        settings = open_settings("offline", {"index": {"folder": index}, "chat": {"folder": folder}})
        sessions = Sessions(Path(folder))
        session, tape = sessions.new(card()), Tape(typed)
        async with open_session(settings, session, "ana") as opened:
            room = Room(session, sessions, opened.dialogue, opened.library, tape, tape, Logbook(session.logbook))
            await TerminalChat(room).run()
        return tape.text


async def main(index: str, out: str) -> None:
    """Write the file."""
    parts = [_HEAD]
    for run in RUNS:
        text = await record(index, run.typed)
        parts.append(f"## {run.heading}\n\n{run.shows}\n\n```text\n{text}\n```\n")
    Path(out).write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
