"""robots.txt by RFC 9309: a missing file allows everything, an unreachable one forbids everything."""

import asyncio
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from soprag.tools.web import urls
from soprag.tools.web.exchange import Exchanges, HttpReply, Stopped

if TYPE_CHECKING:
    from protego import Protego

_REDIRECTS = 5


class RobotsStore(Protocol):
    """Storage of robots.txt files, so that a resumed run does not fetch them again."""

    def robots(self, origin: str, youngest: float) -> str | None:
        """The stored text for `origin`; None when there is none fetched since `youngest` (Unix seconds)."""
        ...

    def keep_robots(self, origin: str, text: str, fetched_at: float) -> None:
        """Store the text for `origin`, fetched at `fetched_at` (Unix seconds)."""
        ...


@dataclass
class Memory:
    """A `RobotsStore` in memory, for the life of this process."""

    texts: dict[str, tuple[str, float]] = field(default_factory=dict)

    def robots(self, origin: str, youngest: float) -> str | None:
        """The stored text for `origin`; None when there is none fetched since `youngest` (Unix seconds)."""
        text, fetched_at = self.texts.get(origin, ("", -1.0))
        return text if fetched_at >= youngest else None

    def keep_robots(self, origin: str, text: str, fetched_at: float) -> None:
        """Store the text for `origin`, fetched at `fetched_at` (Unix seconds)."""
        self.texts[origin] = (text, fetched_at)


@dataclass
class Robots:
    """The robots.txt rules of each host, fetched once; `agent` is the user-agent name that rules are matched with."""

    exchange: Exchanges
    agent: str
    store: RobotsStore
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    _read: dict[str, "Protego"] = field(default_factory=dict)
    _unreachable: dict[str, tuple[Stopped, float]] = field(default_factory=dict)  # failure, monotonic time it ends

    async def delay(self, url: str) -> float:
        """The Crawl-delay for `url` in seconds, 0 for none; raises `Stopped` when the rules disallow the URL."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        async with self._locks.setdefault(origin, asyncio.Lock()):
            rules = await self._rules(origin)
        if not rules.can_fetch(url, self.agent):
            raise Stopped("robots", f"The robots.txt of {parts.netloc!r} does not allow it.")
        delay = rules.crawl_delay(self.agent) or 0.0
        if delay > self.exchange.settings.longest_delay:
            raise Stopped(
                "robots", f"{parts.netloc!r} asks for {delay:g} s between requests; the limit is web.longest_delay."
            )
        return float(delay)

    async def _rules(self, origin: str) -> "Protego":
        from protego import Protego

        failure, ends = self._unreachable.get(origin, (None, 0.0))
        if failure is not None and time.monotonic() < ends:
            raise failure
        if origin not in self._read:
            hours = self.exchange.settings.robots_hours
            text = self.store.robots(origin, time.time() - hours * 3600)
            if text is None:
                text = await self._fetch(origin)
                self.store.keep_robots(origin, text, time.time())
            self._read[origin] = Protego.parse(text)
        return self._read[origin]

    async def _fetch(self, origin: str) -> str:
        try:
            reply = await self._follow(f"{origin}/robots.txt")
        except Stopped as stopped:
            if 400 <= stopped.status < 500 and stopped.status != 429:
                return ""  # RFC 9309, 2.3.1.3: unavailable, so everything may be fetched
            if stopped.kind == "paused":
                raise
            if stopped.kind in ("blocked", "network", "bad_url"):
                self._unreachable[origin] = stopped, math.inf
                raise
            # The failure may pass: after the longest pause of a host its robots.txt is asked for again.
            why = f"The robots.txt of {origin!r} cannot be read ({stopped}), so nothing may be fetched there."
            failure = Stopped("robots_unreachable", why, status=stopped.status)
            self._unreachable[origin] = failure, time.monotonic() + self.exchange.settings.longest_hold
            raise failure from stopped
        return reply.data.decode("utf-8-sig", errors="replace")

    async def _follow(self, url: str) -> HttpReply:
        for _ in range(_REDIRECTS + 1):
            reply = await self._get(url)
            if not reply.location:
                return reply
            url = urls.normalise(reply.location, url)
            if not url:
                break
        raise Stopped("http", "It only points elsewhere.", status=404)  # RFC 9309, 2.3.1.2: as if there were none

    async def _get(self, url: str) -> HttpReply:
        """The reply, after one retry when a retry may help: every page of the host depends on it."""
        try:
            return await self.exchange.get(url, self.exchange.settings.max_robots)
        except Stopped as stopped:
            if not stopped.again or (stopped.pause or 0) > self.exchange.settings.longest_pause:
                raise
        await asyncio.sleep(0.5)
        return await self.exchange.get(url, self.exchange.settings.max_robots)


def sitemaps(text: str) -> list[str]:
    """The URLs of the sitemaps that a robots.txt names."""
    from protego import Protego

    return list(dict.fromkeys(Protego.parse(text).sitemaps))
