"""Scores of parsed Markdown against the ground truth: shares from 0 to 1, None where not applicable."""

import itertools
import re
import string
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from soprag.benchmarks.quality.parsing_truth import Truth, TruthStep

_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_LABEL = re.compile(r"^\s*(?:\|\s*|[-*+]\s+)?(?:step\s+)?((?:\d+|[a-z]{1,4}))\\?[.)]\s+", re.IGNORECASE)
_SIGNS = re.compile(r"[*_`\\]|<[^>]{0,80}>|!?\[([^\]]*)\]\([^)]*\)")
_TYPED = str.maketrans(
    {"→": "->", "☐": "[ ]", "✓": "OK", "Δ": "delta-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"'}
)
_CONTINUED = " (continued)"
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"'}


@dataclass(frozen=True)
class Scores:
    """Shares between 0 and 1; None: nothing of the kind in this file."""

    heading_recall: float | None = None
    heading_precision: float | None = None
    heading_level: float | None = None
    steps_found: float | None = None
    step_order: float | None = None
    step_numbers: float | None = None
    step_attribution: float | None = None
    table_cells: float | None = None
    notices: float | None = None


NAMES = tuple(Scores.__dataclass_fields__)


@dataclass(frozen=True)
class OutputLine:
    """A line of the output with the heading above it."""

    text: str
    raw: str
    heading: str


def flatten(text: str) -> str:
    """The words only, so that signs of Markdown and typography do not count."""
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign)
    text = _SIGNS.sub(lambda match: match[1] or "", text.translate(_TYPED).translate(_TYPED))
    return " ".join(text.translate(_TYPED).lower().split())


def score(markdown: str, truth: Truth, *, headings: bool = True) -> Scores:
    """Compare; `headings` is False for formats that have none, such as a workbook."""
    lines = _lines(markdown)
    positions = _find_all(truth.steps, lines)
    present = [(step, index) for step, index in zip(truth.steps, positions, strict=True) if index is not None]
    recall, precision, level = _headings(markdown, truth) if headings else (None, None, None)
    text = flatten(markdown).replace("> ", "")
    rows = [flatten(line) for line in markdown.splitlines() if line.lstrip().startswith("|")]
    return Scores(
        heading_recall=recall,
        heading_precision=precision,
        heading_level=level,
        steps_found=_share(len(present), len(truth.steps)),
        step_order=_share(_longest_rise([index for _, index in present]), len(present)),
        step_numbers=_share(sum(_numbered(step, lines[index]) for step, index in present), len(truth.steps)),
        step_attribution=_share(sum(_under(step, lines[index]) for step, index in present), len(present))
        if headings
        else None,
        table_cells=_cells(rows, truth),
        notices=_share(sum(flatten(notice) in text for notice in truth.notices), len(truth.notices)),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _lines(markdown: str) -> list[OutputLine]:
    heading, lines = "", []
    for raw in markdown.splitlines():
        if match := _HEADING.match(raw):
            heading = flatten(match[2]).removesuffix(_CONTINUED)
        elif raw.strip():
            lines.append(OutputLine(flatten(_LABEL.sub("", raw)), raw, heading))
    return lines


def _find_all(steps: tuple[TruthStep, ...], lines: list[OutputLine]) -> list[int | None]:
    """The line of each step; where the same words stand twice, the next of them is the next step's."""
    positions: list[int | None] = []
    last = -1
    for step in steps:
        positions.append(_find(step, lines, last))
        last = last if positions[-1] is None else positions[-1]
    return positions


def _find(step: TruthStep, lines: list[OutputLine], last: int) -> int | None:
    """The line that holds the step: the same words, preferably under the same heading and after `last`."""
    prefix = flatten(step.text)[:60]
    candidates = [index for index, line in enumerate(lines) if prefix in line.text]
    same = [index for index in candidates if lines[index].heading == flatten(step.heading)] or candidates
    return next(iter([*(index for index in same if index > last), *same]), None)


def _numbered(step: TruthStep, line: OutputLine) -> bool:
    match = _LABEL.match(line.raw)
    if match is None:
        return False
    label = match[1].lower()
    letter = string.ascii_lowercase[(step.number - 1) % 26]
    return label == str(step.number) or (step.depth > 0 and label == letter)


def _under(step: TruthStep, line: OutputLine) -> bool:
    return line.heading == flatten(step.heading)


def _headings(markdown: str, truth: Truth) -> tuple[float | None, float | None, float | None]:
    parsed = [
        (len(m[1]), flatten(m[2]).removesuffix(_CONTINUED)) for m in map(_HEADING.match, markdown.splitlines()) if m
    ]
    levels: dict[str, int] = {}
    for depth, text in parsed:
        levels.setdefault(text, depth)
    expected = [(depth, flatten(text)) for depth, text in truth.headings]
    matched = [(depth, levels[text]) for depth, text in expected if text in levels]
    names = {text for _, text in expected}
    pairs = list(itertools.pairwise(matched))
    right = sum(_sign(b[0] - a[0]) == _sign(b[1] - a[1]) for a, b in pairs)
    return (
        _share(len(matched), len(expected)),
        _share(sum(text in names for _, text in parsed), len(parsed)) if parsed else 0.0,
        _share(right, len(pairs)),
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _longest_rise(numbers: list[int]) -> int:
    tails: list[int] = []
    for number in numbers:
        index = bisect_left(tails, number)
        tails[index : index + 1] = [number]
    return len(tails)


def _cells(rows: list[str], truth: Truth) -> float | None:
    """A cell counts when a table row holds it beside its neighbour; equal cells count as often as they occur."""
    have = Counter(_number(cell.strip()) for row in rows for cell in row.strip("| ").split("|"))
    expected = Counter(_number(flatten(cell)) for row in truth.rows for cell in row if cell.strip())
    return _share(sum(min(count, have[cell]) for cell, count in expected.items()), expected.total())


def _number(cell: str) -> str:
    return re.sub(r"^(-?\d+)\.0$", r"\1", cell)
