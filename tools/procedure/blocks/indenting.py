"""Puts boxes back into the list items that they interrupt, and takes conditions on a list out of its last item.

Converters write an admonition at the left margin although it stands inside an item; the indented lines after it would
then be read as code. A line "If one of these is not met, ..." right below bullets belongs to all of them, and Markdown
reads it as words of the last one.
"""

import re

from soprag.tools.markdown.fences import is_fence

_ITEM = re.compile(r"^(?P<indent>\s*)(?:[-*+]|\d{1,3}[.)])(?P<gap>\s+)\S")

_LAZY = re.compile(r"^\s*(?:If|When|Otherwise|Should|In case)\b")
_SAID = re.compile(r"[\w).!?%°]\s*$")
_OPEN = re.compile(r"\b(?:and|or|the|a|an|of|to|if|when|that|for|in|on|with)\s*$", re.IGNORECASE)
_MARK = 2  # columns of a bullet and the blank behind it


def reindented(rows: list[str]) -> list[str]:
    """The rows with such quotes indented and such conditions as bullets of their own; line numbers stay."""
    found = list(rows)
    offsets: list[int] = []  # where the text of the open items begins
    fenced = bulleted = False
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
        if bulleted and offsets and indent < offsets[-1] and _LAZY.match(row) and _said(rows[at - 1]):
            found[at] = f"{' ' * (offsets[-1] - _MARK)}- {row.lstrip()}"
            continue
        offsets = [offset for offset in offsets if offset <= indent]
        item = _ITEM.match(row)
        if item:
            offsets.append(item.end() - 1)
            bulleted = row.lstrip()[0] in "-*+"
    return found


def _depth(rows: list[str], at: int, offsets: list[int]) -> int:
    """How far the item goes on to the right behind a box; 0 where none does."""
    following = next((row for row in rows[at + 1 :] if row.strip() and not row.startswith(">")), "")
    indent = len(following) - len(following.lstrip())
    inside = [offset for offset in offsets if offset <= indent]
    return inside[-1] if inside and not _ITEM.match(following) else 0


def _said(row: str) -> bool:
    """Whether a line may end a sentence, or the words of a bullet."""
    return bool(_SAID.search(row)) and not _OPEN.search(row)
