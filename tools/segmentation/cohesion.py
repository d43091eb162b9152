"""Lexical cohesion: how much the words before a line have in common with the words after it.

Terms are weighted by how few sections of the text hold them, as in TextTiling (Hearst 1997) with inverse section
frequency. All work is linear in the length of the text.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import fsum, log, sqrt

import numpy as np
from numpy.typing import NDArray

from soprag.tools.text.terms import terms

Weights = dict[str, float]


class TermWindows:
    """The terms of a text by line, cut into sections at `starts` (first lines, from 1), with windows around them."""

    def __init__(self, lines: Sequence[str], starts: Sequence[int]) -> None:
        self._terms: list[str] = []
        self._first: list[int] = [0]  # position of the first term of each line; one more at the end
        for line in lines:
            self._terms += terms(line)
            self._first.append(len(self._terms))
        self._weights = self._rarity(starts, len(lines))

    def before(self, line: int, width: int) -> Sequence[str]:
        """The last `width` terms before `line`."""
        end = self._first[line - 1]
        return self._terms[max(0, end - width) : end]

    def after(self, line: int, width: int) -> Sequence[str]:
        """The first `width` terms after `line`, which is left out."""
        start = self._first[line]
        return self._terms[start : start + width]

    def between(self, start: int, end: int) -> Sequence[str]:
        """The terms in the lines from `start` to `end`."""
        return self._terms[self._first[start - 1] : self._first[end]]

    def count(self, start: int, end: int) -> int:
        """The number of terms in the lines from `start` to `end`; 0 when there are no such lines."""
        return max(self._first[end] - self._first[start - 1], 0)

    def numbered(self) -> NDArray[np.int64]:
        """All terms in order as numbers from 0, the same for equal terms."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(term, len(numbers)) for term in self._terms], np.int64)

    def cosine(self, left: Sequence[str], right: Sequence[str]) -> float:
        """The cosine of two windows by weighted terms; 0 when one is empty."""
        a, b = self._weighted(left), self._weighted(right)
        dot = sum(weight * b[term] for term, weight in a.items() if term in b)
        norm = sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))
        return dot / norm if norm else 0.0

    def share(self, words: Sequence[str], window: Sequence[str]) -> float:
        """The weighted share of `words` that occur in `window`."""
        held = set(window)
        whole = fsum(self._weights.get(word, 1.0) for word in set(words))
        return fsum(self._weights.get(w, 1.0) for w in set(words) if w in held) / whole if whole else 0.0

    def _weighted(self, window: Sequence[str]) -> Weights:
        return {term: sqrt(count) * self._weights[term] for term, count in Counter(window).items()}

    def _rarity(self, starts: Sequence[int], last: int) -> Weights:
        bounds = sorted({1, *starts, last + 1})
        holding: Counter[str] = Counter()
        for start, past in pairwise(bounds):
            holding.update(set(self._terms[self._first[start - 1] : self._first[past - 1]]))
        return {term: log(1 + (len(bounds) - 1) / count) for term, count in holding.items()}
