"""Text to unit vectors: MiniLM embedded, OpenAI, or any LangChain `Embeddings`, behind one door."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """The one door to embedding models."""

    @property
    def name(self) -> str:
        """Model name, for records and cache keys."""
        ...

    def embed(self, texts: list[str]) -> Vectors:
        """One row of length 1 per text, float32, in the order given; no text gives shape (0, dimension)."""
        ...
