"""How alike procedures are: by rare words, which tell neighbouring fields apart, and by meaning."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.text.terms import terms

_MOST = 20_000  # words that are told apart, those in the most procedures; bounds the memory
_SAMPLE = 2000  # procedures whose pairs tell how far likenesses vary


@dataclass(frozen=True)
class Likeness:
    """Vectors of the words and of the meanings of procedures, scaled so that the cosines of either vary alike.

    Cosines of meaning are larger than those of words, and differ less.
    """

    words: Vectors
    meanings: Vectors

    @classmethod
    def of(cls, texts: Sequence[str], meanings: Vectors) -> "Likeness":
        """The likeness of these texts; `meanings` are their unit embeddings."""
        return cls(*(vectors / np.sqrt(_spread(vectors)) for vectors in (word_weights(texts), meanings)))

    def vectors(self, share: float) -> Vectors:
        """Vectors whose products are the likeness of two procedures; `share` is that of the words, 0 to 1."""
        return np.hstack([np.sqrt(share) * self.words, np.sqrt(1 - share) * self.meanings]).astype(np.float32)


def word_weights(texts: Sequence[str]) -> Vectors:
    """For every text a unit vector of its words (TF-IDF, logarithm of term counts), without words of one text only."""
    counts = [Counter(terms(text)) for text in texts]
    spread = Counter(word for words in counts for word in words)
    shared = sorted((word for word, times in spread.items() if times > 1), key=lambda word: (-spread[word], word))
    places = {word: place for place, word in enumerate(shared[:_MOST])}
    weights = np.zeros((len(texts), len(places)), np.float32)
    for row, words in zip(weights, counts, strict=True):
        for word in words.keys() & places.keys():
            row[places[word]] = (1 + np.log(words[word])) * np.log(len(texts) / spread[word])
    length = np.linalg.norm(weights, axis=1, keepdims=True)
    return np.asarray(weights / np.where(length > 0, length, 1), np.float32)


def _spread(vectors: Vectors) -> float:
    """Standard deviation of the cosines of different vectors; 1 where they do not differ."""
    cosines = vectors[:_SAMPLE] @ vectors[:_SAMPLE].T
    spread = float(np.std(cosines[np.triu_indices(len(cosines), 1)])) if len(cosines) > 2 else 0.0
    return spread or 1.0
