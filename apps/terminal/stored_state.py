"""The state in a session's checkpoint, read without opening the graph, and whether it can be gone on with."""

import asyncio
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from soprag.apps.terminal.sessions import SessionFolder
from soprag.tools.errors import StorageError
from soprag.tools.store.branches import on_path
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.session_database import SessionDatabase
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:
    from langgraph.checkpoint.base import CheckpointTuple

    from soprag.tools.flow.state_check import ThreadState

_REASON = 120  # characters
_LATEST = """SELECT type, checkpoint FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''
ORDER BY checkpoint_id DESC LIMIT 1"""


def read_state(folder: SessionFolder) -> "ThreadState | None":
    """The state after the last turn; None when there is none. Raises `StorageError` when the file is damaged."""
    if not folder.checkpoint.is_file() or not folder.checkpoint.stat().st_size:
        return None
    try:
        row = _latest(folder)
        return _thread_state(_values(row)) if row else None
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        reason = one_line(str(error), _REASON) or type(error).__name__
        raise StorageError(f"The checkpoint of the session {folder.id!r} is damaged ({reason}).") from error


def read_shared_state(database: SessionDatabase, thread: str) -> "ThreadState | None":
    """The state of a thread of a server in PostgreSQL; None when there is none."""
    from soprag.graphs.checkpoints import open_served_checkpoints
    from soprag.graphs.flow.state import FlowState
    from soprag.graphs.troubleshoot.state import TroubleshootState

    async def read() -> "CheckpointTuple | None":
        async with open_served_checkpoints(database, TroubleshootState, FlowState) as saver:
            return await saver.aget_tuple({"configurable": {"thread_id": thread, "checkpoint_ns": ""}})

    found = asyncio.run(read())
    return _thread_state(found.checkpoint["channel_values"]) if found else None


def check_state(folder: SessionFolder) -> None:
    """Raise `StorageError` when the session cannot be gone on with.

    That is when its card or its checkpoint is damaged, and when the checkpoint is empty though turns were ended. The
    first turn is recorded before its state is saved, so one recorded turn alone is no sign of a loss.
    """
    card = folder.read()
    try:
        if read_state(folder) is not None:
            return
    except StorageError as error:
        raise StorageError(f"{error} The session cannot be gone on with. {_advice(folder.id)}") from error
    turns = sum(entry.kind == "question" for entry in on_path(Logbook(folder.logbook).entries()))
    if card.turns or turns > 1:
        raise StorageError(
            f"The checkpoint of the session {folder.id!r} is empty or missing, though {max(turns, card.turns)} turns "
            f"were taken, so it cannot be gone on with. {_advice(folder.id)}"
        )


@contextmanager
def checkpoint_errors(session: str) -> Iterator[None]:
    """Raises `StorageError` in place of an error of the checkpoint's database while the session is open."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(
            f"The checkpoint of the session {session!r} cannot be read or written ({one_line(str(error), _REASON)}). "
            f"{_advice(session)}"
        ) from error


def _advice(session: str) -> str:
    return f"Its record can still be read: `soprag export {session}`. `soprag chat` begins a new session."


def _latest(folder: SessionFolder) -> "tuple[str, bytes] | None":
    """Type and bytes of the last checkpoint; raises `sqlite3.Error` for damage anywhere in the file."""
    with closing(sqlite3.connect(f"file:{quote(str(folder.checkpoint))}?mode=ro", uri=True)) as connection:
        [verdict] = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "checkpoints" not in tables:
            return None
        row: tuple[str, bytes] | None = connection.execute(_LATEST, (folder.id,)).fetchone()
        return row


def _values(row: tuple[str, bytes]) -> Mapping[str, Any]:
    from soprag.graphs.checkpoints import serializer
    from soprag.graphs.flow.state import FlowState
    from soprag.graphs.troubleshoot.state import TroubleshootState

    values: Mapping[str, Any] = serializer(TroubleshootState, FlowState).loads_typed(row)["channel_values"]
    return values


def _thread_state(values: Mapping[str, Any]) -> "ThreadState":
    from soprag.graphs.troubleshoot.messages import asked_by
    from soprag.tools.flow.state_check import ThreadState

    said = [message for message in values.get("messages") or () if message.type == "human"]
    # In a thread that is read as messages a reply to a card is one, too; the record has it as what came of it.
    messages = [one for one in said if one.additional_kwargs.get("soprag", {}).get("kind") != "reply"]
    budget = values.get("budget")
    return ThreadState(
        turns=budget.turn if budget else None,
        questions=tuple(asked_by([message]) for message in messages),
        run=values.get("flow"),
    )
