"""A procedure as numbered lines with its steps marked: what the answering model reads (paper 3.4).

    7| # Reset the fan
    9| WARNING: Moving parts.
    11 [s1]| 1. Lock out FAN-2.
    12 [s2?]| 2. If the belt is broken, go to step 4.
    (lines 14 to 40 are not shown: Weekly service)

A mark stands before the bar, so that text of the document cannot imitate one. A question mark stands for a decision;
a line on which several steps begin has all their ids.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.text.relevance import relevance
from soprag.tools.text.sanitize import one_line, sanitize

_HEADING = re.compile(r"^\s*(?:#{1,6}\s|<h[1-6]\b)")
_ROW = re.compile(r"^(?P<line>\d+)(?: \[(?P<ids>[\w?, -]+)\])?\| ?(?P<text>.*)$")
# Sections about the document, which no question about the work is answered from.
_ADMINISTRATIVE = re.compile(
    r"\W*(?:[\dA-Z.]+\s+)?(?:(?:revision|version|change|document|edition)s?(?: (?:history|record|log|control))?|"
    r"editions|changes|history|signatures?|sign-?off|approvals?|distribution(?: list)?)\W*",
    re.IGNORECASE,
)
_PART = 1200  # characters of one part of a section, included or left out together
_BEFORE = 9  # characters of the number and the mark before a line

Closeness = Callable[[str, Sequence[str]], Sequence[float]]  # question, texts -> one score per text


@dataclass(frozen=True)
class MarkedStep:
    """A step read back from numbered lines."""

    id: str
    kind: str
    section: str
    text: str


@dataclass(frozen=True)
class DocumentPart:
    """Neighbouring lines of one section; `first` is the number of the first one."""

    first: int
    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its lines."""
        return "\n".join(self.lines)

    @property
    def numbers(self) -> range:
        """The numbers of its lines."""
        return range(self.first, self.first + len(self.lines))


def number_lines(
    body: str, steps: Sequence[ShownStep], question: str = "", limit: int = 0, closeness: Closeness = relevance
) -> str:
    """The numbered lines; with a `limit` in characters the parts of least closeness to the question are left out.

    Warnings of the steps that are shown stay, beyond the limit too.
    """
    marks: dict[int, list[str]] = {}
    for step in steps:
        marks.setdefault(step.lines.start, []).append(f"{step.id}{'?' if step.kind == 'decision' else ''}")
    parts = list(_parts(body))
    chosen = _fitting(parts, question, limit, closeness)
    chosen |= _guarding(parts, chosen, steps)
    shown: list[str] = []
    left_out: list[DocumentPart] = []
    for place, part in enumerate(parts):
        if place in chosen:
            shown += [*_note(left_out), *_rows(part, marks)]
            left_out = []
        else:
            left_out.append(part)
    return "\n".join([*shown, *_note(left_out)])


def marked_steps(document: str) -> list[MarkedStep]:
    """The steps of numbered lines, each with its text up to the next step or heading."""
    found: list[tuple[str, str, str, list[str]]] = []
    section, inside = "", False
    for line in document.split("\n"):
        row = _ROW.match(line)
        if not row:
            inside = False
        elif row["ids"]:
            for id in row["ids"].split(", "):
                found.append((id.rstrip("?"), "decision" if id.endswith("?") else "action", section, [row["text"]]))
            inside = True
        elif _HEADING.match(row["text"]):
            section, inside = row["text"].lstrip("# "), False
        elif inside:
            found[-1][3].append(row["text"])
    return [MarkedStep(id, kind, section, "\n".join(lines)) for id, kind, section, lines in found]


def _parts(body: str) -> Iterator[DocumentPart]:
    heading, first, lines = "", 1, list[str]()
    for number, line in enumerate(body.split("\n"), 1):
        begins = bool(_HEADING.match(line))
        if lines and (begins or sum(map(len, lines)) > _PART):
            yield DocumentPart(first, heading, tuple(lines))
            first, lines = number, []
        if begins:
            heading = one_line(line.lstrip("# "), 60)
        lines.append(line)
    yield DocumentPart(first, heading, tuple(lines))


def _rows(part: DocumentPart, marks: Mapping[int, list[str]]) -> Iterator[str]:
    for number, line in enumerate(part.lines, part.first):
        if line.strip():
            mark = f" [{', '.join(marks[number])}]" if number in marks else ""
            yield f"{number}{mark}| {sanitize(line)}"


def _note(parts: Sequence[DocumentPart]) -> list[str]:
    if not any(part.text.strip() for part in parts):
        return []
    headings = "; ".join(dict.fromkeys(part.heading for part in parts if part.heading))
    last = parts[-1].numbers[-1]
    return [f"(lines {parts[0].first} to {last} are not shown{': ' if headings else ''}{one_line(headings, 200)})"]


def _fitting(parts: Sequence[DocumentPart], question: str, limit: int, closeness: Closeness) -> set[int]:
    """Places of the parts that fit into the limit, the closest first; at least one."""
    sizes = [len(part.text) + _BEFORE * len(part.lines) for part in parts]
    if not limit or sum(sizes) <= limit:
        return set(range(len(parts)))
    scores = closeness(question, [f"{part.heading}\n{part.text}" for part in parts])
    chosen: set[int] = set()
    room = limit
    about = [place for place, part in enumerate(parts) if not _ADMINISTRATIVE.fullmatch(part.heading)]
    for place in sorted(about, key=lambda place: (-scores[place], place)):
        if not chosen or sizes[place] <= room:
            chosen.add(place)
            room -= sizes[place]
    return chosen


def _guarding(parts: Sequence[DocumentPart], chosen: set[int], steps: Sequence[ShownStep]) -> set[int]:
    """Places of the parts with the warnings of the steps in the chosen parts."""
    place_of = {line: place for place, part in enumerate(parts) for line in part.numbers}
    begun = [step for step in steps if place_of.get(step.lines.start) in chosen]
    return {place_of[warning.lines.start] for step in begun for warning in step.warnings}
