"""An embedding without a model, for tests: texts are close when they share words."""

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.text.words import words

DIMENSION = 512


class WordEmbedder:
    """Every word is a direction of its own."""

    name = "words"

    def embed(self, texts: list[str]) -> Vectors:
        rows: Vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[sum(word.encode()) * 31 % DIMENSION] += 1
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows
