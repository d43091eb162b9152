"""The sessions of servers in a schema of PostgreSQL: their tables and transactions.

The checkpoints of LangGraph lie in the same schema (`graphs/postgres_checkpoints.py`).
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from soprag.tools.errors import StorageError
from soprag.tools.store.postgres_pool import PoolPlan, PostgresPool
from soprag.tools.store.postgres_url import PostgresUrl, read_url
from soprag.tools.store.record_place import WAIT

if TYPE_CHECKING:
    from psycopg import Connection

SCHEMA = "sessions"
_LOCKS = "SELECT set_config('lock_timeout', %s, false)"
_MOST = 8  # connections of a process for records
_PATIENCE = 300.0  # seconds for the tables, which other processes may be making


class SessionDatabase:
    """The schema that a URL names; its connections are made when they are needed and made again when they are lost."""

    def __init__(self, url: PostgresUrl) -> None:
        """Not connected yet. Raises `ConfigError` without the extra."""
        self.url = url
        self._pool = PostgresPool(url, PoolPlan("sessions", _MOST, WAIT))

    @classmethod
    def of(cls, url: str) -> "SessionDatabase":
        """The database of a URL, not connected yet. Raises `UsageError`, and `ConfigError` without the extra."""
        return cls(read_url(url, SCHEMA))

    @contextmanager
    def transaction(self) -> "Iterator[Connection[Any]]":
        """A connection in a transaction, which is durable at the end. Raises `StorageError`."""
        with self._pool.connection() as connection, connection.transaction():
            yield connection

    def prepare(self, more: Callable[["Connection[Any]"], None] = lambda connection: None) -> None:
        """Make the schema and its tables, and `more`, by one process at a time.

        A process that waits asks again and again: one that waited inside a statement would hold up the indexes that
        `more` makes concurrently.
        """
        with self._pool.connection() as connection:
            _lock(connection, f"{self.url.schema} tables")
            try:
                # An index that is made concurrently waits for every transaction of the database, of others too.
                connection.execute(_LOCKS, (f"{_PATIENCE * 1000:.0f}",))
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self.url.schema}")
                connection.execute(files(__package__).joinpath("tables_sessions.sql").read_text("utf-8"))
                more(connection)
            finally:
                connection.execute(_LOCKS, (f"{WAIT * 1000:.0f}",))
                connection.execute("SELECT pg_advisory_unlock_all()")

    def answers(self) -> bool:
        """Whether the server can be reached now."""
        try:
            with self.transaction() as connection:
                connection.execute("SELECT 1")
        except StorageError:
            return False
        return True

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()

    def explained(self) -> AbstractContextManager[None]:
        """Translate errors of the server into `StorageError` with advice."""
        return self._pool.explained()


def _lock(connection: "Connection[Any]", name: str) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        row = connection.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (name,)).fetchone()
        if row and row[0]:
            return
        if time.monotonic() > deadline:
            raise StorageError(f"Another process has been making tables for more than {_PATIENCE:.0f} s; try again.")
        time.sleep(0.05)
