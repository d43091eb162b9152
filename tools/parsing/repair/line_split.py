"""A block cut into several, each with its own marks: where what the page prints stands in it, and the cut itself."""

import re
from collections.abc import Iterable, Set

_BOLD = "**"
_FIRST = 6  # words that tell one printed line from others


def cut(block: str, places: Iterable[int]) -> list[str]:
    """The parts of the block that begin at its start and at `places`; bold over a cut is bold on both sides of it."""
    starts = sorted({0, *places})
    parts: list[str] = []
    opened = False
    for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
        part = block[start:end].rstrip()
        part = f"{_BOLD}{part}" if opened else part
        opened = part.count(_BOLD) % 2 == 1
        parts.append(f"{part}{_BOLD}" if opened and end < len(block) else part)
    return [part for part in parts if part.strip()]


def spelled(text: str, most: int | None = _FIRST, label: str = "") -> str:
    """A pattern of the first words of a printed line, whatever stands between them; empty when it has none."""
    tokens = re.findall(r"\w+", text)[:most]
    return r"[\W_]{1,4}".join(map(re.escape, [*filter(None, [label]), *tokens])) if tokens else ""


def keys_inside(letters: str, keys: Set[str], length: int) -> set[str]:
    """Which keys of this length stand in the words, further on than at their beginning."""
    return {letters[start : start + length] for start in range(1, len(letters) - length + 1)} & keys
