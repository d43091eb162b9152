"""The sessions of servers in a schema of PostgreSQL: connections, tables, and the translation of the server's errors.

The checkpoints of LangGraph lie in the same schema (`graphs/postgres_checkpoints.py`).
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from soprag.tools.errors import ConfigError, StorageError
from soprag.tools.store.postgres_url import PostgresUrl, read_url
from soprag.tools.store.record_place import WAIT

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg_pool import ConnectionPool

SCHEMA = "sessions"
_MOST = 8  # connections of a process for records
_REACH = 10.0  # seconds for a connection
_PATIENCE = 60.0  # seconds for another process to make the tables
_PATH = "SELECT set_config('search_path', %s, false), set_config('lock_timeout', %s, false)"
_NEEDED = "Sessions in PostgreSQL need the extra `postgres`: pip install 'soprag[postgres]'."


@dataclass
class SessionDatabase:
    """The schema that a URL names; its connections are made when they are needed and made again when they are lost."""

    url: PostgresUrl
    _opened: list["ConnectionPool[Connection[Any]]"] = field(default_factory=list)

    @classmethod
    def of(cls, url: str) -> "SessionDatabase":
        """The database of a URL, not connected yet. Raises `UsageError`, and `ConfigError` without the extra."""
        try:
            import psycopg_pool  # noqa: F401 - only whether it is there
        except ImportError as error:
            raise ConfigError(_NEEDED) from error
        return cls(read_url(url, SCHEMA))

    @contextmanager
    def transaction(self) -> "Iterator[Connection[Any]]":
        """A connection in a transaction, which is durable at the end. Raises `StorageError`."""
        with self.explained(), self._pool.connection() as connection, connection.transaction():
            yield connection

    def prepare(self, more: Callable[["Connection[Any]"], None] = lambda connection: None) -> None:
        """Make the schema and its tables, and `more`, by one process at a time.

        A process that waits asks again and again: one that waited inside a statement would hold up the indexes that
        `more` makes concurrently.
        """
        with self.explained(), self._pool.connection() as connection:
            _lock(connection, f"{self.url.schema} tables")
            try:
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self.url.schema}")
                connection.execute(files(__package__).joinpath("tables_sessions.sql").read_text("utf-8"))
                more(connection)
            finally:
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
        while self._opened:
            self._opened.pop().close()
        self.__dict__.pop("_pool", None)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Translate errors of the server into `StorageError` with advice."""
        import psycopg
        from psycopg_pool import PoolTimeout

        try:
            yield
        except (psycopg.Error, PoolTimeout) as error:
            advice = "check that the server runs, the address, the account and its rights"
            if isinstance(error, psycopg.errors.LockNotAvailable):
                advice = f"another process has been writing for more than {WAIT:.0f} s; try again when it is done"
            reason = " ".join(str(error).split()).rstrip(".")
            raise StorageError(f"Cannot use the sessions {self.url.name!r}: {reason}; {advice}.") from None

    @cached_property
    def _pool(self) -> "ConnectionPool[Connection[Any]]":
        from psycopg_pool import ConnectionPool

        pool: ConnectionPool[Connection[Any]] = ConnectionPool(
            self.url.address,
            min_size=0,
            max_size=_MOST,
            timeout=_REACH,
            kwargs={"autocommit": True},
            configure=self._configure,
            check=ConnectionPool.check_connection,
            open=True,
        )
        self._opened.append(pool)
        return pool

    def _configure(self, connection: "Connection[Any]") -> None:
        connection.execute(_PATH, (self.url.schema, f"{WAIT * 1000:.0f}"))


def _lock(connection: "Connection[Any]", name: str) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        row = connection.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (name,)).fetchone()
        if row and row[0]:
            return
        if time.monotonic() > deadline:
            raise StorageError(f"Another process has been making tables for more than {_PATIENCE:.0f} s; try again.")
        time.sleep(0.05)
