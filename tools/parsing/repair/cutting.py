"""A block cut into several, each with its own marks."""

from collections.abc import Iterable

_BOLD = "**"


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
