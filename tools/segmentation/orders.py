"""Where a text tells its reader to do something: a procedure does, a reference page and a list of parts hardly do."""

from bisect import bisect_right
from collections.abc import Sequence

from soprag.tools.markdown.page import MarkdownBlock, MarkdownPage
from soprag.tools.procedure.wording.instructions import directs
from soprag.tools.text.language import detect


def orders(page: MarkdownPage, lines: Sequence[int]) -> tuple[int, ...]:
    """The number of blocks that instruct before the first of `lines`, and from each of them to the next."""
    language = detect("\n".join(page.lines))
    counts = [0] * (len(lines) + 1)
    for block in page.blocks:
        counts[bisect_right(lines, block.lines.start)] += instructs(block, language)
    return tuple(counts)


def instructs(block: MarkdownBlock, language: str) -> bool:
    """Whether a table, an item or a paragraph holds an instruction; an item with a printed label is one."""
    if block.rows:
        return any(directs(cell, language) for row in block.rows for cell in row)
    return block.kind in ("item", "paragraph") and (bool(block.label) or directs(block.text, language))
