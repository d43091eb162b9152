"""What lets any process of a server go on with any thread: it meets the threads of the others, and takes up cut turns.

The LangGraph server knows the threads that it was asked to make; their states and records are in the database.
"""

import asyncio
import logging
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from soprag.apps.serve.access import HEADER, allowed
from soprag.apps.studio import turns as served_turns
from soprag.tools.errors import StorageError
from soprag.tools.store.turns import CutTurn, Turns

if TYPE_CHECKING:
    from langgraph_sdk.client import LangGraphClient

_log = logging.getLogger(__name__)
_THREAD = re.compile(r"/threads/([0-9a-fA-F-]{36})(/runs)?(?:/|$)")
_LOOK = 2.0  # seconds between two looks for turns that were cut off
_TRIES = 3  # after as many a turn is given up: it may be what ends the processes
_KNOWN = 10_000  # threads
_AWAY = "The database of the sessions does not answer. Nothing was received; send it again."


@dataclass
class SharedThreads:
    """The threads of the database, as this process serves them."""

    turns: Turns
    known: dict[str, None] = field(default_factory=dict)  # this process knows them with their graph

    async def meet(self, thread: str) -> None:
        """Make a thread of another process known to the LangGraph server of this one."""
        if thread in self.known:
            return
        graph = await self.turns.graph_of(thread)
        metadata = {"graph_id": graph} if graph else {}
        made = await self._client.threads.create(thread_id=thread, metadata=metadata, if_exists="do_nothing")
        if not graph:
            return  # nothing of it is kept yet; the next request looks again
        if "graph_id" not in (made["metadata"] or {}):
            await self._client.threads.update(thread, metadata=metadata)
        self.known[thread] = None
        if len(self.known) > _KNOWN:
            self.known.pop(next(iter(self.known)))

    async def take_up(self, thread: str = "") -> None:
        """Go on with the turns whose process died, or with that of one thread."""
        for turn in await self.turns.cut(thread):
            async with self.turns.take(turn) as taken:
                if taken:
                    await self._go_on(turn)

    async def watch(self) -> None:
        """Take up turns that were cut off, until this is cancelled."""
        while True:
            try:
                await self.take_up()
            except StorageError as error:
                _log.warning("%s", error)
            await asyncio.sleep(_LOOK)

    async def _go_on(self, turn: CutTurn) -> None:
        """Go on where the turn was cut off; what was done of it is in its state and its record, and not done again."""
        await self.meet(turn.thread)
        state = await self._client.threads.get_state(turn.thread)
        waits = any(task["interrupts"] for task in state["tasks"])
        if not state["next"] or waits:  # it had ended, or nothing of it was kept, or a person is asked
            await self.turns.forget(turn.thread)
            return
        if turn.tries > _TRIES:
            _log.error("The turn of thread %s was cut off %d times and is given up.", turn.thread, turn.tries)
            await self.turns.forget(turn.thread)
            return
        _log.warning("The turn of thread %s was cut off; this process goes on with it.", turn.thread)
        await self._client.runs.wait(turn.thread, turn.graph, input=None, raise_error=False)

    @cached_property
    def _client(self) -> "LangGraphClient":
        from langgraph_sdk import get_client

        return get_client()  # without an address: the server of this process


class MeetThreads:
    """Middleware: before a request about a thread is answered, this process knows it and took up its cut turn."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        app = self.app
        shared = await shared_threads() if scope["type"] == "http" and scope.get("root_path") != "/noauth" else None
        match = _THREAD.match(scope["path"]) if shared else None
        if shared and match and allowed(Headers(scope=scope).get(HEADER)):
            try:
                if match[2] and scope["method"] == "POST":
                    await shared.take_up(match[1])
                await shared.meet(match[1])
            except StorageError as error:
                _log.error("%s", error)
                app = PlainTextResponse(_AWAY, 503)
        await app(scope, receive, send)


_opened: dict[int, SharedThreads] = {}


async def shared_threads() -> SharedThreads | None:
    """The shared threads of this process; None without a database."""
    turns = await served_turns.open()
    return _opened.setdefault(id(turns), SharedThreads(turns)) if turns else None
