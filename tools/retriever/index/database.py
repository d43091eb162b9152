"""The SQLite file of an index: schema, connections, and the translation of SQLite errors.

    meta      name, embedding model and dimension       history   what was added, updated and removed, and when
    sop       the SOPs; `total` counts them             change    the same as a log that derived indexes follow
    gist      the mean of the passages of each SOP      posting   full text: term or pair → SOPs, over title and body
    element   the rest of an SOP, each in one blob: its scored texts by kind and line, their vectors, its words
              (`content.py`) and the token vectors of its passages (`tokens.py`)

Every version of an SOP gets a new `number`, so data cached by number never goes stale.
"""

import contextlib
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from soprag.tools.errors import StorageError
from soprag.tools.observe.statements import connection_class

SCHEMA = 7
WAIT = 60.0  # seconds for another process to finish its transaction
_VALUES = 999  # in one statement; older SQLite takes no more
_SETTINGS = (
    "foreign_keys = ON",
    "synchronous = NORMAL",  # kill -9 loses nothing; `settle` makes it outlive a power failure
    "mmap_size = 1073741824",
    "cache_size = -131072",  # KiB, for pages that are being changed; the others are read in place
    "wal_autocheckpoint = 8192",  # pages: an SOP touches hundreds, most of them again and again
    "journal_size_limit = 67108864",
)

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sop (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, source TEXT NOT NULL,
    digest TEXT NOT NULL, edition TEXT NOT NULL, version INTEGER NOT NULL, added TEXT NOT NULL, updated TEXT NOT NULL,
    length INTEGER NOT NULL, passages INTEGER NOT NULL, posted INTEGER NOT NULL
);
CREATE INDEX sop_source ON sop (source);
CREATE TABLE total (sops INTEGER NOT NULL, passages INTEGER NOT NULL, length INTEGER NOT NULL);
INSERT INTO total VALUES (0, 0, 0);
CREATE TRIGGER sop_in AFTER INSERT ON sop BEGIN UPDATE total SET
    sops = sops + 1, passages = passages + new.passages, length = length + new.length; END;
CREATE TRIGGER sop_out AFTER DELETE ON sop BEGIN UPDATE total SET
    sops = sops - 1, passages = passages - old.passages, length = length - old.length; END;
CREATE TABLE gist (number INTEGER PRIMARY KEY REFERENCES sop ON DELETE CASCADE, vector BLOB NOT NULL);
CREATE TABLE element (
    number INTEGER PRIMARY KEY REFERENCES sop ON DELETE CASCADE, layout BLOB NOT NULL, vectors BLOB NOT NULL,
    content BLOB NOT NULL, tokens BLOB NOT NULL
);
CREATE TABLE change (seq INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL, gone INTEGER NOT NULL);
CREATE TABLE history (
    id TEXT NOT NULL, version INTEGER NOT NULL, event TEXT NOT NULL, at TEXT NOT NULL, digest TEXT NOT NULL,
    edition TEXT NOT NULL
);
CREATE INDEX history_id ON history (id);
CREATE TABLE posting (id INTEGER PRIMARY KEY, records BLOB NOT NULL, counts BLOB NOT NULL);
"""


def insert(db: sqlite3.Connection, table: str, rows: Sequence[Sequence[object]], tail: str = "") -> None:
    """Insert rows of equal length with few statements; `tail` says what happens to those that are there already."""
    if not rows:
        return
    row = f"({', '.join('?' * len(rows[0]))})"
    most = _VALUES // len(rows[0])
    for start in range(0, len(rows), most):
        some = rows[start : start + most]
        values = ", ".join([row] * len(some))
        db.execute(f"INSERT INTO {table} VALUES {values} {tail}", list(chain.from_iterable(some)))


class Database:
    """One connection per thread to one file; a transaction belongs to its thread."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        with _explained(file):
            self._prepare()

    @property
    def here(self) -> sqlite3.Connection:
        """The connection of this thread."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            self._opened.append(connection)
        return connection

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: commits on success, rolls back on an exception; other writers wait."""
        with _explained(self.file):
            self.here.execute("BEGIN IMMEDIATE")
            try:
                yield self.here
            except BaseException:
                self.here.execute("ROLLBACK")
                raise
            self.here.execute("COMMIT")

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read transaction: all queries inside see the same snapshot."""
        with _explained(self.file):
            if self.here.in_transaction:
                yield self.here
                return
            self.here.execute("BEGIN")
            try:
                yield self.here
            finally:
                self.here.execute("COMMIT")

    def select(self, query: str, *values: str | int) -> list[tuple[Any, ...]]:
        """All rows of one query, which needs no transaction to see one snapshot."""
        with _explained(self.file):
            return self.here.execute(query, values).fetchall()

    def meta(self, key: str) -> str:
        """A value of the `meta` table; empty when it is not set."""
        rows = self.select("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else ""

    def settle(self) -> None:
        """Checkpoint the write-ahead log, so that commits survive a power failure."""
        with _explained(self.file):
            self.here.execute("PRAGMA wal_checkpoint(FULL)")

    def close(self) -> None:
        """Close all connections."""
        while self._opened:
            self._opened.pop().close()
        self._local = threading.local()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.file, timeout=WAIT, isolation_level=None, check_same_thread=False, factory=connection_class()
        )
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        return connection

    def _prepare(self) -> None:
        if not self._schema():
            self._create()
        if self._schema() != SCHEMA:
            raise StorageError(
                f"The index {str(self.file)!r} has schema {self._schema()} and this version reads {SCHEMA}; "
                "add the SOPs to a new index."
            )

    def _create(self) -> None:
        """Make the tables; SQLite does not wait while the journal mode is being changed, so a lock file does."""
        from filelock import FileLock

        with FileLock(self.file.with_suffix(".lock"), timeout=WAIT):
            self.here.execute("PRAGMA journal_mode = WAL")
            with self.transaction() as db:
                if not self._schema():
                    for statement in _TABLES.split(";\n"):
                        db.execute(statement)
                    db.execute("INSERT INTO meta VALUES ('name', ?)", (uuid.uuid4().hex,))
                    db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _schema(self) -> int:
        return int(self.here.execute("PRAGMA user_version").fetchone()[0])


@contextlib.contextmanager
def _explained(file: Path) -> Iterator[None]:
    """Translate SQLite errors into `StorageError` with advice."""
    try:
        yield
    except sqlite3.OperationalError as error:
        message = str(error)
        advice = "check the path, its permissions and the free space"
        if "locked" in message or "busy" in message:
            advice = f"another process has been writing for more than {WAIT:.0f} s; try again when it is done"
        raise StorageError(f"Cannot use the index {str(file)!r}: {message}; {advice}.") from error
    except sqlite3.DatabaseError as error:
        raise StorageError(
            f"The index {str(file)!r} is damaged or no index: {error}; move it away and add the SOPs again."
        ) from error
