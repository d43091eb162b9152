"""Vectors kept on disk by the words they stand for: the same text is embedded once, also by the next process."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.embedding import Embedder, Vectors
from tools.sop import digest
from tools.sqlite import Cache

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
_KEYS_AT_ONCE = 500  # older SQLite takes at most 999 values in one statement

Row = NDArray[np.float32]


class CachedEmbedder:
    """`embedder` behind a SQLite file; safe for several threads and processes."""

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._cache = Cache(path, _TABLE)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._embedder.name

    @property
    def source(self) -> Embedder:
        """The embedder whose vectors are kept."""
        return self._embedder

    def embed(self, texts: list[str]) -> Vectors:
        """One row of length 1 per text, from the disk where it is known."""
        if not texts:
            return self._embedder.embed([])
        keys = [digest(f"{self.name}\n{text}") for text in texts]
        rows = self._find(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:
            fresh = dict(zip(missing, self._embedder.embed(list(missing.values())), strict=True))
            self._keep(fresh)
            rows |= fresh
        return np.stack([rows[key] for key in keys])

    def _find(self, keys: list[str]) -> dict[str, Row]:
        rows: dict[str, Row] = {}
        with self._cache.open() as database:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                found = database.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some)
                rows |= {key: np.frombuffer(vector, "<f4").astype(np.float32) for key, vector in found}
        return rows

    def _keep(self, rows: Mapping[str, Row]) -> None:
        values = [(key, row.astype("<f4").tobytes()) for key, row in rows.items()]
        with self._cache.open() as database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", values)
