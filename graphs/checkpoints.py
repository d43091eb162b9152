"""The checkpoint file of a run or a session: SQLite, with the types of a graph's channels allowed by name."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, get_checkpoint_metadata
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import BaseModel

_KEY = "thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"


class RunCheckpoints(AsyncSqliteSaver):
    """The checkpoints of a server: of each run its input and its newest state.

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
        place = config["configurable"]
        before = await self._before(place, get_checkpoint_metadata(config, metadata))
        if before is None:
            return await super().aput(config, checkpoint, metadata, new_versions)
        put = {**config, "configurable": {**place, "checkpoint_id": before["parent_checkpoint_id"]}}
        stored = await super().aput(cast(RunnableConfig, put), checkpoint, metadata, new_versions)
        await self._delete([(place["thread_id"], place["checkpoint_ns"], place["checkpoint_id"])])
        return stored

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete all checkpoints of these runs, as a client asks that replaces a message by the next one."""
        async with self.lock:
            query = "SELECT thread_id, checkpoint_ns, checkpoint_id, metadata FROM checkpoints"
            rows = [tuple(row) async for row in await self.conn.execute(query)]
        await self._delete([row[:3] for row in rows if json.loads(row[3]).get("run_id") in run_ids])

    async def _before(self, place: dict[str, Any], metadata: CheckpointMetadata) -> dict[str, Any] | None:
        """The checkpoint before, if it is a superstep of the same run."""
        if metadata.get("source") != "loop" or not place.get("checkpoint_id"):
            return None
        key = (place["thread_id"], place["checkpoint_ns"], place["checkpoint_id"])
        query = f"SELECT parent_checkpoint_id, metadata FROM checkpoints WHERE {_KEY}"
        async with self.lock:
            row = await (await self.conn.execute(query, key)).fetchone()
        before = json.loads(row[1]) if row else {}
        same = before.get("source") == "loop" and before.get("run_id") == metadata.get("run_id")
        return {"parent_checkpoint_id": row[0]} if row and same else None

    async def _delete(self, keys: Sequence[tuple[str, ...]]) -> None:
        async with self.lock:
            await self.conn.executemany(f"DELETE FROM writes WHERE {_KEY}", keys)
            await self.conn.executemany(f"DELETE FROM checkpoints WHERE {_KEY}", keys)
            await self.conn.commit()


@asynccontextmanager
async def open_served_checkpoints(file: Path, *states: type[Any]) -> AsyncIterator[RunCheckpoints]:
    """The checkpoints of a server in `file`, restored as by `open_checkpoints`."""
    async with RunCheckpoints.from_conn_string(str(file)) as saver:
        saver.serde = serializer(*states)
        yield cast(RunCheckpoints, saver)


@asynccontextmanager
async def open_checkpoints(file: Path, *states: type[Any]) -> AsyncIterator[AsyncSqliteSaver]:
    """The checkpoints in `file`, for graphs with these state classes.

    Values of other types are not restored from the file: a checkpoint that somebody changed cannot name a class of its
    own. This holds with and without LANGGRAPH_STRICT_MSGPACK.
    """
    async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
        saver.serde = serializer(*states)
        yield saver


def serializer(*states: type[Any]) -> JsonPlusSerializer:
    """What reads and writes the values of checkpoints with these state classes."""
    return JsonPlusSerializer(allowed_msgpack_modules=channel_types(*states))


def channel_types(*states: type[Any]) -> list[type[BaseModel]]:
    """The models that the channels of these state classes hold, each once."""
    hints = (hint for state in states for hint in get_type_hints(state, include_extras=True).values())
    return list(dict.fromkeys(model for hint in hints for model in _models(hint)))


def _models(hint: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401 - any annotation
    if isinstance(hint, type) and issubclass(hint, BaseModel) and not issubclass(hint, BaseMessage):
        yield hint  # messages are allowed by LangGraph itself
    for argument in get_args(hint):
        yield from _models(argument)
