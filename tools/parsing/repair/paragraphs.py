"""Paragraphs as printed: parted where the page leaves a gap, joined where only the line ended."""

import re
from itertools import pairwise

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import norm
from soprag.tools.parsing.repair.line_split import cut, keys_inside, spelled
from soprag.tools.parsing.repair.page_items import begins_item

_MARKED = ("#", "|", "```", "<", "![", "$$")
_SENTENCE_ENDS = (".", ":", ";", "!", "?")
_KEY = 28
_GAP = 1.25  # of the usual distance of two lines
_SHORTEST = 12
_FEW = 4


def part_paragraphs(blocks: list[str], lines: list[PrintedLine]) -> list[str]:
    """Statements that the page sets apart stand by themselves; a sentence over two lines or pages is one.

    `lines` are those of the running text, without tables, page heads and feet.
    """
    gaps = _gaps(lines)
    starts = {
        norm(line.text)[:_KEY]: spelled(line.text) for above, line in pairwise(lines) if _is_apart(above, line, gaps)
    }
    parts = [part for block in blocks for part in _parted(block, starts)]
    return _joined(parts, lines, gaps)


def _gaps(lines: list[PrintedLine]) -> dict[tuple[float, str], float]:
    """The distance from line to line within a paragraph, by size and family: most of the small ones."""
    by_face: dict[tuple[float, str], list[float]] = {}
    for above, line in pairwise(lines):
        if _same_column(above, line):
            by_face.setdefault((line.size, line.face), []).append(line.top - above.top)
    return {
        face: sorted(distances)[len(distances) // 4] for face, distances in by_face.items() if len(distances) >= _FEW
    }


def _same_column(above: PrintedLine, line: PrintedLine) -> bool:
    near = above.page == line.page and 0 < line.top - above.top < 3 * line.size
    return near and abs(above.x0 - line.x0) < 1 and (above.size, above.face) == (line.size, line.face)


def _is_apart(above: PrintedLine, line: PrintedLine, gaps: dict[tuple[float, str], float]) -> bool:
    """Whether a paragraph begins with the line: below a gap, with a capital, and not one of a list."""
    usual = gaps.get((line.size, line.face))
    if usual is None or not _same_column(above, line) or line.top - above.top < _GAP * usual:
        return False
    return line.text[0].isupper() and len(line.text) >= _SHORTEST and not begins_item(line.text)


def _parted(block: str, starts: dict[str, str]) -> list[str]:
    if block.startswith(_MARKED):
        return [block]
    letters = norm(block)
    patterns = [starts[key] for key in keys_inside(letters, starts.keys(), _KEY)]
    return cut(
        block, (match.start() for pattern in patterns for match in re.finditer(rf"(?<=\s)[*_]{{0,3}}{pattern}", block))
    )


def _joined(blocks: list[str], lines: list[PrintedLine], gaps: dict[tuple[float, str], float]) -> list[str]:
    """A block in small letters goes on with the one before it, when the page prints both one below the other."""
    above = {
        norm(line.text)[:_KEY]: before
        for before, line in pairwise(lines)
        if line.text[0].islower() and _goes_on(before, line, gaps)
    }
    out: list[str] = []
    for block in blocks:
        before = above.get(norm(block)[:_KEY]) if block[0].islower() and not begins_item(block) else None
        if before and out and _is_open(out[-1]) and norm(out[-1]).endswith(norm(before.text)[-_KEY:]):
            out[-1] = f"{out[-1]} {block}"
        else:
            out.append(block)
    return out


def _is_open(block: str) -> bool:
    return not block.startswith(_MARKED) and not block.rstrip("*_ ").endswith(_SENTENCE_ENDS)


def _goes_on(before: PrintedLine, line: PrintedLine, gaps: dict[tuple[float, str], float]) -> bool:
    usual = gaps.get((line.size, line.face), 1.3 * line.size)
    below = before.page == line.page and 0 < line.top - before.top < _GAP * usual
    return (below or before.page + 1 == line.page) and (before.size, before.face) == (line.size, line.face)
