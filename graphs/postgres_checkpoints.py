"""The checkpoints of servers in PostgreSQL, where every process and machine finds them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.postgres.base import MIGRATIONS
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection, Connection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from soprag.graphs.run_states import RunStates, StateKey
from soprag.tools.store.session_database import SessionDatabase

_MOST = 10  # connections of a process
_REACH = 10.0  # seconds for a connection
_KEY = "thread_id = %(thread)s AND checkpoint_ns = %(space)s AND checkpoint_id"
# A value of a channel is kept while a checkpoint that stays has its version: the input of the run, or the newer state.
_REPLACE = f"""
    WITH gone AS (
        DELETE FROM checkpoints WHERE {_KEY} = %(gone)s
        RETURNING parent_checkpoint_id AS parent, checkpoint -> 'channel_versions' AS versions
    ), writes AS (
        DELETE FROM checkpoint_writes WHERE {_KEY} = %(gone)s
    ), kept AS (
        SELECT checkpoint -> 'channel_versions' AS versions FROM checkpoints
        WHERE {_KEY} IN (%(newer)s, (SELECT parent FROM gone))
    )
    DELETE FROM checkpoint_blobs blob USING gone, jsonb_each_text(gone.versions) AS old
    WHERE blob.thread_id = %(thread)s AND blob.checkpoint_ns = %(space)s
        AND blob.channel = old.key AND blob.version = old.value
        AND NOT EXISTS (SELECT FROM kept WHERE kept.versions ->> old.key = old.value)"""
_OF_RUNS = """
    WITH gone AS (
        DELETE FROM checkpoints WHERE metadata ->> 'run_id' = ANY(%s) RETURNING thread_id, checkpoint_ns, checkpoint_id
    )
    DELETE FROM checkpoint_writes USING gone
    WHERE (checkpoint_writes.thread_id, checkpoint_writes.checkpoint_ns, checkpoint_writes.checkpoint_id)
        = (gone.thread_id, gone.checkpoint_ns, gone.checkpoint_id)"""


class PooledSaver(AsyncPostgresSaver):
    """LangGraph's saver with as many statements at once as its pool has connections.

    The shipped one holds a single lock around the pool, so that one connection works and the others wait.
    """

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[DictRow]], serde: JsonPlusSerializer) -> None:
        super().__init__(pool, serde=serde)
        self.lock = asyncio.Semaphore(pool.max_size)  # type: ignore[assignment]


class PostgresRunStates(RunStates, PooledSaver):
    """The states of runs in a database that many processes write."""

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete all checkpoints of these runs; values that they alone had go with their thread."""
        async with self._cursor() as cursor:
            await cursor.execute(_OF_RUNS, ([str(run) for run in run_ids],))

    async def _row(self, key: StateKey) -> tuple[str, dict[str, Any]] | None:
        query = f"SELECT parent_checkpoint_id, metadata FROM checkpoints WHERE {_KEY} = %(at)s"
        async with self._cursor() as cursor:
            await cursor.execute(query, {"thread": key[0], "space": key[1], "at": key[2]})
            row = await cursor.fetchone()
        return (row["parent_checkpoint_id"], row["metadata"]) if row else None

    async def _replace(self, key: StateKey, newer: str) -> None:
        async with self._cursor() as cursor:
            values = {"thread": key[0], "space": key[1], "gone": key[2], "newer": newer}
            await cursor.execute(_REPLACE, values)


@asynccontextmanager
async def open_postgres_checkpoints(
    database: SessionDatabase, serde: JsonPlusSerializer
) -> AsyncIterator[PostgresRunStates]:
    """The checkpoints in the schema of a database, whose tables are made where they are missing."""
    await asyncio.to_thread(database.prepare, _make_tables)

    async def configure(connection: AsyncConnection[DictRow]) -> None:
        await connection.execute("SELECT set_config('search_path', %s, false)", (database.url.schema,))

    pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        database.url.address,
        min_size=1,
        max_size=_MOST,
        timeout=_REACH,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
        configure=configure,
        check=AsyncConnectionPool.check_connection,
        open=False,
    )
    async with pool:
        yield PostgresRunStates(pool, serde)


def _make_tables(connection: "Connection[Any]") -> None:
    """Bring LangGraph's tables up to date, as `setup` of its saver does, which several processes may not do at once."""
    connection.execute(MIGRATIONS[0])
    row = connection.execute("SELECT coalesce(max(v), -1) FROM checkpoint_migrations").fetchone()
    for version in range((row[0] if row else -1) + 1, len(MIGRATIONS)):
        connection.execute(MIGRATIONS[version])
        connection.execute("INSERT INTO checkpoint_migrations (v) VALUES (%s)", (version,))
