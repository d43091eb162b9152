"""A shift at the chat: a request, a question back, steps, a guided run, an e-mail, kill -9, the same step, a handover.

python -m tests.apps.terminal.scenario INDEX docs/transcript.md     writes it down, driven through tmux
"""

import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.apps.terminal.terminals import UNKNOWN, Terminal, Tmux, expect, wait

Start = Callable[[Sequence[str]], Terminal]

END = r">(?: |$)"  # tmux leaves out the space behind a prompt
FREE = rf"^{END}"
STEP = rf"^step \d+/\d+{END}"
WARNINGS = rf"^step \d+/\d+, warnings: ack when read{END}"
APPROVE = rf"^Approve\? y\(es\)/e\(dit\)/N\(o\){END}"

BEFORE: tuple[tuple[str, str], ...] = (
    (FREE, "UPS maintenance bypass"),
    (r"Which of these is it: \w+ \w+ or \w+ \w+\?[\s\S]*" + FREE, "Transfer to"),
    (r"^ *\[1: line 48\][\s\S]*" + FREE, "/source 4"),
    (r"^ *54\| [\s\S]*" + FREE, "guide me"),
    (r"DANGER:(?:\*\*)? Battery strings cannot be switched off[\s\S]*" + WARNINGS, "done"),
    (r"The warnings come first[\s\S]*" + WARNINGS, "ack"),
    (r"must be kept to[\s\S]*bypass source[\s\S]*" + STEP, "done 470 V"),
    (r">> 470 V is outside '400 V ± 10 %'[\s\S]*" + STEP, "done 398 V"),
    (r"The SOP also states '50 Hz ± 1 Hz'[\s\S]*" + STEP, "done 50.1 Hz"),
    (r"INVERTER SYNCHRONISED[\s\S]*\(2\) [\s\S]*" + STEP, "2"),
    (r"below 90 %[\s\S]*" + STEP, "/why"),
    (r"It follows step 2[\s\S]*below 90 %[\s\S]*" + STEP, "/done 70 %"),
    (r"Offered with /use: email[\s\S]*" + STEP, "/use email"),
    (APPROVE, ""),
    (r"^Not done\. Reason[^\n]*" + END, "ask the shift lead first"),
    (r"email was refused: ask the shift lead first[\s\S]*" + STEP, "/use email"),
    (APPROVE, "e"),
    (r"^to[^\n]*" + END, "=shift-lead@dc.example, control-room@dc.example"),
    (r"^subject[^\n]*" + END, "=UPS 2: bypass at 14:00, no battery backup"),
    (r"^body[^\n]*" + END, ""),
    (r"subject: UPS 2: bypass at 14:00[\s\S]*" + APPROVE, "yes"),
    (r"\.eml[\s\S]*" + STEP, "done"),
    (r"TRANSFER TO STATIC BYPASS[\s\S]*" + STEP, "done"),
)
AFTER: tuple[tuple[str, str], ...] = (
    (r"Going on with: UPS maintenance bypass[\s\S]*LOAD ON BYPASS[\s\S]*\(2\) otherwise[\s\S]*" + STEP, "2"),
    (r"Castell key KA[\s\S]*" + STEP, "skip key KA has been in Q3 since the morning"),
    (r"MAINTENANCE BYPASS CLOSED[\s\S]*" + STEP, "/note Fan of UPS 2 rattles"),
    (r"Noted for the handover[\s\S]*" + STEP, "/handover"),
    (r"Taken over by[\s\S]*" + STEP, "/export"),
    (r"Written to [\s\S]*export\.md[\s\S]*" + STEP, "/quit"),
)


def play(terminal: Terminal, lines: Sequence[tuple[str, str]]) -> int:
    """Wait for each pattern behind the one before, then type; `=` types in place of what is offered."""
    place = 0
    for pattern, typed in lines:
        place = expect(terminal, pattern, place)
        if typed.startswith("="):
            terminal.replace(typed[1:])
        else:
            terminal.type(typed)
    return place


def shift(start: Start) -> tuple[str, str]:
    """The whole scenario; gives what stood on the screen before and after the kill."""
    with start(()) as terminal:
        place = play(terminal, BEFORE)
        expect(terminal, r"LOAD ON BYPASS[\s\S]*" + STEP, place)
        first = terminal.text
        terminal.kill()
        wait(terminal, lambda: terminal.ended() is not None)
    with start(("--resume",)) as terminal:
        play(terminal, AFTER)
        expect(terminal, r"soprag chat --resume ")
        wait(terminal, lambda: terminal.ended() is not None)
        assert terminal.ended() in (0, -UNKNOWN), terminal.text
        return first, terminal.text


def main(index: str, out: str) -> None:
    """Write the transcript."""
    program = str(Path(sys.executable).with_name("soprag"))
    with tempfile.TemporaryDirectory() as folder:
        options = ("chat", "--index", index, "--profile", "offline", "--operator", "ana")
        first, second = shift(lambda more: Tmux([program, *options, *more], Path(folder), {}))
        export = next(Path(folder).glob("sessions/*/export.md")).read_text(encoding="utf-8")
    Path(out).write_text(PAGE.format(first=tidy(first), second=tidy(second), export=tail(export)), encoding="utf-8")


def tidy(text: str) -> str:
    """Without the spaces that a terminal pads its lines with, and what tmux says when a program has ended."""
    lines = [line.rstrip() for line in text.split("\n") if not line.startswith("Pane is dead")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def tail(export: str) -> str:
    """The last entries of the exported session."""
    return "## " + "## ".join(export.split("\n## ")[-4:]).strip()


PAGE = """# A session at the terminal

`soprag chat` on the index of the example library, with no key and no model, typed into a real terminal (tmux, 100
columns) by `python -m tests.apps.terminal.scenario INDEX docs/transcript.md`. `tests/apps/terminal/test_transcript.py`
plays the same scenario and checks what is on the screen, in the drafts and in the record.

A request, a question back, the procedure, a guided run with warnings, a value out of range, a decision, and an e-mail
that is refused, then edited and approved:

````text
{first}
````

Here the process was killed with `kill -9`. `soprag chat --resume` goes on at the same step, and a later one is skipped
for a reason:

````text
{second}
````

The end of the exported session:

`````markdown
{export}
`````
"""

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
