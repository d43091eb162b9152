"""Text to unit vectors: MiniLM embedded, OpenAI, or any LangChain `Embeddings`, behind one door."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from soprag.configs.settings import EmbeddingSettings

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


@dataclass(frozen=True)
class Tokens:
    """A text and its tokens: its vector (d), theirs (t, d), all of length 1, and where each stands (t, 2), in signs."""

    vector: Vectors
    vectors: Vectors
    spans: NDArray[np.int32]


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedding model that also gives a vector for every token, as it reads it in its text."""

    def tokens(self, texts: list[str]) -> list[Tokens]:
        """Each text with its tokens; those that only mark begin and end are left out."""
        ...


def token_embedder(embedder: Embedder) -> TokenEmbedder | None:
    """The model behind `embedder`, if it gives vectors of tokens."""
    from soprag.tools.embedding.cache import CachedEmbedder

    behind = embedder.source if isinstance(embedder, CachedEmbedder) else embedder
    return behind if isinstance(behind, TokenEmbedder) else None


def open_embedder(settings: EmbeddingSettings, cache_dir: Path) -> Embedder:
    """The door these settings ask for; vectors are remembered below `cache_dir`. Opening it loads nothing."""
    embedder = _open(settings, cache_dir)
    if not settings.cache:
        return embedder
    from soprag.tools.embedding.cache import CachedEmbedder

    return CachedEmbedder(embedder, cache_dir / "vectors.sqlite")


def _open(settings: EmbeddingSettings, cache_dir: Path) -> Embedder:
    if settings.model == "minilm":
        from soprag.tools.embedding.minilm import MiniLm

        return MiniLm(cache_dir / "minilm.checked")
    from soprag.tools.embedding.langchain import LangChainEmbedder
    from soprag.tools.providers import server_of

    return LangChainEmbedder(settings, server_of(settings.model, settings.base_url))
