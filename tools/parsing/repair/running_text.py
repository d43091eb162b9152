"""Columns of running text that the parser took for a table are written out as the page prints them."""

from itertools import pairwise

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import PrintedHeading, norm
from soprag.tools.parsing.repair.order import in_columns
from soprag.tools.parsing.repair.page_items import begins_item, checked

_LEAST_PAIRS = 4
_BROKEN = 0.3
_NEXT_LINE = 1.45
_WHOLE = 0.95
_SHORTEST = 6
_SENTENCE_ENDS = (".", ":", ";", "!", "?", ")")


def _is_running_text(rows: list[list[str]]) -> bool:
    """Whether sentences go on from row to row: the words below a cell begin in the middle of its sentence."""
    pairs = [
        (above, below)
        for column in zip(*rows[1:], strict=False)
        for above, below in pairwise([cell for cell in column if cell])
    ]
    broken = sum(below[0].islower() and not above.endswith(_SENTENCE_ENDS) for above, below in pairs)
    return len(pairs) >= _LEAST_PAIRS and broken > _BROKEN * len(pairs)


def open_tables(blocks: list[str], lines: list[PrintedLine], headings: list[PrintedHeading]) -> list[str]:
    """Each table of running text is replaced by the printed lines it was made of, in the order of the file."""
    marks = {heading.index: f"{'#' * heading.level} " for heading in headings if not heading.doubtful}
    return [part for block in blocks for part in _opened(block, lines, marks)]


def _opened(block: str, lines: list[PrintedLine], marks: dict[int, str]) -> list[str]:
    if not block.startswith("|"):
        return [block]
    rows = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in block.split("\n")]
    places = _within(lines, norm(block)) if _is_running_text([*rows[:1], *rows[2:]]) else []
    if not in_columns([lines[index] for index in places]):
        return [block]
    written = _written(lines, places, marks)
    # Only when the page has all that the table said.
    return written if sum(len(norm(part)) for part in written) >= _WHOLE * len(norm(block)) else [block]


def write_lines(lines: list[PrintedLine]) -> list[str]:
    """Printed lines as paragraphs and items, in their order."""
    return _written(lines, list(range(len(lines))), {})


def _within(lines: list[PrintedLine], letters: str) -> list[int]:
    """The lines of the page that holds most of these words, from the first to the last that is among them."""
    matching = [
        index for index, line in enumerate(lines) if len(norm(line.text)) >= _SHORTEST and norm(line.text) in letters
    ]
    if not matching:
        return []
    pages = [lines[index].page for index in matching]
    page = max(set(pages), key=pages.count)
    on_page = [index for index in matching if lines[index].page == page]
    top, bottom = min(lines[index].top for index in on_page), max(lines[index].bottom for index in on_page)
    return [
        index
        for index in range(on_page[0], on_page[-1] + 1)
        if lines[index].page == page and top <= lines[index].top <= bottom
    ]


def _written(lines: list[PrintedLine], places: list[int], marks: dict[int, str]) -> list[str]:
    """Paragraphs and items: a new one begins at a label, a wider gap, another face or another column."""
    blocks: list[str] = []
    last: PrintedLine | None = None
    for index in places:
        line = lines[index]
        near = last is not None and 0 < line.top - last.top < _NEXT_LINE * max(line.size, last.size)
        same = last is not None and abs(line.size - last.size) < 1 and line.bold == last.bold
        if blocks and near and same and index not in marks and not (begins_item(line.text) or checked(line)):
            blocks[-1] = f"{blocks[-1]} {line.text}"
        else:
            blocks.append(marks.get(index, "") + line.text)
        last = line
    return blocks
