"""Retry policy and deadline for search services."""

import asyncio
import contextlib
import logging
import random
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from soprag.tools.errors import SearchError

log = logging.getLogger(__name__)
Value = TypeVar("Value")


class Again(Exception):
    """A transient failure: retry after at least `wait` seconds; `final` is raised when the retries are used up."""

    def __init__(self, final: SearchError, wait: float = 0.0) -> None:
        super().__init__(str(final))
        self.final = final
        self.wait = wait


@dataclass(frozen=True)
class SearchRetry:
    """How often a failed search is sent again; the first pause, doubled each time, and the longest one, in seconds."""

    retries: int
    first_wait: float
    longest_wait: float

    async def insist(self, ask: Callable[[], Awaitable[Value]]) -> Value:
        """The answer of `ask`; raises its final error when every try failed or the service wants a longer pause."""
        for trial in range(self.retries + 1):
            try:
                return await ask()
            except Again as again:
                failure = again
            wait = max(failure.wait, self.first_wait * 2**trial * random.uniform(0.8, 1.2))
            if trial == self.retries or failure.wait > self.longest_wait:
                break
            log.info("%s Asking again in %.1f s.", failure.final, min(wait, self.longest_wait))
            await asyncio.sleep(min(wait, self.longest_wait))
        # Outside of the except block: what is raised carries no other exception, and so nothing of its texts.
        raise failure.final


async def aside(work: Callable[[], Value], deadline: float) -> Value:
    """The result of blocking `work`, done in a thread of its own; raises `TimeoutError` after `deadline` seconds.

    The thread is a daemon: one that hangs in a slow answer is left behind and does not keep the process alive.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Value] = loop.create_future()

    def settle(value: Value | None, error: BaseException | None) -> None:
        if not result.done():
            result.set_exception(error) if error else result.set_result(value)  # type: ignore[arg-type]

    def run() -> None:
        value, error = None, None
        try:
            value = work()
        except BaseException as raised:  # noqa: BLE001 - handed over to the task that waits
            error = raised
        with contextlib.suppress(RuntimeError):  # nobody waits any more: the loop is closed
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, daemon=True, name="search").start()
    async with asyncio.timeout(deadline):
        return await result
