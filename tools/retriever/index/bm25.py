"""Full text: BM25 of the SOPs for the terms of a question and their pairs.

    score(S) = Σ_t rarity(t) · c · (k1 + 1) / (c + k1 · (1 - b + b · length(S) / mean))       c: how often t is in S

A question of ten words has two or three that stand in every fifth SOP, and their postings are nearly all that there
are to score. `maxscore.py` finds the best SOPs without most of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from soprag.tools.retriever.index.change_log import news
from soprag.tools.retriever.index.maxscore import best
from soprag.tools.retriever.index.postings import Integers, TermPostings, hashed, read_terms
from soprag.tools.retriever.index.storage import Rows
from soprag.tools.text.terms import hashes

Gains = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """BM25: saturation k1 and length normalisation b."""

    k1: float = 2.0
    b: float = 1.0


@dataclass(frozen=True)
class TermCounts:
    """The terms of every SOP by number, 0 where there is none; of the `size` SOPs the `mean` and the `least`."""

    by_number: NDArray[np.float32]
    size: int
    mean: float
    least: float

    def factor(self, numbers: Integers, b: float) -> NDArray[np.float32]:
        """What the length of each SOP multiplies k1 with."""
        factor: NDArray[np.float32] = 1 - b + b * self.by_number[numbers] / self.mean
        return factor


@dataclass(frozen=True)
class WeighedTerm:
    """One term of a question: the SOPs that have it, by ascending number, and what it adds to their scores."""

    postings: TermPostings
    weights: Weights
    lengths: TermCounts

    @property
    def numbers(self) -> Integers:
        """The SOPs."""
        return self.postings.numbers

    @cached_property
    def rarity(self) -> float:
        """The idf."""
        return float(_idf(self.lengths.size, len(self.numbers)))

    @cached_property
    def bound(self) -> float:
        """No SOP gets more: what its largest count would add to the shortest SOP."""
        weigh, count = self.weights, float(self.postings.counts.max())
        shortest = 1 - weigh.b + weigh.b * self.lengths.least / self.lengths.mean
        return self.rarity * count * (weigh.k1 + 1) / (count + weigh.k1 * shortest)

    def gains(self, places: slice | Integers) -> Gains:
        """What it adds to the SOPs at these places of `numbers`."""
        counts, factor = self.postings.counts[places], self.lengths.factor(self.numbers[places], self.weights.b)
        gains: Gains = self.rarity * counts * (self.weights.k1 + 1) / (counts + self.weights.k1 * factor)
        return gains

    def places(self, wanted: Integers) -> tuple[Integers, NDArray[np.bool_]]:
        """The places of those of the `wanted` SOPs that have it, and which those are."""
        return self.postings.places(wanted)


@dataclass(frozen=True)
class Scored:
    """The BM25 of all SOPs for one question; 0 for those without any of its `terms`.

    `frequencies`: in how many of the `size` SOPs each term occurs, without those that occur in none.
    """

    terms: tuple[WeighedTerm, ...]
    size: int
    frequencies: dict[str, int]

    def rarity(self, term: str) -> float:
        """The idf of a term, ln(1 + (n - f + 0.5) / (f + 0.5))."""
        return float(_idf(self.size, self.frequencies.get(term, 0)))

    def best(self, k: int) -> dict[int, float]:
        """SOP number → score of the top `k`, and of all that tie with the last of them."""
        numbers = best(self.terms, k)
        scores = self.of(numbers.tolist())
        if len(numbers) > k:
            enough = scores >= np.partition(scores, -k)[-k]
            numbers, scores = numbers[enough], scores[enough]
        return dict(zip(numbers.tolist(), scores.tolist(), strict=True))

    def of(self, numbers: Sequence[int]) -> Gains:
        """The scores of these SOPs (`Elements.number`), in their order."""
        wanted, scores = np.asarray(numbers, np.int64), np.zeros(len(numbers), np.float64)
        for term in self.terms:
            places, there = term.places(wanted)
            scores[there] += term.gains(places)
        return scores


class FullText:
    """BM25 scorer; keeps the document lengths in memory, updated from the change log."""

    def __init__(self, weights: Weights = Weights()) -> None:
        self.weights = weights
        self._position = 0
        self._lengths = TermCounts(np.zeros(0, np.float32), 0, 0.0, 0.0)

    @property
    def size(self) -> int:
        """Number of SOPs."""
        return self._lengths.size

    @property
    def mean(self) -> float:
        """Terms per SOP."""
        return self._lengths.mean

    def follow(self, db: Rows) -> None:
        """Apply the changes logged since the last call."""
        latest = news(db, self._position)
        if latest is None:
            return
        # The SOP with the highest number may be gone since, but the ones before it keep their place.
        known = self._lengths.by_number
        before = known[: 0 if latest.whole else len(known)]
        lengths = np.zeros(max(latest.highest + 1, len(before)), np.float32)
        lengths[: len(before)] = before
        lengths[[number for number in latest.gone if number < len(lengths)]] = 0
        for number, length in latest.select(db, "number, length", "sop"):
            lengths[number] = length
        size, length = db.execute("SELECT sops, length FROM total").fetchone()
        least = float(lengths[lengths > 0].min(initial=np.inf))
        self._lengths = TermCounts(lengths, size, length / size if size else 0.0, least if size else 0.0)
        self._position = latest.position

    def score(self, db: Rows, terms: Iterable[str], others: Iterable[str] = ()) -> Scored:
        """BM25 of every SOP for these terms and their pairs; `frequencies` has the terms and `others`."""
        self.follow(db)
        words = list(terms)
        single, scored = dict.fromkeys([*words, *others]), set(hashed(words))
        keys = dict(zip(single, hashes(list(single)).tolist(), strict=True))
        postings = read_terms(db, scored.union(keys.values()), len(self._lengths.by_number) - 1)
        weighed = [WeighedTerm(postings[key], self.weights, self._lengths) for key in sorted(scored & postings.keys())]
        often = {word: len(postings[key].numbers) for word, key in keys.items() if key in postings}
        return Scored(tuple(weighed), self._lengths.size, often)


def _idf(size: int, often: int) -> np.float64:
    return np.float64(np.log1p((size - often + 0.5) / (often + 0.5)))
