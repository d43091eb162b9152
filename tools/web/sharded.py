"""HTTP requests by several processes: each host belongs to one of them, and the budget stays here.

A host is always served by the same process, so its rate limit holds as if there were only one.
"""

import asyncio
import contextlib
import itertools
import os
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from zlib import crc32

import httpx2

from soprag.configs.settings import WebSettings
from soprag.tools.errors import BudgetSpent
from soprag.tools.web.budget import RunBudget
from soprag.tools.web.exchange import HttpReply, Stopped
from soprag.tools.web.fetch_worker import LINE, ParentMessage, SpentResource, WorkerMessage, WorkerStart
from soprag.tools.web.guard import Resolver

_INHERITED = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH",
              "SSL_CERT_FILE", "SSL_CERT_DIR")  # fmt: skip
_AMPLE = 1e9  # seconds that are left without a budget


@dataclass
class FetchProcess:
    """One process, started with its first request and again when it has ended."""

    start: WorkerStart
    resolver: Resolver | None
    budget: RunBudget | None
    dialled: set[tuple[str, str]]
    _process: asyncio.subprocess.Process | None = None
    _requests: dict[int, "asyncio.Future[HttpReply]"] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self, url: str, cap: int, delay: float) -> HttpReply:
        """The reply to one GET; raises `Stopped` or `BudgetSpent`."""
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                await self._open()
        number = next(self._numbers)
        future: asyncio.Future[HttpReply] = asyncio.get_running_loop().create_future()
        self._requests[number] = future
        try:
            self._send(ParentMessage(number=number, url=url, cap=cap, delay=delay).model_dump_json())
            return await future
        finally:
            self._requests.pop(number, None)

    async def close(self) -> None:
        """End the process."""
        for task in self._tasks:
            task.cancel()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _open(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "soprag.tools.web.fetch_worker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            limit=LINE, env={name: os.environ[name] for name in _INHERITED if name in os.environ},
        )  # fmt: skip
        self._send(self.start.model_dump_json())
        self._begin(self._listen(self._process))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        self._tasks.add(task := asyncio.create_task(work))
        task.add_done_callback(self._tasks.discard)

    def _send(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Take messages until the process ends; its requests fail then, and may be made again."""
        assert process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while line := await process.stdout.readline():
                message = WorkerMessage.model_validate_json(line)
                self._take(message, await process.stdout.readexactly(message.size))
        await process.wait()
        for future in self._requests.values():
            if not future.done():
                future.set_exception(Stopped("network", "The process that fetches has ended.", again=True))

    def _take(self, message: WorkerMessage, data: bytes) -> None:
        if message.ask and message.host:
            self._begin(self._resolve(message))
        elif message.ask:
            self._send(self._reserve(message).model_dump_json())
        elif message.unused:
            if self.budget:
                self.budget.give_back(bytes=message.unused)
        elif (future := self._requests.get(message.number)) and not future.done():
            self.dialled |= set(message.dialled)
            _settle(future, message, data)

    def _reserve(self, message: WorkerMessage) -> ParentMessage:
        if self.budget is None:
            return ParentMessage(number=message.number, seconds=_AMPLE)
        try:
            self.budget.take(fetches=message.fetches, bytes=message.bytes)
        except BudgetSpent as spent:
            return ParentMessage(number=message.number, spent=SpentResource(resource=spent.resource, limit=spent.limit))
        return ParentMessage(number=message.number, seconds=self.budget.remaining("seconds"))

    async def _resolve(self, message: WorkerMessage) -> None:
        assert self.resolver is not None
        try:
            addresses, failure = await self.resolver(message.host, message.port), ""
        except OSError as error:
            addresses, failure = [], str(error) or type(error).__name__
        answer = ParentMessage(number=message.number, addresses=tuple(addresses), failure=failure)
        self._send(answer.model_dump_json())


@dataclass(frozen=True)
class ShardedExchange:
    """Sends each request through the process of its host."""

    settings: WebSettings
    processes: tuple[FetchProcess, ...]
    dialled: set[tuple[str, str]]

    async def get(self, url: str, cap: int, delay: float = 0.0) -> HttpReply:
        """The reply to one GET with a body of at most `cap` decoded bytes; raises `Stopped` or `BudgetSpent`."""
        shard = crc32(urlsplit(url).netloc.encode()) % len(self.processes)
        return await self.processes[shard].get(url, cap, delay)


@asynccontextmanager
async def open_sharded(
    settings: WebSettings, allow: tuple[str, ...], resolver: Resolver | None, budget: RunBudget | None
) -> AsyncIterator[ShardedExchange]:
    """`settings.fetch_workers` processes for the duration of the block."""
    start, dialled = WorkerStart(settings=settings, allow=allow, resolves=resolver is not None), set[tuple[str, str]]()
    processes = tuple(FetchProcess(start, resolver, budget, dialled) for _ in range(settings.fetch_workers))
    try:
        yield ShardedExchange(settings, processes, dialled)
    finally:
        for process in processes:
            await process.close()


def _settle(future: "asyncio.Future[HttpReply]", message: WorkerMessage, data: bytes) -> None:
    if message.spent:
        future.set_exception(BudgetSpent(message.spent.resource, message.spent.limit))
    elif why := message.failure:
        future.set_exception(Stopped(why.kind, why.reason, status=why.status, again=why.again, pause=why.pause))
    else:
        headers = httpx2.Headers(list(message.headers))
        future.set_result(HttpReply(message.url, message.status, headers, data, message.wire, message.location))
