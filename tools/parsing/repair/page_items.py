"""List items as printed: each label begins a block of its own, indented as deep as it stands on the page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import norm, notices
from soprag.tools.parsing.repair.line_split import cut, keys_inside, spelled

_BULLETS = "\u2022\u25cf\u25aa\u25a0\u25e6\u25cb\u2023\u00b7\uf0b7\uf0a7\uf09f\uf0d8\u2013\u2014\u2756\u27a2\u2713"
_ITEM = re.compile(
    rf"^(?:((?:[Ss]tep\s+)?\(?(?:[1-9]\d{{0,2}}|[a-z]|[ivx]{{2,4}}|[A-Z](?=\)))[.)]|[1-9]\d?(?:\.[1-9]\d?)+[.)]?(?=\s+[A-Z]))\s+"
    rf"|([{_BULLETS}]|[-o](?=\s))\s*)(?=\S)"
)
# Signs of symbol fonts are bullets wherever they stand.
_INLINE = re.compile(r"(?<=\S)\s*[\uf0b7\uf0a7\uf09f\uf0d8]\s*(?=\S)")
_LONE = re.compile(rf"[{_BULLETS}\s]+")
_KEY = 28
_BLOCK = ("|", "#", "```", "<")
# A line of a checklist: what to check, dots, what it must be.
_LEADER = re.compile(r"^(\S.{1,80}?)\s*(?:\.\s?){4,}\s*\S")
# A line drawn with signs, at the beginning of what stands below it.
_RULE = re.compile(r"^[*\s]*(?:[-=~\u2013\u2014]{5,}|\*{5,})[*\s]+(?=\S)")
_BOLD_BULLET = re.compile(rf"^(\*\*|__)([{_BULLETS}])\s*(?=\S)")
_SHORTEST = 12
_NEAR = 6  # lines
_STEP = 3.0
_SENTENCE_ENDS = (".", ";", ":", "!", "?", ")")


@dataclass(frozen=True)
class _Item:
    """A printed line that begins with a label."""

    key: str
    pattern: str
    x0: float
    bullet: bool = False  # a line among those of a checklist: without a label, and an item all the same


_Known = dict[int, dict[str, set[str]]]  # length of a key → key → patterns of the items that begin so


def begins_item(text: str) -> bool:
    """Whether the printed line begins with a label or a bullet."""
    return _ITEM.match(text) is not None


def checked(line: PrintedLine) -> str:
    """What a line of a checklist checks, before its dots; empty for another line."""
    if led := _LEADER.match(line.text):
        return led[1]
    first, *rest = (piece.text for piece in line.pieces)
    dotted = len(rest) == 1 and (first.endswith("..") or rest[0].startswith(".."))
    return first.rstrip(". ") if dotted else ""


def without_bullet(text: str) -> str:
    """The printed line without its bullet; Markdown has a sign of its own for it."""
    label = _ITEM.match(text)
    return text[label.end() :] if label and label[2] else text


def arrange_items(blocks: list[str], lines: Sequence[PrintedLine]) -> list[str]:
    """Split off items that ran into the text before them, and indent all of them by where they stand."""
    items = list(_items(lines))
    by_length = _by_length(items)
    parts = [part for block in blocks if not _LONE.fullmatch(block) for part in _split(_RULE.sub("", block), by_length)]
    return _indented(parts, {item.key: item for item in reversed(items)})


def _items(lines: Sequence[PrintedLine]) -> Iterator[_Item]:
    for notice in notices(list(lines)):
        text = " ".join(lines[index].text for index in notice)
        yield _Item(norm(text)[:_KEY], spelled(text), lines[notice[0]].x0)
    margin: tuple[int, float] | None = None  # page and left edge of the checklist that is under way
    for index, line in enumerate(lines):
        key = norm(line.text)[:_KEY]
        if pattern := spelled(checked(line), most=None):
            margin = line.page, line.x0
            yield _Item(key, rf"{pattern}\s*\.", line.x0, bullet=True)
        elif (label := _ITEM.match(line.text)) and not (index and _is_wrapped(lines[index - 1], line)):
            yield _Item(key, spelled(line.text[label.end() :], label=label[1] or label[2]), line.x0)
        elif margin and _is_checked(line, margin, lines[index + 1 : index + 1 + _NEAR]):
            yield _Item(key, spelled(line.text), line.x0, bullet=True)


def _is_checked(line: PrintedLine, margin: tuple[int, float], below: Sequence[PrintedLine]) -> bool:
    """Whether a line without dots is one more of the checklist: at its edge, between lines that have dots."""
    page, x0 = margin
    goes_on = any(following.page == page and abs(following.x0 - x0) < 1 and checked(following) for following in below)
    whole = line.text[0].isupper() and not line.text.endswith(_SENTENCE_ENDS) and len(line.text) >= _SHORTEST
    return goes_on and whole and not line.bold and line.page == page and abs(line.x0 - x0) < 1


def _is_wrapped(above: PrintedLine, line: PrintedLine) -> bool:
    """Whether the line only goes on with the sentence above it, whatever it begins with."""
    near = above.page == line.page and 0 < line.top - above.top < 2 * line.size
    return near and abs(above.x0 - line.x0) < 1 and not above.text.endswith(_SENTENCE_ENDS) and not _both(above, line)


def _both(above: PrintedLine, line: PrintedLine) -> bool:
    """Whether both lines begin with a bullet of one kind: two items, not one that goes on."""
    first, second = _ITEM.match(above.text), _ITEM.match(line.text)
    return bool(first and second and second[2] and first[2] == second[2])


def _by_length(items: list[_Item]) -> _Known:
    """The items by the length of their key and the key, so that a long document takes no longer per page."""
    by_length: _Known = {}
    for item in items:
        if item.key and item.pattern:
            by_length.setdefault(len(item.key), {}).setdefault(item.key, set()).add(item.pattern)
    return by_length


def _split(block: str, by_length: _Known) -> list[str]:
    if block.startswith(_BLOCK):
        return [block]
    letters = norm(block)
    matching = [keyed[key] for length, keyed in by_length.items() for key in keys_inside(letters, keyed.keys(), length)]
    begins = _begins(block, [pattern for patterns in matching for pattern in patterns])
    return [part.strip() for part in cut(block, begins | {match.start() for match in _INLINE.finditer(block)})]


def _begins(block: str, patterns: list[str]) -> set[int]:
    """Where items begin in the block; one that is only the end of a longer one does not begin."""
    spans = {
        match.span(1)
        for pattern in patterns
        for match in re.finditer(rf"(?:^|(?<=\s))((?:[-*+]\s+)?[*_]{{0,3}}{pattern})", block)
    }
    return {start for start, end in spans if not any(first < start < end <= last for first, last in spans)}


def _indented(blocks: list[str], items: dict[str, _Item]) -> list[str]:
    out: list[str] = []
    stack: list[float] = []
    for part in blocks:
        block = _BOLD_BULLET.sub(r"\2 \1", part)
        item = items.get(norm(part)[:_KEY])
        if not part.startswith(_BLOCK) and not _ITEM.match(part) and (_LEADER.match(part) or (item and item.bullet)):
            block = f"- {part}"
        label = _ITEM.match(block.lstrip()) if not block.startswith(_BLOCK) else None
        if block.startswith("#"):
            stack = []
        if label is None:
            out.append(block)
            continue
        if item is not None:
            while stack and item.x0 < stack[-1] - _STEP:
                stack.pop()
            if not stack or item.x0 > stack[-1] + _STEP:
                stack.append(item.x0)
        text = block.lstrip()
        sign = "- " if label[2] else f"{label[1]} "
        out.append("   " * max(len(stack) - 1, 0) + sign + text[label.end() :])
    return out
