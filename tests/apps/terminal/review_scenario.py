"""A review at the terminal: decisions, kill -9, the rest, and a second reviewer.

python -m tests.apps.terminal.review_scenario docs/review-session.md     writes it down, driven through tmux
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.apps.terminal.scenario import play, tidy
from tests.apps.terminal.terminals import Terminal, Tmux, expect, wait

Start = Callable[[str], Terminal]

KEYS = r"^a\(ccept\)[^\n]*>(?: |$)"


def asks(number: int) -> str:
    """The prompt under that question."""
    return rf"question {number} of [\s\S]*{KEYS}"


FIRST: tuple[tuple[str, str], ...] = (
    (asks(1), "a"),
    (asks(2), "e"),
    (r"^question>", "=How is this made safe before the work begins?"),
    (r"^level>", ""),
    (asks(3), "r"),
    (r"^Reason", "nobody would say this"),
    (asks(4), "b"),
    (rf"question 3 of [^\n]*rejected before[\s\S]*{KEYS}", "a"),
    (asks(4), "maybe"),
    (rf"Type one of the letters[\s\S]*{KEYS}", "r"),
    (r"^Reason", "the words of the text"),
)
SECOND: tuple[tuple[str, str], ...] = (
    (rf"question 5 of [^\n]*4 decided[\s\S]*{KEYS}", "s"),
    (asks(6), "q"),
)
OTHER: tuple[tuple[str, str], ...] = (
    (rf"question 1 of [^\n]*0 decided[\s\S]*{KEYS}", "a"),
    (asks(2), "a"),
    (asks(3), "a"),
    (asks(4), "r"),
    (r"^Reason", "copied from the page"),
    (asks(5), "q"),
)


def two_reviews(start: Start) -> tuple[str, str, str]:
    """What stood on the screen of ana before and after the kill, and on that of bob."""
    with start("ana") as terminal:
        place = play(terminal, FIRST)
        expect(terminal, asks(5), place)
        before = terminal.text
        terminal.kill()
    after, other = (_finish(start(name), lines) for name, lines in (("ana", SECOND), ("bob", OTHER)))
    return before, after, other


def _finish(terminal: Terminal, lines: Sequence[tuple[str, str]]) -> str:
    with terminal:
        place = play(terminal, lines)
        expect(terminal, r"published with \d+ questions", place)
        wait(terminal, lambda: terminal.ended() is not None)
        return terminal.text


def main(out: str) -> None:
    """Write the transcript."""
    program = str(Path(sys.executable).with_name("soprag"))
    with tempfile.TemporaryDirectory() as folder:
        build = ["build", "--topic", "Data Center Maintenance", "--search", "none", "--sample", "2", "--out", "run"]
        subprocess.run([program, *build, "--profile", "offline", "--quiet"], cwd=folder, check=True)
        command = [program, "review", "run", "--reviewer"]
        before, after, other = two_reviews(lambda name: Tmux([*command, name], Path(folder), {}))
    texts = {"before": tidy(before), "after": tidy(after), "other": tidy(other)}
    Path(out).write_text(PAGE.format(**texts), encoding="utf-8")


PAGE = """# A review of questions, recorded

`soprag review` on a benchmark of two SOPs of the example library, without a model, typed into a real terminal (tmux,
100 columns) by `python -m tests.apps.terminal.review_scenario docs/review-session.md`.
[Reviewing questions](reviewing.md) explains what happens.

Ana accepts a question, edits the second, rejects the third, goes back and accepts it, and rejects the fourth:

````text
{before}
````

Here the process was killed with `kill -9`. The same command goes on with the first open question:

````text
{after}
````

Bob reviews the same questions without seeing Ana's decisions; at the end stands how far they agree:

````text
{other}
````
"""

if __name__ == "__main__":
    main(sys.argv[1])
