"""Anchor vectors of SOPs (card, gist or passages) and exact cosine search over them in memory."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.change_log import news
from soprag.tools.retriever.index.layout import Layout
from soprag.tools.retriever.index.storage import Rows

Anchor = Literal["card", "gist", "passage"]
Scores = dict[int, float]

BATCH = 2000  # SOPs read at once
_SPARE = 8  # passages are searched this much deeper, because several of one SOP may be near
_NOISE = 1e-5  # of a cosine computed in float32


def read_anchors(db: Rows, numbers: Sequence[int], anchor: Anchor) -> Iterator[tuple[int, Vectors]]:
    """Pairs of SOP number and its vectors of this kind, shape (vectors, dimension); unknown numbers are skipped."""
    table = "number, vector, NULL FROM gist" if anchor == "gist" else "number, vectors, layout FROM element"
    for start in range(0, len(numbers), BATCH):
        inside, some = db.among("number", numbers[start : start + BATCH])
        for number, data, layout in db.execute(f"SELECT {table} WHERE {inside} ORDER BY number", (some,)):
            vectors = codes.unpack(data).vectors()
            if anchor == "passage":
                cards, passages = Layout.unpack(layout).counts[:2].tolist()
                vectors = vectors[cards : cards + passages]
            yield number, vectors[:1] if anchor == "card" else vectors


def count_anchors(db: Rows, anchor: Anchor) -> dict[int, int]:
    """SOP number → number of vectors of this kind."""
    counted = "passages" if anchor == "passage" else "1"
    return dict(db.execute(f"SELECT number, {counted} FROM sop"))


def depth(k: int, anchor: Anchor) -> int:
    """How many vectors to retrieve to get `k` different SOPs."""
    return k * _SPARE if anchor == "passage" else k


class Matrix:
    """The anchor vectors of all SOPs added after `position` in the change log, in memory; float32."""

    def __init__(self, anchor: Anchor, position: int = 0) -> None:
        self.anchor, self.position = anchor, position
        self.gone = 0  # SOPs removed since `position`, which a derived index may still return
        self._owners = np.empty(0, np.int64)
        self._vectors = np.empty((0, 0), np.float32)

    @property
    def size(self) -> int:
        """Number of vectors."""
        return len(self._owners)

    def follow(self, db: Rows) -> None:
        """Apply the changes logged since `position`."""
        latest = news(db, self.position)
        if latest is None:
            return
        keep = np.full(len(self._owners), not latest.whole)
        if latest.gone:
            keep &= ~np.isin(self._owners, list(latest.gone))
        fresh = list(read_anchors(db, latest.fresh, self.anchor))
        owners = [np.full(len(vectors), number, np.int64) for number, vectors in fresh]
        self._owners = np.concatenate([self._owners[keep], *owners])
        blocks = [block for block in (self._vectors[keep], *(vectors for _, vectors in fresh)) if block.size]
        self._vectors = np.concatenate(blocks) if blocks else np.empty((0, 0), np.float32)
        self.position = latest.position
        self.gone += len(latest.gone)

    def search(self, vector: Vectors, k: int) -> Scores:
        """SOP number → cosine of its best vector, for the top `k` and all that tie with the last of them."""
        if not self._owners.size:
            return {}
        cosine = self._vectors @ vector
        wide = min(depth(k, self.anchor), cosine.size)
        near = np.flatnonzero(cosine >= np.partition(cosine, -wide)[-wide] - _NOISE)
        # Recomputed row by row: in a matrix product the last bits of a row depend on its position.
        exact = (self._vectors[near] * vector).sum(axis=1)
        return best_of(zip(self._owners[near].tolist(), exact.tolist(), strict=True))


def best_of(scored: Iterable[tuple[int, float]]) -> Scores:
    """The best score of every SOP."""
    best: Scores = {}
    for number, score in scored:
        best[number] = max(best.get(number, -1.0), score)
    return best
