"""List items as printed: each label begins a block of its own, indented as deep as it stands on the page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.parsing.repair.headings import norm
from tools.parsing.typeset import Line

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
_STEP = 3.0
_SENTENCE_ENDS = (".", ";", ":", "!", "?", ")")


@dataclass(frozen=True)
class _Item:
    """A printed line that begins with a label."""

    key: str
    words: tuple[str, ...]
    left: float


_Known = dict[int, dict[str, set[str]]]  # length of a key → key → patterns of the items that begin so


def begins_item(text: str) -> bool:
    """Whether the printed line begins with a label or a bullet."""
    return _ITEM.match(text) is not None


def without_bullet(text: str) -> str:
    """The printed line without its bullet; Markdown has a sign of its own for it."""
    label = _ITEM.match(text)
    return text[label.end() :] if label and label[2] else text


def arrange_items(blocks: list[str], lines: Sequence[Line]) -> list[str]:
    """Split off items that ran into the text before them, and indent all of them by where they stand."""
    items = list(_items(lines))
    known = _by_length(items)
    parts = [part for block in blocks if not _LONE.fullmatch(block) for part in _split(block, known)]
    return _indented(parts, {item.key: item for item in reversed(items)})


def _items(lines: Sequence[Line]) -> Iterator[_Item]:
    for at, line in enumerate(lines):
        if led := _LEADER.match(line.text):
            yield _Item(norm(line.text)[:_KEY], ("", *re.findall(r"\w+", led[1])), line.left)
            continue
        label = _ITEM.match(line.text)
        if label and not (at and _is_wrapped(lines[at - 1], line)):
            rest = line.text[label.end() :]
            sign = label[1] or label[2]
            yield _Item(norm(line.text)[:_KEY], (sign, *re.findall(r"\w+", rest)[:6]), line.left)


def _is_wrapped(above: Line, line: Line) -> bool:
    """Whether the line only goes on with the sentence above it, whatever it begins with."""
    near = above.page == line.page and 0 < line.top - above.top < 2 * line.size
    return near and abs(above.left - line.left) < 1 and not above.text.endswith(_SENTENCE_ENDS)


def _by_length(items: list[_Item]) -> _Known:
    """The items by the length of their key and the key, so that a long document takes no longer per page."""
    known: _Known = {}
    for item in items:
        if item.key and len(item.words) > 1:
            known.setdefault(len(item.key), {}).setdefault(item.key, set()).add(_pattern(item))
    return known


def _split(block: str, known: _Known) -> list[str]:
    if block.startswith(_BLOCK):
        return [block]
    words = norm(block)
    cuts = {0, *(found.start() for found in _INLINE.finditer(block))}
    for length, patterns in known.items():
        # What the block itself begins with needs no cut.
        there = {words[at : at + length] for at in range(1, len(words) - length + 1)}
        for pattern in (pattern for key in there & patterns.keys() for pattern in patterns[key]):
            cuts.update(found.start(1) for found in re.finditer(pattern, block))
    ends = [*sorted(cuts)[1:], len(block)]
    return [part for start, end in zip(sorted(cuts), ends, strict=True) if (part := block[start:end].strip())]


def _pattern(item: _Item) -> str:
    label, *words = item.words
    begin = re.escape(label) + r"[\W_]{1,4}" if label else ""
    end = "" if label else r"\s*\.{2}"
    return r"(?<=\s)(" + begin + r"[\W_]{1,4}".join(map(re.escape, words)) + end + ")"


def _indented(blocks: list[str], items: dict[str, _Item]) -> list[str]:
    out: list[str] = []
    stack: list[float] = []
    for part in blocks:
        block = f"- {part}" if _LEADER.match(part) and not _ITEM.match(part) else part
        label = _ITEM.match(block.lstrip()) if not block.startswith(_BLOCK) else None
        if block.startswith("#"):
            stack = []
        if label is None:
            out.append(block)
            continue
        item = items.get(norm(block)[:_KEY])
        if item is not None:
            while stack and item.left < stack[-1] - _STEP:
                stack.pop()
            if not stack or item.left > stack[-1] + _STEP:
                stack.append(item.left)
        text = block.lstrip()
        sign = "- " if label[2] else f"{label[1]} "
        out.append("   " * max(len(stack) - 1, 0) + sign + text[label.end() :])
    return out
