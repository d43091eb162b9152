"""A persistent cache of embeddings in SQLite, by model and text."""

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import BoundedSemaphore

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Embedder, TokenEmbedder, Vectors
from soprag.tools.sop import digest
from soprag.tools.store.sqlite import CacheFile

Row = NDArray[np.float32]


class CachedEmbedder:
    """`embedder` behind a SQLite file; safe for several threads and processes."""

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._cache = CacheFile.open(path)
        # A local model uses one core per call: more concurrent calls than cores would only wait for each other.
        local = isinstance(embedder, TokenEmbedder)
        self._turn: AbstractContextManager[object] = BoundedSemaphore(os.cpu_count() or 1) if local else nullcontext()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._embedder.name

    @property
    def source(self) -> Embedder:
        """The wrapped embedder."""
        return self._embedder

    def embed(self, texts: list[str]) -> Vectors:
        """One unit row per text, shape (texts, dimension), from the cache where possible."""
        if not texts:
            return self._embedder.embed([])
        keys = [digest(f"{self.name}\n{text}") for text in texts]
        unique = dict(zip(keys, texts, strict=True))
        rows = self._find(list(unique))
        if len(rows) < len(unique):
            with self._turn:
                rows |= self._make({key: text for key, text in unique.items() if key not in rows})
        return np.stack([rows[key] for key in keys])

    def _make(self, missing: dict[str, str]) -> dict[str, Row]:
        """Embeds and stores the texts that no other thread or process has stored in the meantime."""
        rows = self._find(list(missing))
        fresh = {key: text for key, text in missing.items() if key not in rows}
        if fresh:
            vectors = dict(zip(fresh, self._embedder.embed(list(fresh.values())), strict=True))
            self._keep(vectors)
            rows |= vectors
        return rows

    def _find(self, keys: list[str]) -> dict[str, Row]:
        stored = self._cache.get_many(keys)
        return {key: np.frombuffer(vector, "<f4").astype(np.float32) for key, vector in stored.items()}

    def _keep(self, rows: Mapping[str, Row]) -> None:
        self._cache.put_many({key: row.astype("<f4").tobytes() for key, row in rows.items()}, self.name)
