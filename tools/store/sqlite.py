"""A SQLite file shared by threads and processes, consistent after kill -9; the base of the caches."""

import contextlib
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

from soprag.tools.errors import StorageError

PATIENCE = 30.0  # seconds to wait while another process writes


class Cache:
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
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=PATIENCE, check_same_thread=False)
        weakref.finalize(self, connection.close)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(self._table)
        return connection
