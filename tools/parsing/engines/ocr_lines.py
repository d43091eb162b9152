"""Recognised pieces of text as printed lines: joined by height, in columns, sized by how wide their letters are.

The height of a recognised box says little, it comes with a margin; the width of its letters tells a heading from text.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from soprag.tools.parsing.layout import PrintedLine, TextRun
from soprag.tools.parsing.repair.headings import norm

_COLUMN = 15  # pieces; a shorter column is more likely one of a table
_MOST_ACROSS = 0.05
_LARGER, _MUCH_LARGER = 1.2, 1.3
_FEW_LETTERS = 10  # so few tell little about the width of a letter
_CLUSTER = 1.1
_SURE = 0.8
_TYPE_IN_BOX = 0.72  # the size of the type, of the height of its box
_ENDS = 2  # lines at the top and at the foot of a page that may be its head and foot
_SENTENCE_ENDS = (".", ";", ",", "!", "?")
_NARROW, _WIDE = frozenset("iljtfrI1.,:;'|!()[]- "), frozenset("mwMW@%")


@dataclass(frozen=True)
class Box:
    """One recognised piece of text; lengths in points."""

    x0: float
    x1: float
    top: float
    height: float
    text: str
    score: float


def printed_lines(pages: Sequence[Sequence[Box]]) -> list[PrintedLine]:
    """The lines of all pages in reading order, without what most pages repeat at their ends."""
    rows = [[row for column in _columns(page) for row in _joined(column)] for page in pages]
    rows = _without_running(rows)
    widths = [_letter(box) for page in rows for row in page for box in row if len(box.text) > 20]
    body = median(widths) if widths else 0.0
    heights = [box.height for page in rows for row in page for box in row]
    size = _TYPE_IN_BOX * median(heights) if heights else 0.0
    sizes = _clustered([_ratio(row, body) for page in rows for row in page])
    return [
        _line(number, row, size * sizes.get(_ratio(row, body), 1.0)) for number, page in enumerate(rows) for row in page
    ]


def _line(page: int, row: list[Box], size: float) -> PrintedLine:
    pieces = tuple(TextRun(box.text, box.x0, box.x1) for box in row)
    top = min(box.top for box in row)
    return PrintedLine(page, pieces, top, max(box.top + box.height for box in row), round(size * 2) / 2, bold=False)


def _ratio(row: list[Box], body: float) -> float:
    """How much wider the letters are than those of the text; 1 where the line cannot be a heading."""
    text = " ".join(box.text for box in row)
    alone = len(row) == 1 or (len(row) == 2 and len(row[0].text) <= 4)
    if not alone or not body or text.endswith(_SENTENCE_ENDS) or min(box.score for box in row) < _SURE:
        return 1.0
    if sum(letter.isalpha() for letter in text) < 4:
        return 1.0
    ratio = _letter(row[-1]) / body
    return round(ratio, 2) if ratio > (_LARGER if len(text) > _FEW_LETTERS else _MUCH_LARGER) else 1.0


def _letter(box: Box) -> float:
    """The width of a letter of middle width."""
    return (box.x1 - box.x0) / max(sum(map(_weight, box.text)), 1.0)


def _weight(sign: str) -> float:
    if sign in _NARROW or sign in _WIDE:
        return 0.55 if sign in _NARROW else 1.5
    return 1.3 if sign.isupper() else 1.0


def _clustered(ratios: list[float]) -> dict[float, float]:
    """Ratios that lie close together are of one size."""
    groups: list[list[float]] = []
    for ratio in sorted(set(ratios) - {1.0}):
        if groups and ratio < _CLUSTER * groups[-1][-1]:
            groups[-1].append(ratio)
        else:
            groups.append([ratio])
    return {ratio: median(group) for group in groups for ratio in group}


def _without_running(pages: list[list[list[Box]]]) -> list[list[list[Box]]]:
    if len(pages) < 2:
        return pages
    ends = Counter(text for page in pages for text in {_words(row) for row in [*page[:_ENDS], *page[-_ENDS:]]})
    running = {text for text, count in ends.items() if count > len(pages) / 2}
    return [
        [row for index, row in enumerate(page) if _words(row) not in running or _ENDS <= index < len(page) - _ENDS]
        for page in pages
    ]


def _words(row: list[Box]) -> str:
    return "".join("0" if sign.isdigit() else sign for sign in norm(" ".join(box.text for box in row)))


def _columns(pieces: Sequence[Box]) -> list[Sequence[Box]]:
    """What crosses the gutter, then the left column, then the right one; all together when there is no gutter."""
    width = max((piece.x1 for piece in pieces), default=0.0)
    best: tuple[float, list[Sequence[Box]]] = (0.0, [pieces])
    for percent in range(35, 66):
        gutter = width * percent / 100
        left_column = [piece for piece in pieces if piece.x1 < gutter]
        right_column = [piece for piece in pieces if piece.x0 > gutter]
        across = [piece for piece in pieces if piece.x0 <= gutter <= piece.x1]
        if min(len(left_column), len(right_column)) < _COLUMN or len(across) > _MOST_ACROSS * len(pieces):
            continue
        room = min(piece.x0 for piece in right_column) - max(piece.x1 for piece in left_column)
        if room > best[0]:
            best = room, [across, left_column, right_column]
    return best[1]


def _joined(pieces: Sequence[Box]) -> list[list[Box]]:
    """Pieces at one height are one line; a number and its step are often found apart."""
    rows: list[list[Box]] = []
    for piece in sorted(pieces, key=lambda box: box.top):
        row = rows[-1] if rows else None
        if row and abs(row[0].top - piece.top) < 0.5 * min(row[0].height, piece.height):
            row.append(piece)
        else:
            rows.append([piece])
    return [_close(sorted(row, key=lambda box: box.x0)) for row in rows]


def _close(row: list[Box]) -> list[Box]:
    """Pieces with no more than a space between them are one."""
    closed = [row[0]]
    for previous, following in pairwise(row):
        last = closed[-1]
        if following.x0 - previous.x1 < 0.5 * previous.height:
            text = f"{last.text} {following.text}"
            closed[-1] = Box(last.x0, following.x1, last.top, last.height, text, min(last.score, following.score))
        else:
            closed.append(following)
    return closed
