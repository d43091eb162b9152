"""The web fetcher: GET with robots.txt, rate limits, address checks, retries and size limits; failures are values."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from soprag.configs.settings import WebSettings
from soprag.tools.errors import BudgetSpent
from soprag.tools.retries import RetryPolicy
from soprag.tools.web import urls
from soprag.tools.web.budget import RunBudget
from soprag.tools.web.exchange import Exchanges, HttpReply, Stopped, open_exchange
from soprag.tools.web.guard import AddressPolicy, GuardedBackend, Resolver
from soprag.tools.web.media import identify
from soprag.tools.web.outcome import Fetched, Hop
from soprag.tools.web.robots import Memory, Robots, RobotsStore
from soprag.tools.web.sharded import open_sharded

_HEADERS = (
    "content-type", "content-disposition", "content-language", "last-modified", "etag", "date", "link", "x-robots-tag",
)  # fmt: skip


@dataclass
class _Trail:
    """The requests made for one page: attempts, redirects and the current URL."""

    url: str
    is_requested: Callable[[str], bool]
    began: float = field(default_factory=time.monotonic)
    attempts: int = 0
    hops: list[Hop] = field(default_factory=list)
    location: str = ""

    def failed(self, why: Stopped) -> Fetched:
        return Fetched(
            url=self.url, kind=why.kind, reason=str(why), final_url=self.location, status=why.status,
            hops=tuple(self.hops), attempts=self.attempts, seconds=self._seconds(),
            pause=(why.pause or 0.0) if why.kind == "paused" else 0.0,
        )  # fmt: skip

    def fetched(self, reply: HttpReply) -> Fetched:
        mime, suffix = identify(reply.data, reply.url, reply.headers.get("content-type", ""))
        return Fetched(
            url=self.url, kind="ok", final_url=reply.url, status=reply.status, hops=tuple(self.hops), mime=mime,
            suffix=suffix, headers={name: reply.headers[name][:500] for name in _HEADERS if name in reply.headers},
            data=reply.data, wire=reply.wire, attempts=self.attempts, seconds=self._seconds(),
        )  # fmt: skip

    def _seconds(self) -> float:
        return round(time.monotonic() - self.began, 3)


@dataclass(frozen=True)
class WebFetcher:
    """Fetches over HTTP; `dialled` holds (host, IP address) of every connection attempt."""

    exchange: Exchanges
    robots: Robots
    dialled: set[tuple[str, str]]

    async def fetch(self, url: str, is_requested: Callable[[str], bool] | None = None) -> Fetched:
        """The page, or the reason for its failure; a redirect to a URL that `is_requested` is not followed."""
        trail = _Trail(url, is_requested or _never)
        try:
            page = trail.fetched(await self._fetch_with_retries(trail))
            if page.mime == "text/html" and len(page.data) > (limit := self.exchange.settings.max_html):
                # Its Content-Type was another one, or the transfer had been stopped there.
                raise Stopped("too_large", f"The HTML has {len(page.data):,} bytes; the limit is {limit:,}.")
            return page
        except Stopped as stopped:
            return trail.failed(stopped)
        except BudgetSpent as spent:
            return trail.failed(Stopped("budget", str(spent)))

    async def _fetch_with_retries(self, trail: _Trail) -> HttpReply:
        settings = self.exchange.settings
        while True:
            trail.attempts += 1
            trail.hops.clear()
            try:
                return await self._follow_redirects(trail)
            except Stopped as stopped:
                # After silence or half an answer one retry is made, not all of them: each may cost the whole timeout.
                limit = min(2, settings.attempts) if stopped.kind in ("timeout", "truncated") else settings.attempts
                policy = RetryPolicy(limit - 1, settings.first_wait, settings.longest_pause)
                pause = policy.pause(trail.attempts, stopped.pause)
                if not stopped.again or pause is None:
                    raise
            await asyncio.sleep(pause)

    async def _follow_redirects(self, trail: _Trail) -> HttpReply:
        """The reply at the end of all redirects; each hop is checked, rate limited and paid for like the first."""
        settings, visited = self.exchange.settings, set[str]()
        trail.location = urls.normalise(trail.url)
        while True:
            if not trail.location:
                raise Stopped("bad_url", f"{trail.hops[-1].url if trail.hops else trail.url!r} leads to no web page.")
            if trail.location in visited or len(visited) > settings.redirects:
                raise Stopped(
                    "redirect_loop", f"It is redirected without end, or more than {settings.redirects} times."
                )
            visited.add(trail.location)
            delay = await self.robots.delay(trail.location)
            reply = await self.exchange.get(trail.location, settings.max_body, delay)
            if not reply.location:
                return reply
            trail.hops.append(Hop(url=trail.location, status=reply.status))
            trail.location = urls.normalise(reply.location, trail.location)
            if trail.location and trail.is_requested(trail.location):
                raise Stopped("duplicate", f"It is redirected to {trail.location!r}, which was asked for already.")


def _never(_: str) -> bool:
    return False


@asynccontextmanager
async def open_fetcher(
    settings: WebSettings,
    *,
    allow: Iterable[str] = (),
    resolver: Resolver | None = None,
    budget: RunBudget | None = None,
    robots: RobotsStore | None = None,
) -> AsyncIterator[WebFetcher]:
    """A fetcher for the duration of the block.

    `allow` lists networks and hosts that may be dialled although they are not public, in addition to `settings.allow`.
    `resolver` replaces the name service of the system. `robots` stores robots.txt files beyond this process.
    Raises `ConfigError` for an entry of `allow` that is neither a network nor a host name.
    """
    networks, agent = (*settings.allow, *allow), settings.agent.partition("/")[0]
    policy = AddressPolicy.parse(networks, settings.ports)
    if settings.fetch_workers:
        async with open_sharded(settings, networks, resolver, budget) as sharded:
            yield WebFetcher(sharded, Robots(sharded, agent, robots or Memory()), sharded.dialled)
        return
    backend = GuardedBackend(policy, resolver, settings.max_head)
    async with open_exchange(settings, backend, budget) as exchange:
        yield WebFetcher(exchange, Robots(exchange, agent, robots or Memory()), backend.dialled)
