"""Topic closeness of a text: cosine similarity and shared words, with the embedding of the text."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from soprag.agents.collecting.background_texts import ELSEWHERE
from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.search.thesaurus import related
from soprag.tools.search.topic_words import bare, coverage, subject, times

_CHUNK = 100  # words embedded together ...
_WORDS = 0.12  # how much it counts that a document names the topic's own words
_CHUNKS = 5  # ... and how many of them, from the beginning


class TopicSimilarity(NamedTuple):
    """A text relative to the topic: closeness (0 to 1) and unit embedding.

    `names`: which of the topic's words a whole document contains.
    """

    close: float
    meaning: Vectors
    names: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Topic:
    """The topic of a collection; related terms help, and never count for more than half."""

    name: str
    embedder: Embedder

    @cached_property
    def _terms(self) -> Vectors:
        name = bare(self.name)
        parts = [part.strip() for part in re.split(r"\band\b|[,;/&]", name) if part.strip()]
        return self.embedder.embed(list(dict.fromkeys([subject(name), name, *parts, *related(name)])))

    def place(self, texts: list[str]) -> list[TopicSimilarity]:
        """Score short texts: titles, snippets, anchors."""
        if not texts:
            return []
        vectors = self.embedder.embed(texts)
        return [
            TopicSimilarity(float(close), meaning)
            for close, meaning in zip(self._scores(vectors), vectors, strict=True)
        ]

    @cached_property
    def elsewhere(self) -> Vectors:
        """The mean embedding of procedures from unrelated trades."""
        return np.asarray(self.embedder.embed(list(ELSEWHERE)).mean(axis=0))

    def place_document(self, title: str, text: str) -> TopicSimilarity:
        """Score a whole document by its title and the first chunks of its text."""
        tokens = re.sub(r"[#|*>\[\]_`=-]+", " ", text).split()
        pieces = [
            " ".join(tokens[start : start + _CHUNK]) for start in range(0, min(len(tokens), _CHUNK * _CHUNKS), _CHUNK)
        ]
        vectors = self.embedder.embed([title, *(f"{title}. {piece}" for piece in pieces)])
        scores, first = self._scores(vectors), min(1, len(pieces))
        counts = times(bare(self.name), f"{title} {text}")
        body = scores[first:]
        close = float(
            0.25 * scores[0] + 0.25 * body.max() + 0.5 * body.mean() + _WORDS * (coverage(counts, often=3) - 0.5)
        )
        mean = vectors[first:].mean(axis=0)
        return TopicSimilarity(close, mean / np.linalg.norm(mean), tuple(count > 0 for count in counts.values()))

    def _scores(self, vectors: Vectors) -> Vectors:
        close = vectors @ self._terms.T
        return np.asarray(np.clip((close[:, 0] + close.max(axis=1)) / 2, 0, 1))
