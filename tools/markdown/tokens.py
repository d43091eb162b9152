"""The one Markdown parser: tokens with line numbers, for the flat page and for the outline of nested blocks."""

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_NESTING = 60  # deeper lists and quotes are read as plain paragraphs
_MATTER = re.compile(r"\A(-{3}|\+{3})[ \t]*\n(?:[^\n]*\n){0,80}?\1[ \t]*(?:\n|\Z)")


def parse(markdown: str) -> list[Token]:
    """The block tokens of CommonMark with tables; inline markup is left as it is written."""
    return _parser().parse(markdown)


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
