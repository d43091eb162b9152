"""Text to unit vectors: MiniLM embedded, OpenAI, or any LangChain `Embeddings`, behind one door."""

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from configs.settings import EmbeddingSettings

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


def open_embedder(settings: EmbeddingSettings, cache_dir: Path) -> Embedder:
    """The door these settings ask for; vectors are remembered below `cache_dir`. Opening it loads nothing."""
    embedder = _open(settings)
    if not settings.cache:
        return embedder
    from tools.embedding.cache import CachedEmbedder

    return CachedEmbedder(embedder, cache_dir / "vectors.sqlite")


def _open(settings: EmbeddingSettings) -> Embedder:
    if settings.model == "minilm":
        from tools.embedding.minilm import MiniLm

        return MiniLm()
    from tools.embedding.langchain import LangChainEmbedder
    from tools.providers import server_of

    return LangChainEmbedder(settings, server_of(settings.model, settings.base_url))
