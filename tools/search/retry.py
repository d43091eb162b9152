"""Retries and deadline for search services."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from soprag.tools.errors import SearchError
from soprag.tools.retries import RetryPolicy

log = logging.getLogger(__name__)
Value = TypeVar("Value")


class Again(Exception):
    """A transient failure; the service asks for `pause` seconds; `final` is raised when the retries are used up."""

    def __init__(self, final: SearchError, pause: float | None = None) -> None:
        super().__init__(str(final))
        self.final = final
        self.pause = pause


async def insist(policy: RetryPolicy, ask: Callable[[], Awaitable[Value]]) -> Value:
    """The answer of `ask`; raises its final error when every attempt failed or the service wants a longer pause."""
    attempt = 0
    while True:
        attempt += 1
        try:
            return await ask()
        except Again as again:
            failure = again
        pause = policy.pause(attempt, failure.pause)
        if pause is None:
            break
        log.info("%s Asking again in %.1f s.", failure.final, pause)
        await asyncio.sleep(pause)
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
