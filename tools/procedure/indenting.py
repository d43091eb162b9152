"""Puts boxes back into the list items that they interrupt.

Converters write an admonition at the left margin although it stands inside an item; the indented lines after it would
then be read as code.
"""

import re

from soprag.tools.markdown.fences import is_fence

_ITEM = re.compile(r"^(?P<indent>\s*)(?:[-*+]|\d{1,3}[.)])(?P<gap>\s+)\S")


def reindented(rows: list[str]) -> list[str]:
    """The rows, quotes at the left margin indented where an item goes on behind them; line numbers stay."""
    found = list(rows)
    offsets: list[int] = []  # where the text of the open items begins
    fenced = False
    for at, row in enumerate(rows):
        fenced ^= is_fence(row)
        if fenced or not row.strip():
            continue
        if row.startswith(">"):
            depth = _depth(rows, at, offsets)
            if depth:
                found[at] = " " * depth + row
            continue
        indent = len(row) - len(row.lstrip())
        offsets = [offset for offset in offsets if offset <= indent]
        item = _ITEM.match(row)
        if item:
            offsets.append(item.end() - 1)
    return found


def _depth(rows: list[str], at: int, offsets: list[int]) -> int:
    """How far the item goes on to the right behind a box; 0 where none does."""
    following = next((row for row in rows[at + 1 :] if row.strip() and not row.startswith(">")), "")
    indent = len(following) - len(following.lstrip())
    inside = [offset for offset in offsets if offset <= indent]
    return inside[-1] if inside and not _ITEM.match(following) else 0
