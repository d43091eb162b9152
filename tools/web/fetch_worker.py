"""A process that sends the HTTP requests to its share of the hosts: `python -m soprag.tools.web.fetch_worker`.

The first line of stdin holds the settings, every other one a request or an answer. The budget of the run and the name
service stay with the parent: the process asks it before each request, each chunk and, if it is to, each name.
"""

import asyncio
import itertools
import sys
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field

from soprag.configs.settings import WebSettings
from soprag.tools.errors import BudgetSpent
from soprag.tools.sop import Frozen
from soprag.tools.web.budget import Resource
from soprag.tools.web.exchange import HttpReply, Stopped, open_exchange
from soprag.tools.web.guard import AddressPolicy, GuardedBackend
from soprag.tools.web.outcome import OutcomeKind

LINE = 2**20  # bytes of the longest line


class WorkerStart(Frozen):
    """What a process needs to know first; `resolves`: names are resolved by the parent."""

    settings: WebSettings
    allow: tuple[str, ...]
    resolves: bool


class SpentResource(Frozen):
    """The budget that is used up."""

    resource: str
    limit: float


class ParentMessage(Frozen):
    """A request (`url`), or the answer to the question of this number; `seconds` of the run are left."""

    number: int
    url: str = ""
    cap: int = 0
    delay: float = 0.0
    seconds: float = 0.0
    spent: SpentResource | None = None
    addresses: tuple[str, ...] = ()
    failure: str = ""


class StoppedRequest(Frozen):
    """The fields of a `Stopped`."""

    kind: OutcomeKind
    reason: str
    status: int
    again: bool
    pause: float | None


class WorkerMessage(Frozen):
    """A question (`fetches` and `bytes` to reserve, or a `host` to resolve), bytes to return, or the end of a request.

    `size` bytes, the body, follow a reply.
    """

    number: int = 0
    ask: bool = False
    fetches: int = 0
    bytes: int = 0
    unused: int = 0
    host: str = ""
    port: int = 0
    status: int = 0
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    location: str = ""
    wire: int = 0
    size: int = 0
    failure: StoppedRequest | None = None
    spent: SpentResource | None = None
    dialled: tuple[tuple[str, str], ...] = ()


@dataclass
class ParentProcess:
    """The other end of the pipe, as a budget and a name service."""

    _questions: dict[int, "asyncio.Future[ParentMessage]"] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    _ends: float = 0.0  # monotonic seconds at which the time of the run is used up

    async def reserve(self, *, fetches: int = 0, bytes: int = 0) -> None:
        """Reserve these amounts; raises `BudgetSpent`."""
        answer = await self._ask(WorkerMessage(fetches=fetches, bytes=bytes))
        self._ends = time.monotonic() + answer.seconds
        if answer.spent:
            raise BudgetSpent(answer.spent.resource, answer.spent.limit)

    def give_back(self, *, bytes: int) -> None:
        """Return an amount that was reserved and not used."""
        send(WorkerMessage(unused=bytes))

    def remaining(self, resource: Resource) -> float:
        """The seconds of the run that are left, by the last answer."""
        assert resource == "seconds"
        return self._ends - time.monotonic()

    def check(self) -> None:
        """Raise `BudgetSpent` when the time is used up."""
        if self.remaining("seconds") <= 0:
            raise BudgetSpent("seconds", 0)

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of a name; raises `OSError`."""
        answer = await self._ask(WorkerMessage(host=host, port=port))
        if answer.failure:
            raise OSError(answer.failure)
        return list(answer.addresses)

    def answered(self, answer: ParentMessage) -> None:
        """Hand an answer to the one who asked."""
        self._questions.pop(answer.number).set_result(answer)

    async def _ask(self, question: WorkerMessage) -> ParentMessage:
        number = next(self._numbers)
        self._questions[number] = asyncio.get_running_loop().create_future()
        send(question.model_copy(update={"number": number, "ask": True}))
        return await self._questions[number]


def send(message: WorkerMessage, data: bytes = b"") -> None:
    """Write a message and the body that follows it."""
    sys.stdout.buffer.write(message.model_dump_json(exclude_defaults=True).encode() + b"\n" + data)
    sys.stdout.buffer.flush()


async def serve(lines: asyncio.StreamReader) -> None:
    """Send what is asked for until the parent closes the pipe."""
    start, parent = WorkerStart.model_validate_json(await lines.readline()), ParentProcess()
    policy = AddressPolicy.parse(start.allow, start.settings.ports)
    backend = GuardedBackend(policy, parent.resolve if start.resolves else None, start.settings.max_head)
    requests: set[asyncio.Task[None]] = set()
    async with open_exchange(start.settings, backend, parent) as exchange:

        async def answer(request: ParentMessage) -> None:
            message, data = await _outcome(exchange.get(request.url, request.cap, request.delay))
            dialled = tuple(sorted(backend.dialled))
            backend.dialled.clear()
            send(message.model_copy(update={"number": request.number, "dialled": dialled}), data)

        while line := await lines.readline():
            message = ParentMessage.model_validate_json(line)
            if message.url:
                requests.add(task := asyncio.create_task(answer(message)))
                task.add_done_callback(requests.discard)
            else:
                parent.answered(message)
        for task in requests:
            task.cancel()


async def _outcome(request: Awaitable[HttpReply]) -> tuple[WorkerMessage, bytes]:
    try:
        reply = await request
    except BudgetSpent as spent:
        return WorkerMessage(spent=SpentResource(resource=spent.resource, limit=spent.limit)), b""
    except Stopped as why:
        failure = StoppedRequest(kind=why.kind, reason=str(why), status=why.status, again=why.again, pause=why.pause)
        return WorkerMessage(failure=failure), b""
    headers = tuple(reply.headers.multi_items())
    return WorkerMessage(
        url=reply.url, status=reply.status, headers=headers, location=reply.location, wire=reply.wire,
        size=len(reply.data),
    ), reply.data  # fmt: skip


async def main() -> None:
    """Connect to the pipes of the parent."""
    lines = asyncio.StreamReader(limit=LINE)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    await serve(lines)


if __name__ == "__main__":
    asyncio.run(main())
