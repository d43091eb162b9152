"""The words of procedures as vectors: rare words weigh most, so that procedures of one field are near each other."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.text.terms import terms

_MOST = 20_000  # words that are told apart, those in the most procedures; bounds the memory


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
