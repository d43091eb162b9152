"""Where the sessions of a server are kept, and which of its processes works on a thread."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from soprag.apps import process
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.configs.settings import Settings
from soprag.tools.store.postgres_record import PostgresRecord
from soprag.tools.store.record_place import RecordPlace
from soprag.tools.store.session_database import SessionDatabase
from soprag.tools.store.turns import Turns

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


def served_database(settings: Settings) -> SessionDatabase | None:
    """The database of the sessions; None where they are kept on this machine."""
    return SessionDatabase.of(settings.serve.sessions) if settings.serve.sessions else None


def served_records(settings: Settings) -> Callable[[str], RecordPlace] | None:
    """Where the record of a thread lies, if it is not in the thread's folder."""
    database = served_database(settings)
    return partial(PostgresRecord, database) if database else None


@dataclass
class ServedTurns:
    """The turns of this process, which other processes must not work on at the same time."""

    opened: "list[Turns | None]" = field(default_factory=list)  # none yet, or what the settings ask for
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self) -> Turns | None:
        """The turns of the database; None without one, where this process is alone."""
        async with self.lock:
            if not self.opened:
                self.opened.append(await asyncio.to_thread(_open))
            return self.opened[0]

    @asynccontextmanager
    async def hold(self, config: "RunnableConfig", graph: str) -> AsyncIterator[None]:
        """Work on the thread of a run when no other process does."""
        turns, thread = await self.open(), config["configurable"].get("thread_id")
        if turns is None or thread is None:
            yield
            return
        async with turns.hold(str(thread), graph):
            yield


def _open() -> Turns | None:
    process.prepare()
    database = served_database(open_settings(choose_profile(None), {}))
    return Turns(database) if database else None
