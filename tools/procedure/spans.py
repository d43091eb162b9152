"""Normalises a split so that every line is in exactly one procedure or in the shared preamble."""

from collections.abc import Sequence
from itertools import pairwise

from soprag.tools.errors import AnswerInvalid
from soprag.tools.tasks.benchmark import Preamble, SopPart, Split


def complete(split: Split, lines: Sequence[str]) -> Split:
    """`split` with ends and preambles moved until each of `lines` is in exactly one part or shared span.

    Parts keep their titles and their order. A single part is given everything. Otherwise an earlier part ends before a
    later one begins, and lines that no part claims go to the shared preamble if the answer says so or if they stand
    before the first part, else to the part before them. Raises `AnswerInvalid` when no part begins inside the text or
    two begin on the same line.
    """
    parts = _ordered(split.parts, len(lines))
    if len(parts) == 1:
        return Split(parts=[SopPart(title=parts[0].title, start=1, end=len(lines))])
    shared: list[Preamble] = []
    first = parts[0].start
    if any(line.strip() for line in lines[: first - 1]):
        shared.append(Preamble(start=1, end=first - 1))
    else:
        first = 1
    completed: list[SopPart] = []
    begins = first
    for part, following in zip(parts, [*(later.start for later in parts[1:]), len(lines) + 1], strict=True):
        end = max(part.start, min(part.end, following - 1))
        common = _common(split.shared, lines, end + 1, following - 1)
        completed.append(SopPart(title=part.title, start=begins, end=(common or following) - 1))
        if common:
            shared.append(Preamble(start=common, end=following - 1))
        begins = following
    return Split(parts=completed, shared=shared)


def _ordered(parts: Sequence[SopPart], last: int) -> list[SopPart]:
    inside = sorted((part for part in parts if part.start <= last), key=lambda part: part.start)
    if not inside:
        raise AnswerInvalid(f"No procedure begins inside the text: its line numbers go from 1 to {last}.")
    for earlier, later in pairwise(inside):
        if earlier.start == later.start:
            both = f"{earlier.title!r} and {later.title!r}"
            raise AnswerInvalid(f"{both} both begin on line {later.start}; a line belongs to one procedure.")
    return inside


def _common(shared: Sequence[Preamble], lines: Sequence[str], start: int, end: int) -> int:
    """The first shared line of the gap from `start` to `end`; 0 when none is shared."""
    for span in sorted(shared, key=lambda span: span.start):
        first = max(span.start, start)
        if any(line.strip() for line in lines[first - 1 : min(span.end, end)]):
            return first
    return 0
