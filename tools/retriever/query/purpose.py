"""Purpose: whether a question reports a situation or orders work, and whether an SOP responds or is planned work.

Both are read from one direction of the embedding space: the mean vector of phrases for responses less that of phrases
for planned work. A report asks for the response procedure, an order for the work; candidates that agree are moved up.
"""

from dataclasses import dataclass

import numpy as np

from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.retriever.query.ranking import Scores

_RESPONSES = (
    "response to an alarm",
    "what to do when a fault occurs",
    "troubleshooting a failure",
    "recovery after a trip",
    "diagnosing an error",
)
_WORK = (
    "replacement of a component",
    "scheduled inspection and maintenance",
    "start-up procedure",
    "installation and configuration",
    "monthly test",
    "filling and draining",
)
# Cosine differences from which on a question and a gist are clear; for MiniLM.
_CLEAR_QUESTION, _CLEAR_GIST = 0.06, 0.1


@dataclass(frozen=True)
class PurposeAxis:
    """The direction from planned work to response, shape (d,)."""

    vector: Vectors

    @classmethod
    def of(cls, embedder: Embedder) -> "PurposeAxis":
        """The axis in the space of `embedder`."""
        vectors = np.asarray(embedder.embed([*_RESPONSES, *_WORK]))
        split = len(_RESPONSES)
        return cls(vectors[:split].mean(axis=0) - vectors[split:].mean(axis=0))

    def agreement(self, question: Vectors, gists: Vectors) -> Scores:
        """How far the purpose of each gist (candidates, d) agrees with the question (d,): -1 to 1."""
        intent = np.tanh(question @ self.vector / _CLEAR_QUESTION)
        agreement: Scores = (intent * np.tanh(gists @ self.vector / _CLEAR_GIST)).astype(np.float32)
        return agreement
