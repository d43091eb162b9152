"""Begins a turn when its message arrives.

The queue of the LangGraph server that runs in one process looks for new turns twice a second, and not yet for those
that came since its look before: a lone operator waits three quarters of a second for a turn that takes a tenth.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

_QUEUE = "langgraph_runtime_inmem.ops"  # the module of `Runs`; another runtime has a queue that wakes by itself
_LOOK = 0.5  # seconds, as the queue: turns that were put off, or wait for another of their thread


def wake(runs: Any) -> None:  # noqa: ANN401 - a class of the server's runtime
    """From now on a turn that is put into this queue (`Runs`) is taken out at once."""
    put, take, arrived = runs.put, runs.next, asyncio.Event()

    async def put_and_wake(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - passed on as it is
        turns = await put(*given, **named)
        arrived.set()
        return turns

    async def next_when_woken(wait: bool, limit: int = 1) -> AsyncIterator[Any]:
        if wait:
            with suppress(TimeoutError):
                await asyncio.wait_for(arrived.wait(), _LOOK)
        arrived.clear()
        async for turn in take(wait=False, limit=limit):
            yield turn

    runs.put, runs.next = staticmethod(put_and_wake), staticmethod(next_when_woken)


def wake_queue() -> None:
    """Wake the queue of the server that runs in this process; one of another make is left as it is."""
    runs = getattr(sys.modules.get(_QUEUE), "Runs", None)
    if hasattr(runs, "put") and hasattr(runs, "next"):
        wake(runs)
