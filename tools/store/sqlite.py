"""SQLite files shared by threads and processes, consistent after kill -9: any table, and a cache of values by key."""

import contextlib
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from soprag.tools.errors import StorageError
from soprag.tools.observe.statements import connection_class

PATIENCE = 30.0  # seconds to wait while another process writes
_KEYS_AT_ONCE = 500  # older SQLite takes at most 999 values in one statement
_TABLE = """
CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY, value BLOB NOT NULL, stored REAL NOT NULL, about TEXT NOT NULL
) WITHOUT ROWID
"""


class SqliteFile:
    """A file with one table: opened by the first use, closed when nobody holds it any more."""

    def __init__(self, path: Path, table: str) -> None:
        self._path = path
        self._table = table
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    @contextlib.contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time; all that is done with it is saved together, or not at all."""
        with self._lock:
            try:
                self._connection = self._connection or self._connect()
                with self._connection as connection:
                    yield connection
            except (sqlite3.Error, OSError) as fault:
                raise StorageError(
                    f"Cannot use the cache {str(self._path)!r}: {fault}; free the disk, name another folder with "
                    "run.cache, or delete the file if it is damaged."
                ) from fault

    def _connect(self) -> sqlite3.Connection:
        """Open the file; SQLite does not wait while the journal mode is being changed, so a lock file does."""
        from filelock import FileLock

        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self._path, timeout=PATIENCE, check_same_thread=False, factory=connection_class(sqlite3.Connection)
        )
        weakref.finalize(self, connection.close)
        with FileLock(self._path.with_suffix(".lock"), timeout=PATIENCE):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(self._table)
        return connection


@dataclass(frozen=True)
class CacheFile:
    """A cache: values as bytes by key, each with the time it was stored (s since 1970) and a note on what it is.

    An entry older than `seconds` is not found; without a limit entries never expire.
    """

    file: SqliteFile
    seconds: float = float("inf")
    clock: Callable[[], float] = time.time

    @classmethod
    def open(cls, path: Path, seconds: float = float("inf"), clock: Callable[[], float] = time.time) -> "CacheFile":
        """The cache in the file at `path`, which the first use creates."""
        return cls(SqliteFile(path, _TABLE), seconds, clock)

    def get(self, key: str) -> bytes | None:
        """The value of `key`; None when there is none or it is too old."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The values of those keys that are stored and not too old."""
        values: dict[str, bytes] = {}
        oldest = self.clock() - self.seconds
        with self.file.open() as database:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value FROM entries WHERE key IN ({marks}) AND stored >= ?"
                values |= dict(database.execute(query, [*some, oldest]))
        return values

    def put(self, key: str, value: bytes, about: str = "") -> None:
        """Store a value in place of an earlier one."""
        self.put_many({key: value}, about)

    def put_many(self, values: Mapping[str, bytes], about: str = "") -> None:
        """Store values in one transaction."""
        stored = self.clock()
        rows = [(key, value, stored, about) for key, value in values.items()]
        with self.file.open() as database:
            database.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
