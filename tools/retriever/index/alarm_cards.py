"""The cards of a procedure that answers several alarms: a section, or a row of a table, for each."""

from dataclasses import dataclass
from itertools import pairwise

from soprag.tools.sop import FlowGraph

_HEADING = "#"
_ROW = "|"


@dataclass(frozen=True)
class AlarmCard:
    """One card: its first and last line, and the step with which it begins; `heading` is empty for a row."""

    start: int
    end: int
    step: str
    heading: str = ""


def alarm_cards(body: str, flow: FlowGraph) -> tuple[AlarmCard, ...]:
    """The cards in the order of their lines; none for a procedure with one beginning."""
    lines = body.split("\n")
    steps = {step.id: step for step in flow.steps}
    entries = {entry for fork in flow.alternatives if fork.by == "alarm" for entry in fork.entries if entry in steps}
    begins: dict[int, str] = {}
    for entry in sorted(entries, key=lambda entry: steps[entry].lines.start):
        begins.setdefault(_begin(lines, steps[entry].lines.start), entry)  # a card with several ways in has one step
    return tuple(
        AlarmCard(start, _end(lines, start, past), step, _heading(lines[start - 1]))
        for (start, step), (past, _) in pairwise([*sorted(begins.items()), (len(lines) + 1, "")])
    )


def _begin(lines: list[str], line: int) -> int:
    """The row itself, or the nearest heading above the first step of a card."""
    if lines[line - 1].lstrip().startswith(_ROW):
        return line
    above = (number for number in range(line, 0, -1) if lines[number - 1].startswith(_HEADING))
    return next(above, line)


def _end(lines: list[str], start: int, past: int) -> int:
    """The last line of a card that begins at `start`, where the next begins at `past`: a row is one line."""
    if lines[start - 1].lstrip().startswith(_ROW):
        return start
    level = _level(lines[start - 1])
    closing = (n for n in range(start + 1, past) if 0 < _level(lines[n - 1]) <= level)
    return next(closing, past) - 1


def _level(line: str) -> int:
    return len(line) - len(line.lstrip(_HEADING))


def _heading(line: str) -> str:
    return line.lstrip(_HEADING).strip() if line.startswith(_HEADING) else ""
