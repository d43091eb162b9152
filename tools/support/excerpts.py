"""Excerpts of a Markdown source: the blocks on cited lines, with the headings and the table head above them."""

from collections.abc import Sequence
from functools import lru_cache

from soprag.tools.markdown.blocks import MarkdownBlock
from soprag.tools.markdown.page import read
from soprag.tools.support.checker import SourceExcerpt
from soprag.tools.support.quotation import statements_of

_LONGEST = 8  # lines of a block that is cited as a whole when one of its lines is


def excerpt_of(body: str, lines: Sequence[int], title: str = "") -> SourceExcerpt:
    """What the cited lines (from 1) say; a line stands for its paragraph, item or block of code, a row for itself."""
    rows = body.split("\n")
    blocks = _blocks(body)
    cited = sorted({row for line in lines for row in _whole(line, blocks, len(rows))})
    if not cited:
        return SourceExcerpt("", title, body)
    headings = _path(blocks, cited[0])
    heads = [rows[block.lines.start - 1] for block in blocks if block.kind == "table" and _touches(block, cited)]
    above = [title, *headings[:1], *headings[-2:], *heads]
    text, path = "\n".join(rows[row - 1] for row in cited), "\n".join(dict.fromkeys(above))
    return SourceExcerpt(text, path, body, statements_of(rows, cited, blocks))


@lru_cache(maxsize=32)
def _blocks(body: str) -> tuple[MarkdownBlock, ...]:
    return read(body).blocks


def _whole(line: int, blocks: Sequence[MarkdownBlock], size: int) -> range:
    if not 1 <= line <= size:
        return range(0)
    for block in blocks:
        within = block.lines.start <= line <= block.lines.end
        if within and block.kind != "table" and block.lines.end - block.lines.start < _LONGEST:
            return range(block.lines.start, min(block.lines.end, size) + 1)
    return range(line, line + 1)


def _touches(block: MarkdownBlock, cited: Sequence[int]) -> bool:
    return any(block.lines.start <= row <= block.lines.end for row in cited)


def _path(blocks: Sequence[MarkdownBlock], line: int) -> list[str]:
    """The headings above a line that contain it, the highest first."""
    path: list[MarkdownBlock] = []
    for block in blocks:
        if block.kind == "heading" and block.lines.start <= line:
            path = [*(above for above in path if above.level < block.level), block]
    return [heading.text for heading in path]
