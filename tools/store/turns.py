"""The turns under way on the threads of a database: one at a time for a thread, and known when its process is killed.

A turn holds an advisory lock of the connection of its process, and a row of the table `turn`. When the process dies,
the server gives the lock back and the row stays: so a row without a lock is a turn that was cut off. So is one whose
states could not be read or written: its row stays when it ends. When the database was away, each process first takes
the locks of its living turns again, before any process takes up those of others.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from soprag.tools.errors import StorageError
from soprag.tools.store.session_database import SessionDatabase

if TYPE_CHECKING:
    from psycopg import AsyncConnection

_log = logging.getLogger(__name__)
_AGAIN = 0.1  # seconds after which a thread that is worked on is asked for again
_RETURN = 6.0  # seconds in which all processes have seen that the database is back
_NUMBER = "hashtextextended(%(lock)s, 0)"
_GRAPH = """SELECT metadata ->> 'graph_id' FROM checkpoints
    WHERE thread_id = %(thread)s AND checkpoint_ns = '' AND metadata ? 'graph_id'
    ORDER BY checkpoint_id DESC LIMIT 1"""
_TRY = f"SELECT pg_try_advisory_lock({_NUMBER})"
_CUT = """SELECT thread, graph, tries FROM turn WHERE %(thread)s IN ('', thread) AND NOT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32 | objid::bigint) = hashtextextended(%(schema)s || ' turn ' || thread, 0)
    ) ORDER BY began LIMIT 10"""
_BEGIN = """INSERT INTO turn (thread, graph) VALUES (%(thread)s, %(graph)s)
    ON CONFLICT (thread) DO UPDATE SET began = now(), tries = turn.tries + 1"""


@dataclass(frozen=True)
class CutTurn:
    """A turn whose process died; `tries` counts how often it was begun."""

    thread: str
    graph: str
    tries: int


@dataclass
class Turns:
    """The turns of this process; every lock is held by its one connection."""

    database: SessionDatabase
    leaving: bool = field(default=False, init=False)  # a turn that is cancelled now is taken up by another process
    _connection: "AsyncConnection[Any] | None" = field(default=None, init=False)
    _held: Counter[str] = field(default_factory=Counter, init=False)  # threads; a lock may be taken more than once
    _returned: float = field(default=-_RETURN, init=False)  # when the database was last back
    _statement: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    @asynccontextmanager
    async def hold(self, thread: str, graph: str) -> AsyncIterator[None]:
        """Work on a thread when nobody else does; waits for the turn of another process to end."""
        await self._lock(thread)
        try:
            await self._ask(_BEGIN, thread=thread, graph=graph)
            yield
        except BaseException as error:
            if not self.leaving and not isinstance(error, StorageError):
                await self.forget(thread)
            raise
        else:
            await self.forget(thread)
        finally:
            await self._unlock(thread)

    async def cut(self, thread: str = "") -> Sequence[CutTurn]:
        """The turns that were cut off, or that of one thread; waits with them when the database is just back."""
        while True:
            rows = await self._ask(_CUT, thread, schema=self.database.url.schema)
            rest = self._returned + _RETURN - time.monotonic()
            if not rows or rest <= 0:
                return [CutTurn(*row) for row in rows]
            await asyncio.sleep(rest)

    async def graph_of(self, thread: str) -> str:
        """The graph that works on a thread; empty when nothing of it was kept yet."""
        rows = await self._ask(_GRAPH, thread)
        return str(rows[0][0]) if rows else ""

    @asynccontextmanager
    async def take(self, turn: CutTurn) -> AsyncIterator[bool]:
        """Whether a turn that was cut off is this process's now; another one may have been faster."""
        taken = await self._try(turn.thread)
        try:
            still = "SELECT FROM turn WHERE thread = %(thread)s AND tries = %(tries)s"
            yield taken and bool(await self._ask(still, thread=turn.thread, tries=turn.tries))
        finally:
            if taken:
                await self._unlock(turn.thread)

    async def forget(self, thread: str) -> None:
        """The turn of a thread has ended."""
        await self._ask("DELETE FROM turn WHERE thread = %(thread)s", thread=thread)

    async def close(self) -> None:
        """Give all locks back."""
        if self._connection:
            await self._connection.close()

    async def _lock(self, thread: str) -> None:
        while not await self._try(thread):
            await asyncio.sleep(_AGAIN)

    async def _try(self, thread: str) -> bool:
        [(got,)] = await self._ask(_TRY, thread=thread)
        self._held[thread] += bool(got)
        return bool(got)

    async def _unlock(self, thread: str) -> None:
        try:
            await self._ask(f"SELECT pg_advisory_unlock({_NUMBER})", thread=thread)
        finally:
            self._held -= Counter([thread])

    async def _ask(self, query: str, thread: str = "", **values: object) -> list[tuple[Any, ...]]:
        given = {"lock": self._name(thread), "thread": thread, **values}
        async with self._statement:
            with self.database.explained():
                cursor = await (await self._connected()).execute(query, given)
                return await cursor.fetchall() if cursor.description is not None else []

    def _name(self, thread: str) -> str:
        return f"{self.database.url.schema} turn {thread}"

    async def _connected(self) -> "AsyncConnection[Any]":
        """The connection; one that was lost took its locks with it, and is made again with them."""
        if self._connection is None or self._connection.closed:
            lost = self._connection is not None
            self._connection = connection = await self._connect()
            if lost:
                self._returned = time.monotonic()
                for thread in self._held.elements():
                    await connection.execute(_TRY, {"lock": self._name(thread)})
                _log.warning("The connection to the sessions was lost and is back.")
        return self._connection

    async def _connect(self) -> "AsyncConnection[Any]":
        from psycopg import AsyncConnection

        connection = await AsyncConnection.connect(self.database.url.address, autocommit=True)
        await connection.execute("SELECT set_config('search_path', %s, false)", (self.database.url.schema,))
        return connection
