"""Nearest-neighbour search over anchor vectors: exact for small indexes, through Chroma for large ones.

Chroma may lag behind, be locked or be damaged. Vectors added after its position are searched exactly; when Chroma is
unusable, all vectors are. SOPs that Chroma still returns after their removal must be filtered by the caller.
"""

import logging
import sqlite3
from contextlib import closing
from threading import RLock

from filelock import FileLock, Timeout

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.anchors import Matrix, Scores
from soprag.tools.retriever.index.chroma import Chroma, Place
from soprag.tools.retriever.index.database import Database

_log = logging.getLogger(__name__)
_TAIL = 5000  # vectors searched beside Chroma; with more it is brought up to date first


class Nearest:
    """Searches the vectors of one anchor; uses Chroma from `exact_below` vectors on."""

    def __init__(self, database: Database, location: Place, exact_below: int) -> None:
        self.database, self.place, self.exact_below = database, location, exact_below
        self._matrix: Matrix | None = None
        self._chroma: Chroma | None = None
        self._lock = RLock()

    def search(self, vector: Vectors, k: int) -> Scores:
        """SOP number → cosine of at least the `k` nearest SOPs; may include SOPs that were removed."""
        with self._lock, self.database.reading() as db:
            if self._matrix is None or (self._chroma and self._matrix.size > _TAIL):
                self._open(db)
            assert self._matrix is not None
            self._matrix.follow(db)
            approximate = self._from_chroma(db, vector, k + self._matrix.gone)
            return approximate | self._matrix.search(vector, k)

    def sync(self) -> None:
        """Bring Chroma up to date when the index is large enough to need it."""
        with self._lock, self.database.reading() as db:
            if self._large(db):
                self._open(db)

    def check(self) -> list[str]:
        """Differences between Chroma and SQLite as sentences; changes nothing."""
        with self._lock, self.database.reading() as db:
            if not self._large(db):
                return []
            try:
                with closing(Chroma(self.place, self.database.meta("name"))) as chroma:
                    missing, extra = chroma.differences(db)
            except Exception as error:  # noqa: BLE001 - Chroma raises whatever its Rust core or its server gives
                return [f"Chroma cannot be read: {error}"]
        return [f"Chroma lacks {len(missing)} SOPs and has {len(extra)} too many"] if missing or extra else []

    def close(self) -> None:
        """Release the vectors and close Chroma."""
        with self._lock:
            self._matrix = None
            self._leave()

    def _large(self, db: sqlite3.Connection) -> bool:
        counted = "passages" if self.place.anchor == "passage" else "sops"
        return int(db.execute(f"SELECT {counted} FROM total").fetchone()[0]) >= self.exact_below

    def _open(self, db: sqlite3.Connection) -> None:
        position = 0
        if self._large(db):
            try:
                self._chroma, position = self._repaired(db)
            except Exception as error:  # noqa: BLE001 - as above; a derived index must not keep the true one from answering
                _log.warning("Chroma is of no use (%s); all cards are searched exactly.", error)
                self._leave()
        if self._matrix is None or position != self._matrix.position:
            self._matrix = Matrix(self.place.anchor, position)

    def _repaired(self, db: sqlite3.Connection) -> tuple[Chroma, int]:
        """Chroma and its position after a repair; without a repair while another process is repairing it."""
        try:
            with FileLock(self.place.folder.with_name(f"chroma-{self.place.anchor}.lock"), timeout=0):
                chroma = self._chroma or Chroma(self.place, self.database.meta("name"))
                return chroma, chroma.repair(db)
        except Timeout:
            chroma = self._chroma or Chroma(self.place, self.database.meta("name"))
            return chroma, chroma.position()

    def _leave(self) -> None:
        if self._chroma is not None:
            self._chroma.close()
            self._chroma = None

    def _from_chroma(self, db: sqlite3.Connection, vector: Vectors, k: int) -> Scores:
        if self._chroma is None:
            return {}
        try:
            return self._chroma.search(vector, k)
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("Chroma failed (%s); all cards are searched exactly.", error)
            self._leave()
            self._matrix = Matrix(self.place.anchor)
            self._matrix.follow(db)
            return {}
