"""The checkpoints of a run, a session or a server, with the types of a graph's channels allowed by name."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

from langchain_core.messages import BaseMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import BaseModel

from soprag.graphs.run_states import RunStates, SqliteRunStates
from soprag.tools.store.session_database import SessionDatabase


@asynccontextmanager
async def open_served_checkpoints(place: Path | SessionDatabase, *states: type[Any]) -> AsyncIterator[RunStates]:
    """The checkpoints of a server, in a file or beside its records, restored as by `open_checkpoints`."""
    if isinstance(place, SessionDatabase):
        from soprag.graphs.postgres_checkpoints import open_postgres_checkpoints

        async with open_postgres_checkpoints(place, serializer(*states)) as shared:
            yield shared
        return
    async with SqliteRunStates.from_conn_string(str(place)) as saver:
        saver.serde = serializer(*states)
        yield cast(SqliteRunStates, saver)


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
