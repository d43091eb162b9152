"""Whether neighbouring parts of a text are two documents: the evidence of whole parts and not of single lines.

A title line that looks like a beginning is one only if both parts beside it stand alone: the words of the title before
do not go on after it, the parts are less alike than each is within itself, and each has sections and steps of its own.
"""

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log1p
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Counts = NDArray[np.int64]
Key = TypeVar("Key", bound=Hashable)

COLUMNS = (
    "log-odds", "log-odds elsewhere", "like", "liker than within", "gain", "title goes on", "first title goes on",
    "title is own", "title was before", "same level", "higher within", "skeleton", "form in both", "steps in both",
    "shorter", "fewest titles", "parts", "titles begin", "peers stay", "alike stay", "form title",
    "counted on", "fewer orders", "rarer orders",
)  # fmt: skip
_PRIOR = 0.1  # pseudo-count of each term
_CLIP = 6.0
_TERMS = 25  # in a part where an order is not rare
_COUNTED = 30  # titles of a kind on each side that count as siblings


@dataclass(frozen=True)
class Sections:
    """A text cut at its title lines: `terms` are numbers of terms in order, cut at `offsets` (one more at the end).

    `titles` has the terms of each title, `names` its words, `is_form` whether it is a form heading, `has_steps` whether
    numbered steps begin after it, `counts` its kind and place in a series (`("part", 2)` for Part B), if it has one.
    `orders` is how many blocks instruct before the first title and after each.
    """

    terms: Counts
    offsets: tuple[int, ...]
    titles: tuple[Counts, ...]
    names: tuple[str, ...]
    levels: tuple[int, ...]
    is_form: tuple[bool, ...]
    has_steps: tuple[bool, ...]
    counts: tuple[tuple[str, int] | None, ...]
    orders: tuple[int, ...]


