"""What a server keeps of each run: its input and its newest state, in SQLite or in PostgreSQL."""

import json
import sqlite3
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from soprag.tools.errors import StorageError

_KEY = "thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"

StateKey = tuple[str, str, str]  # thread, namespace, checkpoint


class RunStates(BaseCheckpointSaver[Any]):
    """Keeps the newest state of a run in place of the one before it.

    A run that was killed goes on at its newest state. LangGraph would keep the state after every superstep, each with
    all channels: seven copies for one answer.
    """

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint in place of the one of the same run before it."""
        with self._written():
            place = config["configurable"]
            parent = await self._parent_in_run(place, get_checkpoint_metadata(config, metadata))
            if parent is None:
                return await super().aput(config, checkpoint, metadata, new_versions)
            put = {**config, "configurable": {**place, "checkpoint_id": parent}}
            stored = await super().aput(cast(RunnableConfig, put), checkpoint, metadata, new_versions)
            await self._replace((place["thread_id"], place["checkpoint_ns"], place["checkpoint_id"]), checkpoint["id"])
            return stored

    def _written(self) -> AbstractContextManager[None]:
        """Says in a `StorageError` what became of a write that failed, where the saver itself does not."""
        return nullcontext()

    async def _parent_in_run(self, place: dict[str, Any], metadata: CheckpointMetadata) -> str | None:
        """The parent of the checkpoint before, if that is a superstep of the same run."""
        if metadata.get("source") != "loop" or not place.get("checkpoint_id"):
            return None
        before = await self._row((place["thread_id"], place["checkpoint_ns"], place["checkpoint_id"]))
        if before is None:
            return None
        parent, known = before
        same = known.get("source") == "loop" and known.get("run_id") == metadata.get("run_id")
        return parent if same else None

    @abstractmethod
    async def _row(self, key: StateKey) -> tuple[str, dict[str, Any]] | None:
        """The parent and the metadata of a checkpoint."""

    @abstractmethod
    async def _replace(self, key: StateKey, newer: str) -> None:
        """Delete a checkpoint after the newer one that takes its place was kept."""


class SqliteRunStates(RunStates, AsyncSqliteSaver):
    """The states of runs in one file, which one process writes."""

    @contextmanager
    def _written(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            advice = "free some space, or mend the file, and send the message again"
            raise StorageError(f"The state of the thread cannot be kept: {error}; {advice}.") from error

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a task wrote; raises `StorageError` when the file cannot be written, as on a full disk."""
        with self._written():
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete all checkpoints of these runs, as a client asks that replaces a message by the next one."""
        async with self.lock:
            query = "SELECT thread_id, checkpoint_ns, checkpoint_id, metadata FROM checkpoints"
            rows = [tuple(row) async for row in await self.conn.execute(query)]
        await self._delete([row[:3] for row in rows if json.loads(row[3]).get("run_id") in run_ids])

    async def _row(self, key: StateKey) -> tuple[str, dict[str, Any]] | None:
        query = f"SELECT parent_checkpoint_id, metadata FROM checkpoints WHERE {_KEY}"
        async with self.lock:
            row = await (await self.conn.execute(query, key)).fetchone()
        return (row[0], json.loads(row[1])) if row else None

    async def _replace(self, key: StateKey, newer: str) -> None:
        await self._delete([key])

    async def _delete(self, keys: Sequence[tuple[str, ...]]) -> None:
        async with self.lock:
            await self.conn.executemany(f"DELETE FROM writes WHERE {_KEY}", keys)
            await self.conn.executemany(f"DELETE FROM checkpoints WHERE {_KEY}", keys)
            await self.conn.commit()
