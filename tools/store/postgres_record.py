"""The record of a thread in PostgreSQL, so that every process and machine can write it, one line at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from soprag.tools.store.session_database import SessionDatabase

if TYPE_CHECKING:
    from psycopg import Connection

_SIZE = "SELECT start + length(line) FROM record_line WHERE thread = %s ORDER BY start DESC LIMIT 1"
_READ = "SELECT line FROM record_line WHERE thread = %s AND start >= %s ORDER BY start"
_APPEND = "INSERT INTO record_line (thread, start, line) VALUES (%s, %s, %s)"
_PUT_HEAD = """INSERT INTO record_head (thread, head) VALUES (%s, %s)
    ON CONFLICT (thread) DO UPDATE SET head = excluded.head"""


@dataclass(frozen=True)
class PostgresRecord:
    """The record of one thread.

    A line, its announcement and its confirmation are one transaction: a writer that is killed leaves all or nothing.
    """

    database: SessionDatabase
    thread: str

    @property
    def name(self) -> str:
        """The URL of the sessions, and the thread."""
        return f"{self.database.url.name} {self.thread}"

    @contextmanager
    def reading(self) -> Iterator["RecordRows"]:
        """As `RecordPlace.reading`; lines and head are of the same moment."""
        with self.database.transaction() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield RecordRows(connection, self.thread)

    @contextmanager
    def writing(self) -> Iterator["RecordRows"]:
        """As `RecordPlace.writing`."""
        with self.database.transaction() as connection:
            lock = f"{self.database.url.schema} record {self.thread}"
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (lock,))
            yield RecordRows(connection, self.thread)


@dataclass(frozen=True)
class RecordRows:
    """The rows of one record: a row per line, where it begins, and one for the head."""

    connection: "Connection[Any]"
    thread: str

    def size(self) -> int:
        """As `RecordBytes.size`."""
        row = self.connection.execute(_SIZE, (self.thread,)).fetchone()
        return int(row[0]) if row else 0

    def read(self, start: int = 0) -> bytes:
        """As `RecordBytes.read`."""
        return b"".join(bytes(line) for (line,) in self.connection.execute(_READ, (self.thread, start)).fetchall())

    def append(self, data: bytes) -> None:
        """As `RecordBytes.append`."""
        self.connection.execute(_APPEND, (self.thread, self.size(), data))

    def head(self) -> bytes | None:
        """As `RecordBytes.head`."""
        row = self.connection.execute("SELECT head FROM record_head WHERE thread = %s", (self.thread,)).fetchone()
        return bytes(row[0]) if row else None

    def put_head(self, data: bytes) -> None:
        """As `RecordBytes.put_head`."""
        self.connection.execute(_PUT_HEAD, (self.thread, data))
