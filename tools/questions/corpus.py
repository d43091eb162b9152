"""The SOPs of a run as a corpus: similar SOPs (siblings), and how well a question fits each of them."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.sop import Sop
from soprag.tools.text.stop_words import broad
from soprag.tools.text.terms import spaced, terms

PASSAGE_WORDS = 90
SIBLINGS = 8


@dataclass(frozen=True)
class Corpus:
    """All SOPs of a run; vectors are made when first needed and kept, so that only compared SOPs cost time."""

    sops: tuple[Sop, ...]
    embedder: Embedder
    _vectors: dict[str, Vectors] = field(default_factory=dict, repr=False, compare=False)
    _turns: dict[str, Lock] = field(default_factory=dict, repr=False, compare=False)
    _opening: Lock = field(default_factory=Lock, repr=False, compare=False)
    _siblings: dict[str, tuple[Sop, ...]] = field(default_factory=dict, repr=False, compare=False)
    _passages: dict[str, list[frozenset[str]]] = field(default_factory=dict, repr=False, compare=False)
    _printed: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict, repr=False, compare=False)

    def sop(self, id: str) -> Sop:
        """The SOP with this id."""
        return self.sops[self._places[id]]

    def siblings(self, id: str, count: int = SIBLINGS) -> tuple[Sop, ...]:
        """The SOPs that share the most telling words with this one, nearest first: its twins come first."""
        if id not in self._siblings:
            self._siblings[id] = self._nearest(id, count)
        return self._siblings[id]

    def fit(self, question: str, vector: Vectors, sop: Sop) -> float:
        """How well an SOP answers a question, from 0 to 1.

        The mean of the cosines with its best passage and with all of it, and of the shares of the telling words that
        the SOP has and that its best passage has.
        """
        words = self.coverage(question, sop) + self._best_passage(question, sop)
        return (self.meaning(vector, sop) + self.topic(vector, sop) + words) / 4

    def topic(self, vector: Vectors, sop: Sop) -> float:
        """The cosine of a question with the whole SOP: the mean of its passages."""
        whole = self.vectors(sop).mean(axis=0)
        return float(whole @ vector / np.linalg.norm(whole))

    def meaning(self, vector: Vectors, sop: Sop) -> float:
        """The highest cosine of a question with a passage of the SOP."""
        return float(np.max(self.vectors(sop) @ vector))

    def vectors(self, sop: Sop) -> Vectors:
        """One row for each passage of the SOP."""
        with self._opening:
            turn = self._turns.setdefault(sop.id, Lock())
        with turn:  # several SOPs are examined at once and have siblings in common
            if sop.id not in self._vectors:
                self._vectors[sop.id] = self.embedder.embed(passages(sop))
            return self._vectors[sop.id]

    def rarity(self, stem: str) -> float:
        """The inverse document frequency of a stem; a stem that no SOP has is as rare as can be."""
        return math.log(1 + len(self.sops) / (1 + len(self._holders.get(stem, ()))))

    def terms(self, sop: Sop) -> frozenset[str]:
        """The stems of an SOP's title and body."""
        return self._stems[self._places[sop.id]]

    def coverage(self, text: str, sop: Sop) -> float:
        """The share of the telling words of `text`, weighted by rarity, that the SOP has."""
        return self._share(set(terms(text)), self.terms(sop))

    def shared(self, text: str, sop: Sop) -> float:
        """The rarity of all stems that `text` has in common with the SOP, together."""
        return math.fsum(self.rarity(stem) for stem in set(terms(text)) & self.terms(sop))

    def quoted(self, text: str, sop: Sop) -> float:
        """The share of adjacent content words of `text` that stand side by side in a line of the SOP."""
        return self.quotes(text, sop) / max(len(terms(text, broad())) - 1, 1)

    def quotes(self, text: str, sop: Sop) -> int:
        """How often two adjacent content words of `text` stand side by side in a line of the SOP."""
        return sum(pair in self._pairs(sop) for pair in pairwise(terms(text, broad())))

    def _best_passage(self, text: str, sop: Sop) -> float:
        """The largest share of the telling words of `text` that one passage of the SOP has."""
        if sop.id not in self._passages:
            self._passages[sop.id] = [frozenset(terms(passage)) for passage in passages(sop)]
        query_stems = set(terms(text))
        return max(self._share(query_stems, passage_stems) for passage_stems in self._passages[sop.id])

    def _share(self, query_stems: set[str], held: frozenset[str]) -> float:
        """The share of the stems, weighted by rarity, that are held."""
        total = math.fsum(self.rarity(stem) for stem in query_stems)
        return math.fsum(self.rarity(stem) for stem in query_stems & held) / total if total else 0.0

    def _pairs(self, sop: Sop) -> frozenset[tuple[str, str]]:
        if sop.id not in self._printed:
            lines = [sop.title, *sop.body.splitlines()]
            self._printed[sop.id] = frozenset(pair for line in lines for pair in pairwise(terms(line, broad())))
        return self._printed[sop.id]

    def _nearest(self, id: str, count: int) -> tuple[Sop, ...]:
        index = self._places[id]
        shared = np.zeros(len(self.sops))
        for stem in sorted(self._stems[index]):  # in the order of a set, last digits would differ between processes
            shared[self._holders[stem]] += self.rarity(stem) ** 2
        shared /= self._lengths
        shared[index] = -1.0
        order = np.argsort(-shared, kind="stable")[: min(count, len(self.sops) - 1)]
        return tuple(self.sops[position] for position in order)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {sop.id: index for index, sop in enumerate(self.sops)}

    @cached_property
    def _stems(self) -> list[frozenset[str]]:
        return [frozenset(terms(f"{sop.title} {spaced(sop.title)} {sop.body}")) for sop in self.sops]

    @cached_property
    def _holders(self) -> dict[str, list[int]]:
        holders: dict[str, list[int]] = {}
        for index, sop_stems in enumerate(self._stems):
            for stem in sop_stems:
                holders.setdefault(stem, []).append(index)
        return holders

    @cached_property
    def _lengths(self) -> NDArray[np.float64]:
        squares = [math.fsum(self.rarity(stem) ** 2 for stem in sop_stems) for sop_stems in self._stems]
        return np.array([math.sqrt(max(square, 1e-9)) for square in squares])


def passages(sop: Sop) -> list[str]:
    """The body in passages of about ninety words that end with a line, each under the SOP's title."""
    finished: list[str] = []
    pending: list[str] = []
    for line in sop.body.splitlines():
        pending.append(line)
        if sum(len(row.split()) for row in pending) >= PASSAGE_WORDS:
            finished.append("\n".join(pending))
            pending = []
    if any(line.strip() for line in pending) or not finished:
        finished.append("\n".join(pending))
    return [f"{spaced(sop.title)}\n{passage}" for passage in finished]
