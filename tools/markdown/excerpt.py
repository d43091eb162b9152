"""Excerpts of a long document for a model with a limited context."""

from soprag.tools.markdown.page import MarkdownPage, read
from soprag.tools.sop import Span


def numbered(markdown: str, limit: int) -> str:
    """Each line with its number, as in `12| Close the valve`; beyond `limit` characters, headings with some context.

    Headings are dropped only when they do not all fit, the deepest level first.
    """
    page = read(markdown)
    full = _lines(page, range(1, len(page.lines) + 1))
    if len(full) <= limit:
        return full
    for depth in (7, 6, 5, 4, 3, 2, 1):
        for follow in (3, 1, 0):
            excerpt = _lines(page, _telling(page, depth, follow))
            if len(excerpt) <= limit:
                return excerpt
    return excerpt[:limit].rsplit("\n", 1)[0]


def _telling(page: MarkdownPage, depth: int, follow: int) -> list[int]:
    """The lines of all headings down to `depth` and of lone bold lines, each with `follow` lines after it."""
    chosen: set[int] = {1}
    for block in page.blocks:
        if (block.kind == "heading" and block.level <= depth) or (
            depth > 6 and block.kind == "paragraph" and block.bold
        ):
            span = Span(start=block.lines.start, end=min(block.lines.end + follow, len(page.lines)))
            chosen.update(range(span.start, span.end + 1))
    return sorted(chosen)


def _lines(page: MarkdownPage, numbers: range | list[int]) -> str:
    printed: list[str] = []
    last = 0
    for number in numbers:
        if number > last + 1:
            printed.append(f"[lines {last + 1} to {number - 1} are not shown]")
        printed.append(f"{number}| {page.lines[number - 1][:400]}")
        last = number
    if last < len(page.lines):
        printed.append(f"[lines {last + 1} to {len(page.lines)} are not shown]")
    return "\n".join(printed)
