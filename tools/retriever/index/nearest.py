"""Nearest-neighbour search over anchor vectors: exact for small indexes, approximate for large ones.

The approximate index (Chroma, or pgvector in PostgreSQL) may lag behind, be locked or be damaged. Vectors added after
its position are searched exactly; when it is unusable, all vectors are. SOPs that it still returns after their removal
must be filtered by the caller.
"""

import logging
from collections.abc import Callable
from threading import RLock

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.anchors import Anchor, Matrix, Scores
from soprag.tools.retriever.index.storage import Near, Rows, Store

_log = logging.getLogger(__name__)
_TAIL = 5000  # vectors searched beside the approximate index; with more it is brought up to date first


class Nearest:
    """Searches the vectors of one anchor; `open_near` gives the approximate index, from `exact_below` vectors on."""

    def __init__(self, database: Store, anchor: Anchor, open_near: Callable[[Anchor], Near], exact_below: int) -> None:
        self.database, self.anchor, self.exact_below = database, anchor, exact_below
        self._open_near = open_near
        self._matrix: Matrix | None = None
        self._near: Near | None = None
        self._lock = RLock()

    def search(self, vector: Vectors, k: int) -> Scores:
        """SOP number → cosine of at least the `k` nearest SOPs; may include SOPs that were removed."""
        with self._lock, self.database.reading() as db:
            if self._matrix is None or (self._near and self._matrix.size > _TAIL):
                self._open(db)
            assert self._matrix is not None
            self._matrix.follow(db)
            approximate = self._approximate(db, vector, k + self._matrix.gone)
            return approximate | self._matrix.search(vector, k)

    def sync(self) -> None:
        """Bring the approximate index up to date when the index is large enough to need it."""
        with self._lock:
            with self.database.reading() as db:
                large = self._large(db)
            if large:
                self._usable(lambda near: near.sync())

    def check(self) -> list[str]:
        """Differences between the approximate index and the true one as sentences; changes nothing."""
        with self._lock, self.database.reading() as db:
            if not self._large(db):
                return []
            near: Near | None = None
            try:
                near = self._open_near(self.anchor)
                missing, extra = near.differences(db)
            except Exception as error:  # noqa: BLE001 - Chroma raises whatever its Rust core or its server gives
                return [f"The approximate index of {self.anchor} cannot be read: {error}"]
            finally:
                if near is not None:
                    near.close()
        counts = f"lacks {len(missing)} SOPs and has {len(extra)} too many"
        return [f"The approximate index of {self.anchor} {counts}"] if missing or extra else []

    def close(self) -> None:
        """Release the vectors and close the approximate index."""
        with self._lock:
            self._matrix = None
            self._leave()

    def _large(self, db: Rows) -> bool:
        counted = "passages" if self.anchor == "passage" else "sops"
        return int(db.execute(f"SELECT {counted} FROM total").fetchone()[0]) >= self.exact_below

    def _open(self, db: Rows) -> None:
        position = (self._usable(lambda near: near.attach(db)) or 0) if self._large(db) else 0
        if self._matrix is None or position != self._matrix.position:
            self._matrix = Matrix(self.anchor, position)

    def _usable(self, work: Callable[[Near], int | None]) -> int | None:
        """What `work` gives; None, with a warning and a closed index, when it cannot be used."""
        try:
            self._near = self._near or self._open_near(self.anchor)
            return work(self._near)
        except Exception as error:  # noqa: BLE001 - as above; a derived index must not keep the true one from answering
            _log.warning("The approximate index is of no use (%s); all vectors are searched exactly.", error)
            self._leave()
            return None

    def _leave(self) -> None:
        if self._near is not None:
            self._near.close()
            self._near = None

    def _approximate(self, db: Rows, vector: Vectors, k: int) -> Scores:
        if self._near is None:
            return {}
        try:
            return self._near.search(db, vector, k)
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("The approximate index failed (%s); all vectors are searched exactly.", error)
            self._leave()
            self._matrix = Matrix(self.anchor)
            self._matrix.follow(db)
            return {}
