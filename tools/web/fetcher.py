"""The fetcher: one address in, its bytes or the one reason why not; polite, guarded, and never an exception."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Protocol

import httpx2

from configs.settings import WebSettings
from tools.errors import BudgetSpent
from tools.web import urls
from tools.web.budget import Budget
from tools.web.decoding import ENCODINGS
from tools.web.exchange import Exchange, Reply, Stopped
from tools.web.guard import GuardedBackend, Policy, Resolver, guarded_transport
from tools.web.media import identify
from tools.web.outcome import Fetched, Hop
from tools.web.pacing import Pacer
from tools.web.robots import Memory, Robots, RobotsStore

_KEPT = (
    "content-type", "content-disposition", "content-language", "last-modified", "etag", "date", "link", "x-robots-tag",
)  # fmt: skip


class Fetcher(Protocol):
    """Who fetches pages."""

    async def fetch(self, url: str) -> Fetched:
        """The page, or why not; whatever a page does, this raises nothing."""
        ...


@dataclass
class _Trail:
    """What happened on the way to one page."""

    url: str
    known: Callable[[str], bool]
    began: float = field(default_factory=time.monotonic)
    attempts: int = 0
    hops: list[Hop] = field(default_factory=list)
    at: str = ""

    def failed(self, why: Stopped) -> Fetched:
        return Fetched(
            url=self.url, kind=why.kind, reason=str(why), final_url=self.at, status=why.status, hops=tuple(self.hops),
            attempts=self.attempts, seconds=self._seconds(),
        )  # fmt: skip

    def fetched(self, reply: Reply) -> Fetched:
        mime, suffix = identify(reply.data, reply.url, reply.headers.get("content-type", ""))
        return Fetched(
            url=self.url, kind="ok", final_url=reply.url, status=reply.status, hops=tuple(self.hops), mime=mime,
            suffix=suffix, headers={name: reply.headers[name][:500] for name in _KEPT if name in reply.headers},
            data=reply.data, wire=reply.wire, attempts=self.attempts, seconds=self._seconds(),
        )  # fmt: skip

    def _seconds(self) -> float:
        return round(time.monotonic() - self.began, 3)


@dataclass(frozen=True)
class WebFetcher:
    """Fetches over HTTP; `dialled` is (host, address) of every connection that was ever tried."""

    exchange: Exchange
    robots: Robots
    dialled: set[tuple[str, str]]

    async def fetch(self, url: str, known: Callable[[str], bool] | None = None) -> Fetched:
        """The page, or why not; a redirect to a page that is `known` is not followed."""
        trail = _Trail(url, known or _nothing)
        try:
            return trail.fetched(await self._insist(trail))
        except Stopped as stopped:
            return trail.failed(stopped)
        except BudgetSpent as spent:
            return trail.failed(Stopped("budget", str(spent)))

    async def _insist(self, trail: _Trail) -> Reply:
        settings = self.exchange.settings
        while True:
            trail.attempts += 1
            trail.hops.clear()
            try:
                return await self._follow(trail)
            except Stopped as stopped:
                pause = _back_off(trail.attempts) if stopped.pause is None else stopped.pause
                # A server that gave no answer, or half of one, gets one more chance and not all of them.
                most = min(2, settings.attempts) if stopped.kind in ("timeout", "truncated") else settings.attempts
                if not stopped.again or trail.attempts >= most or pause > settings.longest_pause:
                    raise
            await asyncio.sleep(pause)

    async def _follow(self, trail: _Trail) -> Reply:
        """Through all redirects, each a request like the first: checked, asked of robots.txt, paced and paid for."""
        settings, seen = self.exchange.settings, set[str]()
        trail.at = urls.normalise(trail.url)
        while True:
            if not trail.at:
                raise Stopped("bad_url", f"{trail.hops[-1].url if trail.hops else trail.url!r} leads to no web page.")
            if trail.at in seen or len(seen) > settings.redirects:
                raise Stopped(
                    "redirect_loop", f"It is redirected without end, or more than {settings.redirects} times."
                )
            seen.add(trail.at)
            delay = await self.robots.delay(trail.at)
            reply = await self.exchange.get(trail.at, settings.max_body, delay)
            if not reply.location:
                return reply
            trail.hops.append(Hop(url=trail.at, status=reply.status))
            trail.at = urls.normalise(reply.location, trail.at)
            if trail.at and trail.known(trail.at):
                raise Stopped("known", f"It is redirected to {trail.at!r}, which was asked for already.")


def _nothing(_: str) -> bool:
    return False


def _back_off(attempt: int) -> float:
    return min(0.5 * 2.0 ** (attempt - 1), 10.0) * random.uniform(0.5, 1.5)


@asynccontextmanager
async def open_fetcher(
    settings: WebSettings,
    *,
    allow: Iterable[str] = (),
    resolver: Resolver | None = None,
    budget: Budget | None = None,
    robots: RobotsStore | None = None,
) -> AsyncIterator[WebFetcher]:
    """A fetcher for as long as the block runs.

    `allow` names networks and hosts that may be dialled though they are not public, besides those of the settings;
    `resolver` replaces the system's name service; `robots` keeps robots.txt files beyond this process.
    """
    backend = GuardedBackend(Policy.parse((*settings.allow, *allow), settings.ports), resolver)
    agent = settings.agent.partition("/")[0]
    introduction = f"{settings.agent} (+{settings.contact})" if settings.contact else settings.agent
    async with httpx2.AsyncClient(
        transport=guarded_transport(backend, 4 * settings.concurrency),
        timeout=httpx2.Timeout(settings.read_timeout, connect=settings.connect_timeout, pool=settings.deadline),
        headers={"user-agent": introduction, "accept-encoding": ENCODINGS, "accept": "*/*"},
        trust_env=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # none are kept: every page is asked for alike
    ) as client:
        pacer = Pacer(settings.delay, settings.per_host, settings.longest_pause)
        exchange = Exchange(client, settings, pacer, budget)
        yield WebFetcher(exchange, Robots(exchange, agent, robots or Memory()), backend.dialled)
