"""Windows over the lines of a document (paper 001): w tokens, overlapping, never inside a step, a table or a fence.

The paper gives w = 1024 and a "stride" of 128 with 12.5 % overlap; a stride of 128 would overlap by 87.5 %, so 128 is
read as the overlap. The description that the paper has a model write for each chunk is made of the title, the headings
above it and its position.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from soprag.tools.knowledge.records import Window

_TOKEN = re.compile(r"\w+|[^\w\s]")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_ITEM = re.compile(r"^\s{0,3}(?:[-*+•]|\(?[0-9a-zA-Z]{1,3}[.)])\s")


@dataclass(frozen=True)
class WindowLimits:
    """Tokens of a window, and tokens that two neighbours share."""

    tokens: int
    overlap: int


def windows(title: str, lines: Sequence[str], limits: WindowLimits) -> list[Window]:
    """The windows of a document, in order; a block longer than a window is a window of its own."""
    blocks = list(_blocks(lines))
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(blocks):
        end, size = start, 0
        while end < len(blocks) and (end == start or size + blocks[end][2] <= limits.tokens):
            size += blocks[end][2]
            end += 1
        spans.append((blocks[start][0], blocks[end - 1][1]))
        if end == len(blocks):
            break
        start = max(_overlapping(blocks, end, limits.overlap), start + 1)
    return list(described(title, lines, spans))


def described(title: str, lines: Sequence[str], spans: Sequence[tuple[int, int]]) -> tuple[Window, ...]:
    """Spans of lines as windows with their context by rule: title, headings above and position."""
    return tuple(
        Window(first=first, last=last, context=_context(title, lines, first, (position, len(spans))))
        for position, (first, last) in enumerate(spans, 1)
    )


def _overlapping(blocks: Sequence[tuple[int, int, int]], end: int, overlap: int) -> int:
    size = 0
    while end and size + blocks[end - 1][2] <= overlap:
        end -= 1
        size += blocks[end][2]
    return end


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """First line, last line and tokens of each block: a fence, a table, a list item with what continues it, a line."""
    first: int | None = None
    fenced = False
    for number, line in enumerate(lines, 1):
        if first is not None and not fenced and _begins(line, lines[number - 2]):
            yield _block(lines, first, number - 1)
            first = None
        if line.strip() and first is None:
            first = number
        if _FENCE.match(line):
            fenced = not fenced
    if first is not None:
        yield _block(lines, first, len(lines))


def _begins(line: str, before: str) -> bool:
    """Whether a block begins with `line`; indented text and further rows of a table continue the one before."""
    if not line.strip():
        return False
    if line.lstrip().startswith("|"):
        return not before.lstrip().startswith("|")
    return bool(_HEADING.match(line) or _ITEM.match(line)) or not line.startswith((" ", "\t"))


def _block(lines: Sequence[str], first: int, last: int) -> tuple[int, int, int]:
    return first, last, sum(len(_TOKEN.findall(line)) for line in lines[first - 1 : last])


def _context(title: str, lines: Sequence[str], first: int, position: tuple[int, int]) -> str:
    headings: list[tuple[int, str]] = []
    for line in lines[:first]:
        if match := _HEADING.match(line):
            headings = [*(entry for entry in headings if entry[0] < len(match[1])), (len(match[1]), match[2])]
    path = [title, *(text for _, text in headings if text != title)]
    part = f" (part {position[0]} of {position[1]})" if position[1] > 1 else ""
    return " / ".join(path) + part
