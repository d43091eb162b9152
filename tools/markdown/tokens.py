"""The one Markdown parser: tokens with line numbers, for the flat page and for the outline of nested blocks."""

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_NESTING = 60  # deeper lists and quotes are read as plain paragraphs
_MATTER = re.compile(r"\A(-{3}|\+{3})[ \t]*\n(?:[^\n]*\n){0,80}?\1[ \t]*(?:\n|\Z)")
_UNSPACED = re.compile(r"^#{2,6}[^\W\d_]", re.MULTILINE)
_TIGHT = re.compile(r"^(#{1,6})(?=[^\W\d_])")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


def parse(markdown: str) -> list[Token]:
    """The block tokens of CommonMark with tables; inline markup is left as it is written."""
    return _parser().parse(with_spaced_headings(markdown))


def with_spaced_headings(markdown: str) -> str:
    """`markdown` with a space in headings written without one (`##Materials`), where one of level 2 or below is."""
    if not _UNSPACED.search(markdown):
        return markdown
    rows, fence = markdown.split("\n"), ""
    for at, row in enumerate(rows):
        mark = _FENCE.match(row)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence:
            rows[at] = _TIGHT.sub(r"\1 ", row)
    return "\n".join(rows)


def without_matter(markdown: str) -> tuple[str, int]:
    """`markdown` with its front matter as blank lines, and how many lines that has."""
    matter = _MATTER.match(markdown)
    if not matter:
        return markdown, 0
    height = matter[0].count("\n")
    return "\n" * height + markdown[matter.end() :], height


def span(token: Token) -> tuple[int, int]:
    """The first and the last line of a token, counted from 1."""
    first, past = token.map or (0, 1)
    return first + 1, max(first + 1, past)


def trimmed_span(token: Token, lines: Sequence[str]) -> tuple[int, int]:
    """The lines of a token without the blank ones at its end."""
    start, end = span(token)
    while end > start and not lines[end - 1].strip():
        end -= 1
    return start, end


@cache
def _parser() -> MarkdownIt:
    # Inline markup is read by `inline.plain`, which is faster and linear in the length of the line.
    return MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table").disable("inline")
