"""How often a host is asked: in order of arrival, with a gap, and not at all while it asks for a pause."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


class Paused(Exception):
    """The host asked for a pause that is longer than anybody waits."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the host asked for a pause of {seconds:.0f} s more")
        self.seconds = seconds


@dataclass
class _Host:
    slots: asyncio.Semaphore
    next: float = 0.0  # when the next request may start
    held: float = 0.0  # until when the host asked for a pause


@dataclass
class Pacer:
    """Turns per host: at most `per_host` under way, `delay` seconds from start to start."""

    delay: float
    per_host: int
    longest_pause: float
    _hosts: dict[str, _Host] = field(default_factory=dict)

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0) -> AsyncIterator[None]:
        """Wait until it is our turn, and hold it; raises `Paused` when that would take too long."""
        mine = self._host(host)
        async with mine.slots:
            # Reserved without an await in between: whoever comes next sees it.
            now = time.monotonic()
            start = max(now, mine.next, mine.held)
            if mine.held - now > self.longest_pause:
                raise Paused(mine.held - now)
            mine.next = start + max(delay, self.delay)
            await asyncio.sleep(start - now)
            yield

    def hold(self, host: str, seconds: float) -> None:
        """The host asked for a pause."""
        mine = self._host(host)
        mine.held = max(mine.held, time.monotonic() + seconds)

    def _host(self, name: str) -> _Host:
        return self._hosts.setdefault(name, _Host(asyncio.Semaphore(self.per_host)))
