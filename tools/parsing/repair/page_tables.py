"""Tables that are printed without lines: rows of words that stand in columns."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tools.parsing.repair.headings import norm, running_heads
from tools.parsing.typeset import Line, Piece

_LABEL = re.compile(
    r"^([\u2022\u25cf\u25aa\u25e6\u2023\u00b7\uf0b7\uf09f\u2013*o-]|\(?(\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\d+(\.\d+)+)$",
    re.IGNORECASE,
)
_FILLED = 0.45
_LEAST_ROWS = 2
_ROW_GAP = 1.12
_FARTHEST = 3.2
_COVERED = 0.6


@dataclass(frozen=True)
class PageTable:
    """Cells by row, the positions of the printed lines they were made from, and what stands at each height."""

    rows: tuple[tuple[str, ...], ...]
    lines: frozenset[int]
    bands: frozenset[str]

    @property
    def markdown(self) -> list[str]:
        """The lines of a pipe table."""
        rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows]
        return [rows[0], "|" + " --- |" * len(self.rows[0]), *rows[1:]]


@dataclass
class _Band:
    """Everything printed at one height."""

    top: float
    bottom: float
    size: float
    pieces: list[tuple[Piece, int]] = field(default_factory=list)

    def is_row(self) -> bool:
        texts = [piece.text for piece, _ in self.pieces]
        return len(texts) > 2 or (len(texts) == 2 and not _LABEL.match(texts[0]))


@dataclass
class _Region:
    """Bands that share columns."""

    bands: list[_Band]
    columns: list[list[float]]

    def takes(self, band: _Band) -> bool:
        """Whether the band continues the table; its columns grow with what it takes."""
        gap = band.top - self.bands[-1].top
        if gap > _FARTHEST * band.size or (len(band.pieces) == 1 and gap > 1.3 * self._widest(band)):
            return False
        hits = [[at for at, column in enumerate(self.columns) if _overlap(piece, column)] for piece, _ in band.pieces]
        if any(len(hit) > 1 for hit in hits) or not any(hits):
            return False
        for (piece, _), hit in zip(band.pieces, hits, strict=True):
            if hit:
                column = self.columns[hit[0]]
                column[:] = [min(column[0], piece.left), max(column[1], piece.right)]
            else:
                self.columns.append([piece.left, piece.right])
        self.columns.sort()
        self.bands.append(band)
        return True

    def _widest(self, band: _Band) -> float:
        gaps = [below.top - above.top for above, below in pairwise(self.bands)]
        return max(gaps, default=1.5 * band.size)


def find_page_tables(lines: list[Line]) -> list[PageTable]:
    """The tables of all pages, top to bottom."""
    running = running_heads(lines)
    tables: list[PageTable] = []
    for page in sorted({line.page for line in lines}):
        places = [(at, line) for at, line in enumerate(lines) if line.page == page and at not in running]
        for region in _regions(_bands(places)):
            if table := _table(region):
                _add(tables, table, running)
    return tables


def _add(tables: list[PageTable], table: PageTable, running: set[int]) -> None:
    """A table whose head is printed again on the next page goes on; so does a row that was cut there."""
    last = tables[-1] if tables else None
    if last is None or len(table.rows) < 2 or table.rows[0] != last.rows[0]:
        tables.append(table)
        return
    if set(range(max(last.lines) + 1, min(table.lines))) - running:
        tables.append(table)
        return
    above, first, *others = *last.rows[-1:], *table.rows[1:]
    rest = [first, *others]
    if first[0] and not any(first[1:]):
        above = (f"{above[0]} {first[0]}", *above[1:])
        rest = others
    tables[-1] = PageTable((*last.rows[:-1], above, *rest), last.lines | table.lines, last.bands | table.bands)


def _bands(places: list[tuple[int, Line]]) -> list[_Band]:
    bands: list[_Band] = []
    for at, line in sorted(places, key=lambda place: place[1].top):
        band = bands[-1] if bands else None
        if band is None or line.top - band.top > 0.5 * min(line.size, band.size):
            band = _Band(line.top, line.bottom, line.size)
            bands.append(band)
        band.pieces += [(piece, at) for piece in line.pieces]
    for band in bands:
        band.pieces.sort(key=lambda piece: piece[0].left)
    return bands


def _regions(bands: list[_Band]) -> Iterator[_Region]:
    region: _Region | None = None
    for band in bands:
        if region is not None and region.takes(band):
            continue
        if region is not None:
            yield region
        region = _Region([band], [[p.left, p.right] for p, _ in band.pieces]) if band.is_row() else None
    if region is not None:
        yield region


def _overlap(piece: Piece, column: list[float]) -> bool:
    return min(piece.right, column[1]) - max(piece.left, column[0]) > 0.5


def _table(region: _Region) -> PageTable | None:
    while region.bands and len(region.bands[-1].pieces) == 1 and len(region.bands) > 1 and not _inside(region):
        region.bands.pop()
    rows = _rows(region)
    width = len(region.columns)
    cells = [[" ".join(_joined(cell)) for cell in row] for row in rows]
    filled = sum(bool(cell) for row in cells for cell in row)
    if len(rows) < _LEAST_ROWS or width < 2 or filled < _FILLED * len(rows) * width or not _by_rows(region, len(rows)):
        return None
    if all(not row[0] or _LABEL.match(row[0]) for row in cells) and width == 2:
        return None
    positions = frozenset(at for band in region.bands for _, at in band.pieces)
    bands = frozenset(norm("".join(piece.text for piece, _ in band.pieces)) for band in region.bands)
    return PageTable(tuple(tuple(row) for row in cells), positions, bands)


def _inside(region: _Region) -> bool:
    """Whether the last line can be the rest of a cell: it follows as closely as lines of one cell do."""
    above, last = region.bands[-2], region.bands[-1]
    return last.top - above.top < 1.5 * last.size


def _rows(region: _Region) -> list[list[list[str]]]:
    bands = region.bands
    gaps = [below.top - above.top for above, below in pairwise(bands)]
    pitch = min(gaps, default=0.0)
    uneven = max(gaps, default=0.0) > 1.2 * pitch
    rows: list[list[list[str]]] = []
    for at, band in enumerate(bands):
        cells: list[list[str]] = [[] for _ in region.columns]
        for piece, _ in band.pieces:
            place = next(i for i, one in enumerate(region.columns) if _overlap(piece, one))
            cells[place].append(piece.text)
        begins = gaps[at - 1] > _ROW_GAP * pitch if at and uneven else bool(cells[0])
        if not rows or begins:
            rows.append(cells)
        else:
            for column, words in zip(rows[-1], cells, strict=True):
                column.extend(words)
    return rows


def _joined(words: list[str]) -> Iterator[str]:
    """A word broken at its hyphen is put together again, the hyphen kept."""
    held = ""
    for word in words:
        text, held = held + word, ""
        if len(text) > 1 and text.endswith("-") and text[-2].isalnum():
            held = text
        else:
            yield text
    if held:
        yield held


def _by_rows(region: _Region, rows: int) -> bool:
    """A table is drawn row by row; columns of running text are drawn one after the other."""
    order = sorted((at, piece.left) for band in region.bands for piece, at in band.pieces)
    back = sum(right[1] < left[1] - 1 for left, right in pairwise(order))
    return back >= max(1, rows // 2)


def splice_tables(blocks: list[str], tables: list[PageTable]) -> list[str]:
    """Put each table where its words stand as loose blocks; one that is a table already stays as it is."""
    for table in tables:
        words = Counter(word for row in table.rows for cell in row for word in _words(cell))
        found = _find(blocks, words)
        covered = sum(len(_words(block)) for block in blocks[found.start : found.stop])
        if covered >= _COVERED * words.total():
            blocks = [*blocks[: found.start], "\n".join(table.markdown), *blocks[found.stop :]]
    return blocks


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _find(blocks: list[str], words: Counter[str]) -> range:
    """The run of blocks, tables and headings excepted, that holds most of the words of the table and no others."""
    best, weight = range(0), 0
    for start in range(len(blocks)):
        left, stop = Counter(words), start
        while stop < len(blocks) and (taken := _taken(blocks[stop], left)):
            left -= taken
            stop += 1
        if words.total() - left.total() > weight:
            best, weight = range(start, stop), words.total() - left.total()
    return best


def _taken(block: str, left: Counter[str]) -> Counter[str]:
    """The words of the block, when all of them are still to be placed."""
    if block.startswith(("|", "#", "```")):
        return Counter()
    words = Counter(_words(block))
    return words if words <= left else Counter()
