"""The models of the coordinator as a worker sees them: each request goes to the coordinator's desk."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from soprag.apps.cluster.desk import Reply, raise_error
from soprag.tools.embedding import Vectors
from soprag.tools.errors import ConfigError
from soprag.tools.llm import Ledger, Task
from soprag.tools.tasks.task import Answer, Ask


class DeskLink:
    """The connection of a worker to the desk; used in one event loop."""

    def __init__(self, address: str, connecting: dict[str, Any]) -> None:
        from distributed.core import rpc

        self.address = address
        self._desk = rpc(address, connection_args=connecting)

    async def call(self, operation: str, **message: Any) -> Reply:  # noqa: ANN401 - as the operation takes it
        """The desk's reply; raises the error that it tells of, or `ConfigError` when it cannot be reached."""
        try:
            reply: Reply = await getattr(self._desk, operation)(**message)
        except OSError as fault:
            raise ConfigError(
                f"A worker cannot reach the coordinator at {self.address}: {fault}; the workers must be able to open "
                "connections to the machine that coordinates the run."
            ) from fault
        raise_error(reply)
        return reply

    async def close(self) -> None:
        """Close the connections."""
        await self._desk.close_rpc()


@dataclass(frozen=True)
class DeskLlm:
    """The chat model of the coordinator, which counts what is asked; `editions` are its fingerprints by task."""

    name: str
    editions: Mapping[str, str]
    link: DeskLink

    @property
    def ledger(self) -> Ledger:
        """Nothing: the coordinator counts."""
        return Ledger()

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """That of the coordinator's model."""
        return self.editions[task.name]

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The coordinator's answer."""
        reply = await self.link.call("ask", task=task.name, inputs=inputs.model_dump_json())
        return task.answers.model_validate_json(reply["answer"])


@dataclass(frozen=True)
class DeskEmbedder:
    """The embedding service of the coordinator, for threads beside `loop`."""

    name: str
    link: DeskLink
    loop: asyncio.AbstractEventLoop

    def embed(self, texts: list[str]) -> Vectors:
        """The coordinator's vectors."""
        asked = asyncio.run_coroutine_threadsafe(self.link.call("embed", texts=texts), self.loop)
        reply = asked.result()
        return np.frombuffer(reply["vectors"], dtype=np.float32).reshape(reply["shape"])
