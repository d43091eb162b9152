"""The SQLite file of an index: connections, transactions, and the translation of SQLite errors."""

import contextlib
import json
import sqlite3
import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from soprag.tools.errors import StorageError
from soprag.tools.observe.statements import connection_class
from soprag.tools.retriever.index.storage import SCHEMA, WAIT, PostingRow, insert

FILE = "index.sqlite"

_SETTINGS = (
    "foreign_keys = ON",
    "synchronous = NORMAL",  # kill -9 loses nothing; `settle` makes it outlive a power failure
    "mmap_size = 2147418112",  # the most that SQLite maps
    "cache_size = -131072",  # KiB, for pages that are being changed; the others are read in place
    "wal_autocheckpoint = 8192",  # pages: an SOP touches hundreds, most of them again and again
    "journal_size_limit = 67108864",
)
_APPEND = """ON CONFLICT (id) DO UPDATE SET records = CAST(records || excluded.records AS BLOB),
    counts = CAST(counts || excluded.counts AS BLOB)"""


class SqliteRows(sqlite3.Connection):
    """A connection with what SQLite says in its own way."""

    def stream(self, sql: str) -> Iterable[Any]:
        """As `Rows.stream`; a cursor reads no further than it is asked."""
        return self.execute(sql)

    def add(self, table: str, row: Mapping[str, object]) -> int:
        """As `Rows.add`."""
        sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        return int(self.execute(sql, tuple(row.values())).lastrowid or 0)

    def among(self, column: str, values: Iterable[int] | Iterable[str]) -> tuple[str, str]:
        """As `Rows.among`."""
        return f"{column} IN (SELECT value FROM json_each(?))", json.dumps(list(values))

    def post(self, rows: Sequence[PostingRow]) -> None:
        """As `Rows.post`; every id has one row, which grows."""
        insert(self, "posting", rows, _APPEND)

    def go_on_counting(self) -> None:
        """As `Rows.go_on_counting`; AUTOINCREMENT does so by itself."""


class SqliteStore:
    """One connection per thread to one file; a transaction belongs to its thread."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._local = threading.local()
        self._opened: list[SqliteRows] = []
        with _explained(file):
            self._prepare()

    @property
    def name(self) -> str:
        """The folder of the file."""
        return str(self.folder)

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.file.parent

    @property
    def here(self) -> SqliteRows:
        """The connection of this thread."""
        connection: SqliteRows | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            self._opened.append(connection)
        return connection

    @contextlib.contextmanager
    def transaction(self) -> Iterator[SqliteRows]:
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
    def reading(self) -> Iterator[SqliteRows]:
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

    @contextlib.contextmanager
    def autocommit(self) -> Iterator[SqliteRows]:
        """For a single query, which needs no transaction to see one snapshot."""
        with _explained(self.file):
            yield self.here

    def meta(self, key: str) -> str:
        """A value of the `meta` table; empty when it is not set."""
        with self.autocommit() as db:
            row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def check(self) -> list[str]:
        """Damaged pages, and rows that point to nothing."""
        with self.reading() as db:
            problems = [f"SQLite: {line}" for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
            dangling = [f"{table}: a row points to nothing" for table, *_ in db.execute("PRAGMA foreign_key_check")]
        return problems + dangling

    def settle(self) -> None:
        """Checkpoint the write-ahead log, so that commits survive a power failure."""
        with _explained(self.file):
            self.here.execute("PRAGMA wal_checkpoint(FULL)")

    def close(self) -> None:
        """Close all connections."""
        while self._opened:
            self._opened.pop().close()
        self._local = threading.local()

    def _connect(self) -> SqliteRows:
        kind = connection_class(SqliteRows)
        connection = sqlite3.connect(
            self.file, timeout=WAIT, isolation_level=None, check_same_thread=False, factory=kind
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
                    for statement in files(__package__).joinpath("tables_sqlite.sql").read_text("utf-8").split(";\n"):
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
