"""Ctrl-C while something is under way: the first cancels it and keeps what was finished, the second leaves."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

TWICE = 2.0  # seconds within which a second Ctrl-C means: leave
INTERRUPTED = 130


def leave_now() -> None:
    """End this process at once: every finished step is on disk, and threads that work on would hold up a clean end."""
    sys.stderr.flush()
    sys.stdout.flush()
    os._exit(INTERRUPTED)


@dataclass
class Stopping:
    """Remembers when Ctrl-C was pressed last."""

    clock: Callable[[], float] = time.monotonic
    leave: Callable[[], None] = leave_now
    last: float = field(default=float("-inf"))

    def pressed(self) -> bool:
        """Note a Ctrl-C; whether it is the second one in short time."""
        before, self.last = self.last, self.clock()
        return self.last - before <= TWICE

    async def run(self, work: Coroutine[Any, Any, None]) -> bool:
        """Do the work; False when Ctrl-C cancelled it."""
        loop, task, cancelled = asyncio.get_running_loop(), asyncio.ensure_future(work), False

        def interrupt(*_: object) -> None:
            nonlocal cancelled
            if self.pressed():
                self.leave()
            cancelled = True
            loop.call_soon_threadsafe(task.cancel)

        # signal.signal and not the loop's own handler: it is heard also while the loop is busy with a computation.
        with _handling(interrupt):
            try:
                await task
            except asyncio.CancelledError:
                if not cancelled:
                    raise
                return False
        return True


@contextmanager
def interruptible() -> Iterator[None]:
    """Where a plain `input` waits: Ctrl-C raises `KeyboardInterrupt` at once."""
    with _handling(signal.default_int_handler):
        yield


@contextmanager
def _handling(handler: Callable[..., Any]) -> Iterator[None]:
    try:
        before = signal.signal(signal.SIGINT, handler)
    except ValueError:  # not in the main thread, where no Ctrl-C arrives
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
