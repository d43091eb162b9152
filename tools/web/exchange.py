"""One HTTP request: rate limit, budget, size and time limits; redirects are followed by the caller."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Protocol
from urllib.parse import urlsplit

import httpx2

from soprag.configs.settings import WebSettings
from soprag.tools.retries import retry_after
from soprag.tools.web.budget import Resource
from soprag.tools.web.decoding import ENCODINGS, BadEncoding, BoundedDecoder, TooLarge
from soprag.tools.web.guard import Blocked, GuardedBackend, guarded_transport
from soprag.tools.web.head_limit import HeadLimitedStream, HeadTooLarge
from soprag.tools.web.media import HTML_TYPES
from soprag.tools.web.outcome import OutcomeKind
from soprag.tools.web.pacing import Pacer, Paused

CHUNK = 65536  # bytes reserved from the budget before each read
_RETRYABLE = frozenset({408, 425, 429, 500, 502, 503, 504})
_HEADERS_TOO_LARGE = 431
_THROTTLED = frozenset({429, 503})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Stopped(Exception):
    """A failed request: its outcome, whether a retry may help (`again`), and the Retry-After in seconds (`pause`)."""

    def __init__(
        self, kind: OutcomeKind, reason: str, *, status: int = 0, again: bool = False, pause: float | None = None
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.status = status
        self.again = again
        self.pause = pause


@dataclass(frozen=True)
class HttpReply:
    """A complete body, or the target of a redirect (`location`)."""

    url: str
    status: int
    headers: httpx2.Headers
    data: bytes = b""
    wire: int = 0
    location: str = ""


class Allowance(Protocol):
    """The budget of the run: what may be sent and received."""

    async def reserve(self, *, fetches: int = 0, bytes: int = 0) -> None:
        """Reserve these amounts, all or none; raises `BudgetSpent`."""
        ...

    def give_back(self, *, bytes: int) -> None:
        """Return an amount that was reserved and not used."""
        ...

    def remaining(self, resource: Resource) -> float:
        """The amount of this resource that may still be used."""
        ...

    def check(self) -> None:
        """Raise `BudgetSpent` when the time is used up."""
        ...


class Exchanges(Protocol):
    """Anything that sends one request: this process, or one of several."""

    @property
    def settings(self) -> WebSettings:
        """The limits of requests."""
        ...

    async def get(self, url: str, cap: int, delay: float = 0.0) -> HttpReply:
        """The reply to one GET with a body of at most `cap` decoded bytes; raises `Stopped` or `BudgetSpent`."""
        ...


@dataclass(frozen=True)
class Exchange:
    """Sends requests through a guarded client, at the rate limit of each host, within the budget of the run."""

    client: httpx2.AsyncClient
    settings: WebSettings
    pacer: Pacer
    budget: Allowance | None = None

    async def get(self, url: str, cap: int, delay: float = 0.0) -> HttpReply:
        """The reply to one GET with a body of at most `cap` decoded bytes; raises `Stopped` or `BudgetSpent`."""
        host = urlsplit(url).netloc
        try:
            async with self.pacer.turn(host, delay):
                if self.budget:
                    await self.budget.reserve(fetches=1)
                async with asyncio.timeout(self._seconds_allowed()):
                    return await self._send(url, cap)
        except Paused as paused:
            raise Stopped("paused", f"{host!r}: {paused}.", status=429, pause=paused.seconds) from paused
        except TimeoutError as late:
            if self.budget:
                self.budget.check()
            raise Stopped("deadline", f"It took longer than {self.settings.deadline:g} s.") from late
        except Stopped as stopped:
            if stopped.status in _THROTTLED and stopped.pause:
                self.pacer.hold(host, stopped.pause)
            raise

    def _seconds_allowed(self) -> float:
        remaining = self.budget.remaining("seconds") if self.budget else self.settings.deadline
        return min(self.settings.deadline, remaining)

    async def _send(self, url: str, cap: int) -> HttpReply:
        try:
            async with self.client.stream("GET", url) as response:
                return await self._take(response, url, cap)
        except httpx2.TimeoutException as late:
            raise Stopped("timeout", f"No answer for {self.settings.read_timeout:g} s.", again=True) from late
        except httpx2.TransportError as error:
            raise _transport(error) from error
        except (httpx2.InvalidURL, UnicodeError) as error:
            raise Stopped("bad_url", f"It cannot be asked for: {error}.") from error

    async def _take(self, response: httpx2.Response, url: str, cap: int) -> HttpReply:
        status, headers = response.status_code, response.headers
        if isinstance(stream := response.extensions.get("network_stream"), HeadLimitedStream):
            stream.begin_body()
        if status in _REDIRECTS and "location" in headers:
            return HttpReply(url, status, headers, location=headers["location"])
        if status not in (200, 203):
            again = status in _RETRYABLE
            pause = retry_after(headers.get("retry-after", "")) if again else None
            raise Stopped("http", f"The server answered {status}.", status=status, again=again, pause=pause)
        if headers.get("content-type", "").partition(";")[0].strip().lower() in HTML_TYPES:
            cap = min(cap, self.settings.max_html)
        data, wire = await self._read(response, cap)
        return HttpReply(url, status, headers, data, wire)

    async def _read(self, response: httpx2.Response, cap: int) -> tuple[bytes, int]:
        length = _number(response.headers.get("content-length", "")) or 0
        limit = min(self.settings.max_wire, cap)
        if length > limit:
            raise Stopped("too_large", f"It has {length:,} bytes; the limit is {limit:,}.")
        try:
            decoder = BoundedDecoder(response.headers.get("content-encoding", ""), cap)
            return await self._chunks(response, decoder, length)
        except httpx2.RemoteProtocolError as error:
            raise _too_large(error) or Stopped(
                "truncated", "The connection ended before the body did.", again=True
            ) from error
        except TooLarge as large:
            raise Stopped("too_large", f"It unpacks to more than {cap:,} bytes.") from large
        except BadEncoding as bad:
            raise Stopped("bad_encoding", f"It cannot be unpacked: {bad}.") from bad

    async def _chunks(self, response: httpx2.Response, decoder: BoundedDecoder, length: int) -> tuple[bytes, int]:
        parts, wire, began = [], 0, time.monotonic()
        stream = response.aiter_raw()
        while chunk := await self._next(stream):
            wire += len(chunk)
            if wire > self.settings.max_wire:
                raise Stopped("too_large", f"It has more than {self.settings.max_wire:,} bytes.")
            parts.append(decoder.feed(chunk))
            self._check_speed(time.monotonic() - began, wire, length)
        if not decoder.complete:
            raise Stopped("truncated", "Its packed data ends too early.", again=True)
        return b"".join(parts), wire

    async def _next(self, stream: AsyncIterator[bytes]) -> bytes:
        """The next chunk; its largest size is reserved from the budget first, and the unused part is returned."""
        if not self.budget:
            return await anext(stream, b"")
        await self.budget.reserve(bytes=CHUNK)
        received = 0
        try:
            chunk = await anext(stream, b"")
            received = len(chunk)
            return chunk
        finally:
            self.budget.give_back(bytes=CHUNK - received)

    def _check_speed(self, seconds: float, wire: int, length: int) -> None:
        """Stop a body that arrives too slowly, or cannot be complete within the deadline at its present rate."""
        if seconds < self.settings.slow_after:
            return
        speed = wire / seconds
        if speed < self.settings.slowest or (length - wire) / speed > self.settings.deadline - seconds:
            raise Stopped("deadline", f"It comes at {speed:,.0f} bytes per second, which is too slow.")


@asynccontextmanager
async def open_exchange(
    settings: WebSettings, backend: GuardedBackend, budget: Allowance | None
) -> AsyncIterator[Exchange]:
    """An exchange over `backend` for the duration of the block."""
    introduction = f"{settings.agent} (+{settings.contact})" if settings.contact else settings.agent
    async with httpx2.AsyncClient(
        transport=guarded_transport(backend, 4 * settings.concurrency),
        timeout=httpx2.Timeout(settings.read_timeout, connect=settings.connect_timeout, pool=settings.deadline),
        headers={"user-agent": introduction, "accept-encoding": ENCODINGS, "accept": "*/*"},
        trust_env=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # no cookies: every request is made alike
    ) as client:
        pacer = Pacer(settings.delay, settings.per_host, settings.longest_pause, settings.longest_hold)
        yield Exchange(client, settings, pacer, budget)


def _transport(error: httpx2.TransportError) -> Stopped:
    if blocked := next((cause for cause in _causes(error) if isinstance(cause, Blocked)), None):
        return Stopped("blocked", f"It is not dialled: {blocked}.")
    if large := _too_large(error):
        return large
    again = not isinstance(error, httpx2.ConnectError)
    return Stopped("network", f"The connection failed: {str(error) or type(error).__name__}.", again=again)


def _too_large(error: Exception) -> Stopped | None:
    """The failure for a head or trailers over a limit: ours, or that of the HTTP parser, which hints at status 431."""
    for cause in _causes(error):
        if isinstance(cause, HeadTooLarge) or getattr(cause, "error_status_hint", 0) == _HEADERS_TOO_LARGE:
            return Stopped("too_large", f"Its headers or trailers are too large: {cause}.")
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _number(header: str) -> int | None:
    """A non-negative integer, at most 10**18; None for anything else, such as digits outside of ASCII."""
    text = header.strip()
    if not (text.isascii() and text.isdecimal()):
        return None
    return int(text) if len(text) <= 18 else 10**18
