"""A source as lines: the sentences and list items of its Markdown, each with where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.page import MarkdownBlock, read
from soprag.tools.sop import Span
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.sentences import WITH_COLONS, sentences

_SHORTEST = 4  # words
_LONGEST = 90
_CELLS = 2  # a row of a table says something from so many filled cells on


@dataclass(frozen=True)
class SourceSentence:
    """One sentence, list item or table row: its plain words, its lines in the Markdown, the heading above it."""

    text: str
    lines: Span
    heading: str = ""


def lines_of(markdown: str, limit: int) -> list[SourceSentence]:
    """The statements in the first `limit` characters, in their order, without code and headings."""
    heading = ""
    lines: list[SourceSentence] = []
    for block in read(markdown[:limit]).blocks:
        if block.kind == "heading":
            heading = one_line(plain(block.text))
            continue
        for text in _statements(block):
            if _SHORTEST <= len(text.split()) <= _LONGEST or _is_dense(text):
                lines.append(SourceSentence(text, block.lines, heading))
    return lines


def _statements(block: MarkdownBlock) -> Iterator[str]:
    if block.kind == "table" and len(block.rows) > 1:
        head = [one_line(plain(cell)) for cell in block.rows[0]]
        for row in block.rows[1:]:
            yield _row(head, [one_line(plain(cell)) for cell in row])
    elif block.kind in ("paragraph", "item"):
        yield from sentences(one_line(plain(block.text)), WITH_COLONS)


def _row(head: list[str], cells: list[str]) -> str:
    """A row in words: `Pressure: 4 bar; Temperature: 20 °C`."""
    pairs = [f"{name}: {cell}" if name else cell for name, cell in zip(head, cells, strict=False) if cell]
    return "; ".join(pairs) if len(pairs) >= _CELLS else ""


def _is_dense(text: str) -> bool:
    """Whether the text is in a script without spaces and long enough to be a statement."""
    return len(text.split()) < _SHORTEST and 12 <= len(text) <= 400 and not text.isascii()