class PartReader:
    """Reads the evidence for boundaries of one text, given all the boundaries that are set."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        holding = np.zeros(int(sections.terms.max(initial=-1)) + 1)
        for start, end in pairwise((0, *sections.offsets)):
            holding[np.unique(sections.terms[start:end])] += 1
        self._openings = [
            (level, f"form {index}" if is_form else name.partition(" ")[0])
            for index, (name, level, is_form) in enumerate(
                zip(sections.names, sections.levels, sections.is_form, strict=True)
            )
        ]
        self._alike, self._peers = _grouped(self._openings), _grouped(sections.levels)
        self._rarity = np.log(1 + (len(sections.offsets) + 1) / np.maximum(holding, 1))

    def rows(self, chosen: Sequence[int], log_odds: Matrix) -> Matrix:
        """One row of `COLUMNS` for each of the title lines in `chosen`, whose parts lie between them."""
        starts = [0, *chosen, len(self._sections.names)]
        state = _State(starts, frozenset(starts), log_odds, float(log_odds[list(chosen)].sum()))
        rows = [self._row(k, state) for k in range(1, len(starts) - 1)]
        return np.array(rows, np.float64).reshape(len(rows), len(COLUMNS))

    def _span(self, first: int, past: int) -> Counts:
        """The terms from title `first` (-1: the beginning of the text) to title `past`."""
        return self._sections.terms[self._sections.offsets[first] if first >= 0 else 0 : self._sections.offsets[past]]

    def _row(self, k: int, state: "_State") -> list[float]:
        text, starts = self._sections, state.starts
        first, own, past = starts[k - 1], starts[k], starts[k + 1]
        pair = _Pair(self._span(first if k > 1 else -1, own), self._span(own, past), self._rarity)
        inner = [value for a, b in ((first, own), (own, past)) if (value := self._within(a, b)) is not None]
        others = len(starts) - 3
        elsewhere = (state.total - state.log_odds[own]) / others if others else -1.0
        left, right = set(text.names[first + 1 : own]), set(text.names[own + 1 : past])
        return [
            float(np.clip(state.log_odds[own], -_CLIP, _CLIP)),
            float(np.clip(elsewhere, -_CLIP, _CLIP)),
            pair.cosine(),
            pair.cosine() - (sum(inner) / len(inner) if inner else 0.3),
            pair.gain(len(self._rarity)),
            pair.share(text.titles[first]),
            pair.share(text.titles[0]),
            pair.share(text.titles[own], known=1),
            pair.share(text.titles[own], is_after=False),
            float(text.levels[first] == text.levels[own]),
            float(min(text.levels[first:past]) < text.levels[own]),
            len(left & right) / max(min(len(left), len(right)), 1),
            float(any(text.is_form[first + 1 : own]) and any(text.is_form[own + 1 : past])),
            float(any(text.has_steps[first:own]) and any(text.has_steps[own:past])),
            log1p(pair.shorter) / 7,
            min(own - first, past - own, 5) / 5,
            log1p(len(starts) - 2) / 3,
            (len(starts) - 1) / max(len(text.names), 1),
            *self._siblings(own, state.begin),
            float(text.is_form[own]),
            float(self._is_counted_on(first, own)),
            *self._orders(first if k > 1 else -1, own, past),
        ]

    def _orders(self, first: int, own: int, past: int) -> list[float]:
        """How many blocks instruct in the part in which fewer do, and in the one in which they are rarer."""
        before, after = (sum(self._sections.orders[a + 1 : b + 1]) for a, b in ((first, own), (own, past)))
        rarer = min(before / (len(self._span(first, own)) + _TERMS), after / (len(self._span(own, past)) + _TERMS))
        return [log1p(min(before, after)) / 3, min(rarer * _TERMS, 2.0)]

    def _is_counted_on(self, first: int, own: int) -> bool:
        """Whether the title goes on with a series that the part before has begun: Part A, Part B."""
        count = self._sections.counts[own]
        return count is not None and (count[0], count[1] - 1) in self._sections.counts[first:own]

    def _siblings(self, own: int, begin: frozenset[int]) -> list[float]:
        """The share of the titles like this one that begin no part: of its level, and of its level and first word."""
        peers = self._peers[self._sections.levels[own]] if len(self._peers) > 1 else []
        alike = self._alike.get(self._openings[own], [])
        return [_staying(peers, own, begin), _staying(alike, own, begin)]

    def _within(self, first: int, past: int) -> float | None:
        """How alike the halves of a part are, cut at the title line nearest to the middle; nothing without one."""
        offsets = self._sections.offsets
        inner = range(first + 1, past)
        if not inner:
            return None
        middle = (offsets[first] + offsets[past]) / 2
        cut = min(inner, key=lambda index: abs(offsets[index] - middle))
        return _Pair(self._span(first, cut), self._span(cut, past), self._rarity).cosine()


@dataclass(frozen=True)
class _State:
    """The beginnings of all parts and the end, and the log-odds of the title lines with their sum over the parts."""

    starts: list[int]
    begin: frozenset[int]
    log_odds: Matrix
    total: float


class _Pair:
    """Two spans of terms beside each other; all work is linear in their length, but for one sort."""

    def __init__(self, left: Counts, right: Counts, rarity: Matrix) -> None:
        self._held, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        self._left = np.bincount(places[: len(left)], minlength=len(self._held)).astype(np.float64)
        self._right = np.bincount(places[len(left) :], minlength=len(self._held)).astype(np.float64)
        self._rarity = rarity
        self.shorter = min(len(left), len(right))

    def cosine(self) -> float:
        """How alike the spans are by weighted terms; 0 when one is empty."""
        weights = self._rarity[self._held]
        a, b = np.sqrt(self._left) * weights, np.sqrt(self._right) * weights
        norm = float(np.sqrt((a @ a) * (b @ b)))
        return float(a @ b) / norm if norm else 0.0

    def share(self, words: Counts, known: int = 0, is_after: bool = True) -> float:
        """The weighted share of `words` that occur in the right (or left) span more than `known` times."""
        counts = self._right if is_after else self._left
        weights = self._rarity[words]
        found = np.isin(words, self._held[counts > known])
        return float(weights[found].sum() / weights.sum()) if len(words) else 0.0

    def gain(self, size: int) -> float:
        """How much better two sources explain the terms than one, per term of the shorter span, in nats."""
        both = _evidence(self._left, size) + _evidence(self._right, size) - _evidence(self._left + self._right, size)
        return float(np.clip(both / max(self.shorter, 1), -1, 3))


def _evidence(counts: Matrix, size: int) -> float:
    """The log of the chance of the terms, of a source under a Dirichlet prior (Eisenstein and Barzilay 2008)."""
    held = counts[counts > 0].astype(np.int64)
    table = log_rising(int(held.max(initial=0)), _PRIOR)
    return float(table[held].sum() - np.log(_PRIOR * size + np.arange(int(counts.sum()))).sum())


def _staying(titles: Sequence[int], own: int, begin: frozenset[int]) -> float:
    """The share of `titles` but `own` that begin no part; at most the `_COUNTED` nearest ones count."""
    place = bisect_left(titles, own)
    others = [i for i in titles[max(0, place - _COUNTED) : place + _COUNTED] if i not in (0, own)]
    return sum(1 for i in others if i not in begin) / max(len(others), 1)


def _grouped(keys: Sequence[Key]) -> dict[Key, list[int]]:
    groups: dict[Key, list[int]] = {}
    for index, key in enumerate(keys):
        groups.setdefault(key, []).append(index)
    return groups


def log_rising(highest: int, start: float) -> Matrix:
    """The logs of start (start + 1) ... (start + n - 1) for every n to `highest`."""
    return np.concatenate([[0.0], np.cumsum(np.log(start + np.arange(highest)))])
