"""A pool of connections to one schema of PostgreSQL, and the translation of the server's errors."""

import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from soprag.tools.errors import ConfigError, StorageError
from soprag.tools.store.postgres_url import PostgresUrl

if TYPE_CHECKING:
    from psycopg import Connection, Error
    from psycopg_pool import ConnectionPool

_REACH = 10  # seconds for a connection
_FRESH = 1.0  # seconds for which a connection that was used is not tried again
_OWN = "SELECT set_config('search_path', %s, false), set_config('lock_timeout', %s, false)"
_BEFORE = _OWN.replace("%s, false", "%s || ', ' || current_setting('search_path'), false", 1)
_REACHABLE = "check that the server runs, the address, the account and its rights"


@dataclass(frozen=True)
class PoolPlan:
    """What connections are for: `subject` in messages, at most `most` of them, `wait` seconds for a lock.

    With `whole` the tables of the schema hide those of the search path of the database, where its extensions are;
    without, there is only the schema.
    """

    subject: str
    most: int
    wait: float
    whole: bool = False


class PostgresPool:
    """Connections that are made when they are needed, shared by all threads, and replaced when they are lost.

    A connection that was not used for a second is tried before it is given out, so that a restart of the server is
    noticed by few. More threads than connections wait for one another.
    """

    def __init__(self, url: PostgresUrl, plan: PoolPlan) -> None:
        """Connects nothing yet. Raises `ConfigError` without the extra."""
        try:
            import psycopg_pool  # noqa: F401 - only whether it is there
        except ImportError as error:
            needed = f"{plan.subject.capitalize()} in PostgreSQL needs the extra `postgres`"
            raise ConfigError(f"{needed}: pip install 'soprag[postgres]'.") from error
        self.url, self._plan = url, plan
        self._lock = threading.Lock()
        self._used: weakref.WeakKeyDictionary[Connection[Any], float] = weakref.WeakKeyDictionary()
        self._opened: list[ConnectionPool[Connection[Any]]] = []
        weakref.finalize(self, _close, self._opened)  # the server must not keep what nobody uses

    @contextmanager
    def connection(self) -> "Iterator[Connection[Any]]":
        """A connection that commits each statement by itself, for as long as the context. Raises `StorageError`."""
        with self.explained(), self._pool().connection() as connection:
            yield connection
            self._used[connection] = time.monotonic()

    def close(self) -> None:
        """Close all connections; they are made again when they are needed."""
        with self._lock:
            _close(self._opened)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Translate errors of the server into `StorageError` with advice."""
        import psycopg
        from psycopg_pool import PoolTimeout

        try:
            yield
        except PoolTimeout as error:
            advice = f"{_REACHABLE}, or that it and its {self._plan.most} connections are not overloaded"
            raise self.failure(error, advice) from None
        except psycopg.errors.LockNotAvailable as error:
            advice = (
                f"another process has been writing for more than {self._plan.wait:.0f} s; try again when it is done"
            )
            raise self.failure(error, advice) from None
        except psycopg.Error as error:
            raise self.failure(error, _REACHABLE) from None

    def failure(self, error: "Error", advice: str) -> StorageError:
        """An error of the server with what to do; names no password."""
        reason = " ".join(str(error).split()).rstrip(".")
        return StorageError(f"Cannot use the {self._plan.subject} {self.url.name!r}: {reason}; {advice}.")

    def _pool(self) -> "ConnectionPool[Connection[Any]]":
        with self._lock:
            if not self._opened:
                self._opened.append(_opened(self.url, self._plan, self._used))
            return self._opened[0]


def _opened(
    url: PostgresUrl, plan: PoolPlan, used: "Mapping[Connection[Any], float]"
) -> "ConnectionPool[Connection[Any]]":
    import psycopg
    from psycopg_pool import ConnectionPool

    # A pool tries in the background, and would only say that its time ran out.
    psycopg.connect(url.address, connect_timeout=_REACH).close()
    path, wait = _BEFORE if plan.whole else _OWN, f"{plan.wait * 1000:.0f}"

    def configure(connection: "Connection[Any]") -> None:
        connection.execute(path, (url.schema, wait))

    def check(connection: "Connection[Any]") -> None:
        if time.monotonic() - used.get(connection, 0.0) > _FRESH:
            ConnectionPool.check_connection(connection)

    return ConnectionPool(
        url.address,
        min_size=0,
        max_size=plan.most,
        timeout=_REACH,
        kwargs={"autocommit": True, "connect_timeout": _REACH},
        configure=configure,
        check=check,
        open=True,
    )


def _close(pools: "list[ConnectionPool[Connection[Any]]]") -> None:
    while pools:
        pools.pop().close()
