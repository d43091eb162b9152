"""The coordinator's desk: workers ask it whatever a limit, a key or a price is on, and tell it how far they are.

A request to a chat model, or to an embedding model that is a service, is made by the coordinator. So the limits on
requests at once and per second, the cache of answers and the ledger are one for the whole run, however many workers
there are, and no worker needs a key.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from soprag.graphs.benchmark.runner import Emit
from soprag.tools import errors
from soprag.tools.embedding import Embedder
from soprag.tools.errors import ServiceError, SopragError
from soprag.tools.llm import Llm, every_task

Reply = dict[str, Any]


@dataclass
class Desk:
    """Answers workers with the models of the coordinator; `listeners` by ticket hear of progress."""

    llm: Llm
    embedder: Embedder
    listeners: dict[str, Emit] = field(default_factory=dict)
    address: str = ""

    async def ask(self, task: str, inputs: str) -> Reply:
        """The answer of the chat model to a task, both as JSON."""
        known = {each.name: each for each in every_task()}[task]
        try:
            answer = await self.llm.ask(known, known.asks.model_validate_json(inputs))
        except SopragError as error:
            return {"error": type(error).__name__, "message": str(error)}
        return {"answer": answer.model_dump_json()}

    async def embed(self, texts: list[str]) -> Reply:
        """The vectors of texts: float32, row by row."""
        try:
            vectors = await asyncio.to_thread(self.embedder.embed, list(texts))
        except SopragError as error:
            return {"error": type(error).__name__, "message": str(error)}
        return {"vectors": vectors.tobytes(), "shape": list(vectors.shape)}

    async def tell(self, ticket: str, event: dict[str, Any]) -> Reply:
        """Pass a progress event on; one that nobody waits for any more is dropped."""
        listener = self.listeners.get(ticket)
        if listener:
            listener(event)
        return {}


@asynccontextmanager
async def open_desk(desk: Desk, interface: str, listening: dict[str, Any]) -> AsyncIterator[Desk]:
    """The desk while it listens on a free port of `interface`, such as `tcp://127.0.0.1`; `listening`: Dask's TLS."""
    from distributed.core import Server

    handlers = {"ask": desk.ask, "embed": desk.embed, "tell": desk.tell}
    server = Server(handlers, needs_workdir=False)
    await server.listen(f"{interface}:0", **listening)
    desk.address = server.address
    try:
        yield desk
    finally:
        await server.close()


def raise_error(reply: Reply) -> None:
    """Raise the error that a reply of the desk tells of, if it does."""
    if "error" in reply:
        raise getattr(errors, reply["error"], ServiceError)(reply["message"])
