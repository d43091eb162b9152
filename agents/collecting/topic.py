"""How close a text is to the topic, from 0 to 1: by meaning, and by the words it shares with it."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tools.embedding import Embedder, Vectors
from tools.rules.keywords import bare
from tools.rules.thesaurus import related
from tools.rules.wanted import coverage, subject

_CHUNK = 100  # words embedded together ...
_WORDS = 0.12  # how much it counts that a document names the topic's own words
_CHUNKS = 5  # ... and how many of them, from the beginning


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

    def close(self, texts: list[str]) -> list[float]:
        """For short texts: titles, snippets, anchors."""
        return [float(score) for score in self._scores(texts)] if texts else []

    def close_document(self, title: str, text: str) -> float:
        """For a whole document: its title, and its beginning piece by piece."""
        words = re.sub(r"[#|*>\[\]_`=-]+", " ", text).split()
        pieces = [" ".join(words[at : at + _CHUNK]) for at in range(0, min(len(words), _CHUNK * _CHUNKS), _CHUNK)]
        scores = self._scores([title, *(f"{title}. {piece}" for piece in pieces)])
        body = scores[1:] if len(scores) > 1 else scores
        named = coverage(bare(self.name), f"{title} {text}", often=3)
        return float(0.25 * scores[0] + 0.25 * body.max() + 0.5 * body.mean() + _WORDS * (named - 0.5))

    def _scores(self, texts: list[str]) -> Vectors:
        close = self.embedder.embed(texts) @ self._terms.T
        return np.asarray(np.clip((close[:, 0] + close.max(axis=1)) / 2, 0, 1))
