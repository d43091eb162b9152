"""Rate limit per host: requests in order of arrival, with a minimum interval, and none during a Retry-After."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


class Paused(Exception):
    """The Retry-After of a host is longer than `Pacer.longest_pause`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the host asked for a pause of {seconds:.0f} s more")
        self.seconds = seconds


@dataclass
class _Host:
    slots: asyncio.Semaphore
    next_start: float = 0.0  # monotonic seconds, earliest start of the next request
    paused_until: float = 0.0  # monotonic seconds, end of the Retry-After


@dataclass
class Pacer:
    """Limits requests per host: at most `per_host` at once, `delay` seconds from start to start.

    A Retry-After keeps requests from its host for at most `longest_hold` seconds, so that one page cannot exclude the
    other pages of its host from a run. Other hosts are not affected.
    """

    delay: float
    per_host: int
    longest_pause: float
    longest_hold: float
    _hosts: dict[str, _Host] = field(default_factory=dict)

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0) -> AsyncIterator[None]:
        """Wait for a free slot and hold it; raises `Paused` when a Retry-After runs longer than `longest_pause`."""
        state = self._host(host)
        async with state.slots:
            # No await between reading and writing the start time, so two requests never get the same one.
            clock = time.monotonic()
            start = max(clock, state.next_start, state.paused_until)
            if state.paused_until - clock > self.longest_pause:
                raise Paused(state.paused_until - clock)
            state.next_start = start + max(delay, self.delay)
            await asyncio.sleep(start - clock)
            yield

    def hold(self, host: str, seconds: float) -> None:
        """Send nothing to `host` for `seconds` seconds, its Retry-After, or for `longest_hold` when that is shorter."""
        state = self._host(host)
        state.paused_until = max(state.paused_until, time.monotonic() + min(seconds, self.longest_hold))

    def _host(self, name: str) -> _Host:
        return self._hosts.setdefault(name, _Host(asyncio.Semaphore(self.per_host)))
