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


RUNS = (
    RecordedRun(
        "A stop is a stop",
        "The reading is below the limit of the text, so the run takes that way and ends there.",
        ("guide me through pump replacement cdu type 1", "ack", "done 380 L/min", "1", "done"),
    ),
    RecordedRun(
        "Alarm cards",
        "The card is chosen once; its own readings and jumps lead on, the other cards are not passed through.",
        (
            "guide me through the CDU alarm response cards",
            *("ack", "done", "done", "2", "done 31 °C", "done", "no", "1", "done"),
        ),
    ),
    RecordedRun(
        "Prose",
        "Several acts of one paragraph are steps of their own; an act under a condition asks whether it applies.",
        (
            "guide me through cooling tower biocide dosing",
            *("1", "ack", "done", "done", "done", "no", "done", "done", "done", "done", "2", "no", "stop"),
        ),
    ),
    RecordedRun(
        "Alternatives by symptom, and a question in between",
        "What is asked during a run is answered from its procedure, with lines; the run waits.",
        (
            "guide me through the hot aisle and cold aisle temperature alarm response",
            *(
                "ack",
                "done",
                "1",
                "what does step 4 mean?",
                "what PPE do I need?",
                "thanks",
                "done",
                "done 26 °C",
                "done",
            ),
        ),
    ),
    RecordedRun(
        "A reading outside its range",
        "A value is compared with the words of the text; the step is not done before one inside is given or it is "
        "skipped for a reason.",
        ("guide me through ATS manual transfer to generator", "done", "done 52 %", "done 41 %", "stop"),
    ),
)


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
