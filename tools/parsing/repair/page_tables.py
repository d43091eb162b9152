"""Tables that are printed without lines: rows of words that stand in columns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.columns import LABEL, Band, Region, overlap, read_bands, read_regions
from soprag.tools.parsing.repair.headings import PrintedHeading, norm, running_heads
from soprag.tools.parsing.repair.page_items import checked

_FILLED = 0.45
_LEAST_ROWS = 2
_ROW_GAP = 1.12
_FORM_COLUMNS = 3
_EMPTY_FORM_COLUMNS = 4
_LONE_LETTER = re.compile(r"^[b-hj-z](?!\S)")
_OPEN_HYPHEN = re.compile(r"\w-$|(^|\s)-$")  # of a word, or the sign of a number
_LONG_WORD = 6
_SENTENCE = re.compile(r"(\w+\W+){4,}\w+\.$")


@dataclass(frozen=True)
class PageTable:
    """Cells by row, the positions of the printed lines they were made from, and what stands at each height."""

    rows: tuple[tuple[str, ...], ...]
    lines: frozenset[int]
    bands: frozenset[str]
    printed: tuple[str, ...]

    @property
    def markdown(self) -> list[str]:
        """The lines of a pipe table."""
        rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows]
        return [rows[0], "|" + " --- |" * len(self.rows[0]), *rows[1:]]


def find_page_tables(lines: list[PrintedLine], headings: list[PrintedHeading]) -> list[PageTable]:
    """The tables of all pages, top to bottom; no table goes on below a heading, and a checklist is none."""
    running = running_heads(lines)
    titles = {heading.index + more for heading in headings if not heading.doubtful for more in range(heading.lines)}
    dotted = {index for index, line in enumerate(lines) if len(line.pieces) <= 2 and checked(line)}
    pages: dict[int, list[tuple[int, PrintedLine]]] = {}
    for index, line in enumerate(lines):
        if index not in running and not (index in dotted and dotted & {index - 1, index + 1}):
            pages.setdefault(line.page, []).append((index, line))
    tables: list[PageTable] = []
    for page in sorted(pages):
        for region in read_regions(read_bands(pages[page], titles)):
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
    if not first[0] or not any(first[1:]) or all(cell[:1].islower() for cell in first if cell):
        above = tuple(" ".join(_joined([*filter(None, (start, end))])) for start, end in zip(above, first, strict=True))
        rest = others
    tables[-1] = PageTable(
        (*last.rows[:-1], above, *rest),
        last.lines | table.lines,
        last.bands | table.bands,
        last.printed + table.printed,
    )


def _table(region: Region) -> PageTable | None:
    if not _is_form(region):
        while region.bands and len(region.bands[-1].pieces) == 1 and len(region.bands) > 1 and not _inside(region):
            region.bands.pop()
    rows = _rows(region)
    cells = [[" ".join(_joined(cell)) for cell in row] for row in rows]
    if not (_is_table(region, cells) or _is_empty_form(region, cells)):
        return None
    positions = frozenset(index for band in region.bands for _, index in band.pieces)
    bands = frozenset(norm("".join(piece.text for piece, _ in band.pieces)) for band in region.bands)
    printed = tuple(piece.text for band in region.bands for piece, _ in band.pieces)
    return PageTable(tuple(tuple(row) for row in cells), positions, bands, printed)


def _is_table(region: Region, cells: list[list[str]]) -> bool:
    width, filled = len(region.columns), sum(bool(cell) for row in cells for cell in row)
    many = sum(sum(map(bool, row)) > 1 for row in cells)
    if len(cells) < _LEAST_ROWS or width < 2 or not _by_rows(region, many):
        return False
    if filled < _FILLED * len(cells) * width and not _is_form(region):
        return False
    return width > 2 or not all(not row[0] or LABEL.match(row[0]) for row in cells)


def _is_form(region: Region) -> bool:
    """A head over columns that are to be filled in by hand: below it only the first column is printed."""
    head = next((index for index, band in enumerate(region.bands) if len(band.pieces) == len(region.columns)), None)
    if head is None or len(region.columns) < _FORM_COLUMNS:
        return False
    below = [band.pieces for band in region.bands[head + 1 :]]
    x0 = region.bands[head].pieces[0][0].x0
    aligned = all(len(pieces) == 1 and abs(pieces[0][0].x0 - x0) < 2 for pieces in below)
    return len(below) >= 2 and aligned and not any(_SENTENCE.search(pieces[0][0].text) for pieces in below)


def _is_empty_form(region: Region, cells: list[list[str]]) -> bool:
    """A head over nothing but room for handwriting."""
    return len(cells) == 1 and len(cells[0]) >= _EMPTY_FORM_COLUMNS and all(cells[0]) and region.room_below


def _inside(region: Region) -> bool:
    """Whether the last line can be the rest of a cell: it follows as closely as lines of one cell do."""
    above, last = region.bands[-2], region.bands[-1]
    return last.top - above.top < 1.5 * last.size


def _rows(region: Region) -> list[list[list[str]]]:
    bands = region.bands
    gaps = [below.top - above.top for above, below in pairwise(bands)]
    pitch = min(gaps, default=0.0)
    uneven = max(gaps, default=0.0) > 1.2 * pitch
    rows: list[list[list[str]]] = []
    drawn = -1
    for index, band in enumerate(bands):
        cells = _cells(band, region.columns)
        begins = gaps[index - 1] > _ROW_GAP * pitch if index and uneven else bool(cells[0])
        order = [line_index for _, line_index in band.pieces]
        # A cell is drawn to its end before the next one: what is drawn earlier than the line above is beside it.
        beside = bool(rows) and min(order) < drawn
        drawn = max(drawn, *order)
        if not rows or (begins and not beside and index > region.head):
            rows.append(cells)
        else:
            for column, texts in zip(rows[-1], cells, strict=True):
                column.extend(texts)
    return rows


def _cells(band: Band, columns: list[list[float]]) -> list[list[str]]:
    cells: list[list[str]] = [[] for _ in columns]
    for piece, _ in band.pieces:
        cells[next(index for index, column in enumerate(columns) if overlap(piece, column))].append(piece.text)
    return cells


def _joined(tokens: list[str]) -> Iterator[str]:
    """A word broken at its hyphen is put together again, the hyphen kept; so is one that lost its last letter."""
    pending = ""
    for word in tokens:
        if pending and not (_OPEN_HYPHEN.search(pending) or _LONE_LETTER.match(word)):
            yield pending
            pending = ""
        text, pending = pending + word, ""
        if _OPEN_HYPHEN.search(text) or (text.isalpha() and len(text) > _LONG_WORD):
            pending = text
        else:
            yield text
    if pending:
        yield pending


def _by_rows(region: Region, rows: int) -> bool:
    """A table is drawn row by row; columns of running text are drawn one after the other."""
    places = sorted(
        ((line_index, piece.x0, piece) for band in region.bands for piece, line_index in band.pieces),
        key=lambda entry: entry[:2],
    )
    order = [next(i for i, column in enumerate(region.columns) if overlap(piece, column)) for _, _, piece in places]
    back = sum(after < before for before, after in pairwise(order))
    return back >= max(1, rows // 2)
