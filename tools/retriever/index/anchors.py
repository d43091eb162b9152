"""Anchor vectors of SOPs (card, gist or passages) and cosine search over them in memory."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.change_log import news
from soprag.tools.retriever.index.codes import Codes
from soprag.tools.retriever.index.layout import Layout
from soprag.tools.retriever.index.sign_filter import ZERO, SignFilter
from soprag.tools.retriever.index.storage import Rows

Anchor = Literal["card", "gist", "passage"]
Scores = dict[int, float]

BATCH = 2000  # SOPs read at once
_SPARE = 8  # passages are searched this much deeper, because several of one SOP may be near
_NOISE = 1e-5  # of a cosine computed in float32
_LEAST = 8192  # so many cosines are always computed; and
_COMPARED = 128  # as many for each vector wanted; and
_SHARE = 16  # those of one vector of so many
_CACHED = 1024  # vectors decoded at once
_BITS = 8  # of the codes of anchors


def read_anchors(db: Rows, numbers: Sequence[int], anchor: Anchor) -> Iterator[tuple[int, Vectors]]:
    """Pairs of SOP number and its vectors of this kind, shape (vectors, dimension); unknown numbers are skipped."""
    for number, coded in read_codes(db, numbers, anchor):
        yield number, coded.vectors()


def read_codes(db: Rows, numbers: Sequence[int], anchor: Anchor) -> Iterator[tuple[int, Codes]]:
    """The same as codes of eight bits."""
    table = "number, vector, NULL FROM gist" if anchor == "gist" else "number, vectors, layout FROM element"
    for start in range(0, len(numbers), BATCH):
        inside, some = db.among("number", numbers[start : start + BATCH])
        for number, data, layout in db.execute(f"SELECT {table} WHERE {inside} ORDER BY number", (some,)):
            rows = slice(1)
            if anchor == "passage":
                cards, passages = Layout.unpack(layout).counts[:2].tolist()
                rows = slice(cards, cards + passages)
            coded = codes.unpack(data)
            yield number, Codes(coded.packed[rows], coded.scales[rows], coded.bits)


def count_anchors(db: Rows, anchor: Anchor) -> dict[int, int]:
    """SOP number → number of vectors of this kind."""
    counted = "passages" if anchor == "passage" else "1"
    return dict(db.execute(f"SELECT number, {counted} FROM sop"))


def depth(k: int, anchor: Anchor) -> int:
    """How many vectors to retrieve to get `k` different SOPs."""
    return k * _SPARE if anchor == "passage" else k


class Matrix:
    """The anchor vectors of all SOPs added after `position` in the change log, in memory, as codes.

    Of many vectors `sign_filter.py` selects those whose cosines are computed, so that a search need not read them all.
    """

    def __init__(self, anchor: Anchor, position: int = 0) -> None:
        self.anchor, self.position = anchor, position
        self.gone = 0  # SOPs removed since `position`, which a derived index may still return
        self._owners = np.empty(0, np.int64)
        self._codes: Codes | None = None
        self._signs = SignFilter()

    @classmethod
    def of(cls, anchor: Anchor, owners: NDArray[np.int64], coded: Codes) -> "Matrix":
        """The vectors of SOPs with these numbers, one each row."""
        matrix = cls(anchor)
        matrix._hold(owners, coded)
        return matrix

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
        fresh = list(read_codes(db, latest.fresh, self.anchor))
        owners = [np.full(len(coded), number, np.int64) for number, coded in fresh]
        parts = [self._codes[np.flatnonzero(keep)]] if self._codes else []
        parts += [coded for _, coded in fresh]
        if parts:
            packed, scales = (np.concatenate(rows) for rows in zip(*((p.packed, p.scales) for p in parts), strict=True))
            self._hold(np.concatenate([self._owners[keep], *owners]), Codes(packed, scales, _BITS))
        self.position = latest.position
        self.gone += len(latest.gone)

    def _hold(self, owners: NDArray[np.int64], coded: Codes) -> None:
        self._owners, self._codes = owners, coded
        self._signs = SignFilter.of(coded.packed) if len(coded) > _LEAST else SignFilter()

    def search(self, vector: Vectors, k: int) -> Scores:
        """SOP number → cosine of its best vector, for the top `k` and all that tie with the last of them."""
        if self._codes is None or not self._owners.size:
            return {}
        wide = min(depth(k, self.anchor), self.size)
        compared = max(_LEAST, _COMPARED * wide, self.size // _SHARE)
        rows = np.arange(self.size) if self.size <= compared else self._signs.select(vector, compared)
        cosine = _cosines(self._codes, rows, vector)
        near = rows[cosine >= np.partition(cosine, -wide)[-wide] - _NOISE]
        # Recomputed row by row: in a matrix product the last bits of a row depend on its position.
        exact = (self._codes[near].vectors() * vector).sum(axis=1)
        return best_of(zip(self._owners[near].tolist(), exact.tolist(), strict=True))


def _cosines(coded: Codes, rows: NDArray[np.intp], vector: Vectors) -> Vectors:
    """The cosines of these rows, but for the last bits; code c is the number c - 128 and is not looked up."""
    cosines = np.empty(len(rows), np.float32)
    packed = np.empty((_CACHED, coded.packed.shape[1]), np.uint8)
    numbers = np.empty(packed.shape, np.float32)
    for start in range(0, len(rows), _CACHED):
        some = rows[start : start + _CACHED]
        np.take(coded.packed, some, axis=0, out=packed[: len(some)], mode="clip")  # with "raise" it would copy twice
        numbers[: len(some)] = packed[: len(some)]
        np.matmul(numbers[: len(some)], vector, out=cosines[start : start + len(some)])
    cosines -= ZERO * vector.sum()
    cosines *= coded.scales[rows].astype(np.float32)
    return cosines


def best_of(scored: Iterable[tuple[int, float]]) -> Scores:
    """The best score of every SOP."""
    best: Scores = {}
    for number, score in scored:
        best[number] = max(best.get(number, -1.0), score)
    return best
