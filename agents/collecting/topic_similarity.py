"""Topic closeness of a text: cosine similarity and shared words."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.search.thesaurus import related
from soprag.tools.search.topic_words import bare, coverage, subject, times

_CHUNK = 100  # words embedded together ...
_WORDS = 0.12  # how much it counts that a document names the topic's own words
_CHUNKS = 5  # ... and how many of them, from the beginning


class TopicSimilarity(NamedTuple):
    """A text relative to the topic: closeness (0 to 1), and its unit embedding."""

    close: float
    meaning: Vectors


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
        return [TopicSimilarity(float(close), own) for close, own in zip(self._scores(vectors), vectors, strict=True)]

    def place_document(self, titles: tuple[str, ...], text: str) -> TopicSimilarity:
        """Score a whole document by its titles (heading, page title), the best of them, and the start of its text."""
        tokens = re.sub(r"[#|*>\[\]_`=-]+", " ", text).split()
        pieces = [
            " ".join(tokens[start : start + _CHUNK]) for start in range(0, min(len(tokens), _CHUNK * _CHUNKS), _CHUNK)
        ] or [""]
        vectors = self.embedder.embed([*titles, *(f"{titles[0]}. {piece}" for piece in pieces)])
        scores = self._scores(vectors)
        counts = times(bare(self.name), f"{' '.join(titles)} {text}")
        title, body = scores[: len(titles)].max(), scores[len(titles) :]
        close = 0.25 * title + 0.25 * body.max() + 0.5 * body.mean() + _WORDS * (coverage(counts, often=3) - 0.5)
        mean = vectors[len(titles) :].mean(axis=0)
        return TopicSimilarity(float(close), mean / np.linalg.norm(mean))

    def _scores(self, vectors: Vectors) -> Vectors:
        close = vectors @ self._terms.T
        return np.asarray(np.clip((close[:, 0] + close.max(axis=1)) / 2, 0, 1))
