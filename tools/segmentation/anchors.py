"""How much a title line is like the known beginning of the text, and what stands before it like the known end.

The first title line of a text begins a procedure and its last section ends one, whoever wrote it and in whatever form.
So the hand of the writer need not be known: a later line begins a procedure when it looks as the first one does.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import log1p

import numpy as np
from numpy.typing import NDArray

from soprag.tools.markdown.page import MarkdownPage
from soprag.tools.segmentation.title_lines import TitleLine
from soprag.tools.text.terms import terms

Matrix = NDArray[np.float64]
Row = dict[str, float]

CHAINS = ("bound", "rather bound", "shared rare terms")
_SHAPE = 5  # blocks of a section that are compared
_TITLES = 3  # titles after a line that are compared
_RARE = 12  # occurrences of a term that binds
_WIDE = 400  # terms between two occurrences that still bind
_ROOM = 20.0  # terms that are added to the room beside a line, for lines near an end


class Anchors:
    """Compares every title line of a text with its first one, and what stands before it with the last section."""

    def __init__(self, page: MarkdownPage, titles: Sequence[TitleLine]) -> None:
        self._titles = titles
        self._styles = np.array([_style(title) for title in titles])
        self._capitals = self._styles[:, 0].mean() if titles else 0.0
        self._shapes, self._ends = _shapes(page, titles)
        self._named = [frozenset(terms(title.text)) for title in titles]
        self._likeness = 1 - np.abs(self._styles - self._styles[:1]).mean(axis=1) if titles else np.zeros(0)

    def row(self, index: int) -> Row:
        """The columns of the title at `index`."""
        last, likeness = len(self._titles) - 1, self._likeness
        others = last - 1 if index else last
        usual = (likeness[1:].sum() - (likeness[index] if index else 0.0)) / others if others > 0 else 0.5
        return {
            "like first title": float(likeness[index]),
            "rather like first": float(likeness[index] - usual),
            "capitalised": float(self._styles[index, 0]),
            "rather capitalised": float(self._styles[index, 0] - self._capitals),
            "begins like text": _same(self._shapes[index], self._shapes[0]),
            "goes on like text": self._overlap(index + 1, 1),
            "same next title": float(0 < index < last and self._titles[index + 1].name == self._titles[1].name),
            "ends like text": _same(self._ends[index - 1], self._ends[last]) if index else 0.0,
            "last title before": float(0 < index <= last and self._titles[index - 1].name == self._titles[last].name),
            "titles before like last": self._overlap(index - _TITLES, last + 1 - _TITLES),
        }

    def _overlap(self, first: int, other: int) -> float:
        """How many terms the titles from `first` and from `other` on have in common, of the fewer ones."""
        a = frozenset[str]().union(*self._named[max(first, 0) : max(first + _TITLES, 0)])
        b = frozenset[str]().union(*self._named[max(other, 0) : max(other + _TITLES, 0)])
        return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def chains(numbers: NDArray[np.int64], offsets: Sequence[int]) -> Matrix:
    """How strongly rare terms bind what stands before each offset to what follows; shape (n, 3).

    A term binds across the gaps between its neighbouring occurrences (Galley et al. 2003). The columns: the weighted
    number of terms that bind, by the room for them; that by its mean; the terms that stand anywhere on both sides.
    """
    marks = np.asarray(offsets[:-1])
    if not len(marks):
        return np.zeros((0, len(CHAINS)))
    gaps, whole = np.zeros(len(marks) + 1), np.zeros(len(marks) + 1)
    for found in _rare(numbers):
        weight = 1 / log1p(len(found))
        sides = np.searchsorted(marks, found, side="right").tolist()
        _span(whole, sides[0], sides[-1], weight)
        for (a, left), (b, right) in pairwise(zip(found, sides, strict=True)):
            if b - a <= _WIDE:
                _span(gaps, left, right, weight)
    nearest = np.minimum(marks, len(numbers) - marks)
    bound = np.cumsum(gaps)[:-1] / np.sqrt(np.minimum(nearest, _WIDE) + _ROOM)
    shared = np.cumsum(whole)[:-1] / (nearest + _ROOM)
    return np.stack([bound / 3, bound / (bound.mean() + 1e-6) / 3, shared * 5], axis=1)


def _rare(numbers: NDArray[np.int64]) -> list[list[int]]:
    """The places of each term that occurs more than once, and not often."""
    places: dict[int, list[int]] = {}
    for place, number in enumerate(numbers.tolist()):
        places.setdefault(number, []).append(place)
    return [found for found in places.values() if 1 < len(found) <= _RARE]


def _span(changes: Matrix, first: int, past: int, weight: float) -> None:
    """Add `weight` from `first` to before `past`, as changes of a running sum."""
    changes[first] += weight
    changes[past] -= weight


def _style(title: TitleLine) -> tuple[float, ...]:
    """How a title is written, as numbers from 0 to 1."""
    words = [word for word in title.text.split() if word[:1].isalpha()]
    capitals = sum(1 for word in words[1:] if word[0].isupper()) / max(len(words) - 1, 1)
    return (
        capitals,
        min(len(words), 10) / 10,
        float(title.text[-1:] in ".:?!"),
        float(any(sign.isdigit() for sign in title.text)),
        float(bool(words) and words[0].casefold().endswith("ing")),
        float(any(sign in title.text for sign in "-:–—()/")),
        float("`" in title.text or "_" in title.text),
        float(title.role != "named"),
        min(title.level, 8) / 8,
        float(title.text[:1].islower()),
    )


def _shapes(page: MarkdownPage, titles: Sequence[TitleLine]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The kinds of the first blocks of every section, and of its last ones, the last one first."""
    lines = [title.line for title in titles]
    found: list[list[str]] = [[] for _ in titles]
    section = -1
    for block in page.blocks:
        while section + 1 < len(lines) and lines[section + 1] <= block.lines.start:
            section += 1
        if section < 0 or block.lines.start == lines[section]:
            continue
        kind = f"{block.kind}{'#' if block.label and block.label[:1].isalnum() else ''}{min(block.depth, 1)}"
        found[section].append(kind)
    return [tuple(kinds[:_SHAPE]) for kinds in found], [tuple(kinds[::-1][:2]) for kinds in found]


def _same(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """The share of the places at which two rows of kinds are equal, the first counting most; 1 for two empty ones."""
    size = max(len(a), len(b))
    if not size:
        return 1.0
    weights = [1 / (1 + k) for k in range(size)]
    equal = sum(w for w, x, y in zip(weights, a, b, strict=False) if x == y)
    return equal / sum(weights)
