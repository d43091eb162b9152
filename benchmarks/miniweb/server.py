"""The server of the mini web: the Host header chooses the site, and every request is written down."""

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from soprag.benchmarks.miniweb.reply import Reply, Request

Answer = Callable[[Request], Reply]
NOWHERE = Reply(b"<html><title>404</title><h1>Not Found</h1></html>", status=404)


@dataclass(frozen=True)
class Seen:
    """One request that came in; `ended` is when the last byte was sent, or the client had gone.

    `cut`: the client had gone before the end, or less was sent than the head announced.
    """

    host: str
    target: str
    status: int
    began: float
    ended: float
    agent: str
    cut: bool = False

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path


@dataclass
class Log:
    """Every request in the order in which they ended."""

    seen: list[Seen] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    since: float = 0.0

    def enter(self, host: str, target: str) -> int:
        """How often this address was asked for, this time included."""
        with self.lock:
            self.counts[host, target] += 1
            return self.counts[host, target]

    def leave(self, request: Seen) -> None:
        """Write a request down."""
        with self.lock:
            if request.began >= self.since:  # what was under way before the log was cleared belongs to nobody
                self.seen.append(request)

    def clear(self) -> None:
        """Forget everything: a new run begins."""
        with self.lock:
            self.seen.clear()
            self.counts.clear()
            self.since = time.time()


class Site:
    """A loopback server that lives as long as the `with` block."""

    def __init__(self, answer: Answer, address: str = "127.0.0.1", port: int = 0) -> None:
        self.answer = answer
        self.log = Log()
        self._server = _Server((address, port), _Conversation)
        self._server.site = self
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what traps are about; nothing is printed."""


class _Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or the body waits 40 ms until the head is known to have arrived
    server: _Server
    timeout = 60

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed; the log has it."""

    def do_GET(self) -> None:
        """Find the page, deliver it, write it down."""
        site, began = self.server.site, time.time()
        host = self.headers.get("Host", "").partition(":")[0].lower()
        parts = urlsplit(self.path)
        count = site.log.enter(host, self.path)
        reply = site.answer(Request(host, parts.path, parts.query, _lower(self.headers.items()), count))
        cut = True
        with contextlib.suppress(OSError):
            self._deliver(reply)
            cut = reply.claimed is not None and reply.claimed > len(reply.body)
        agent = self.headers.get("User-Agent", "")
        site.log.leave(Seen(host, self.path, reply.status, began, time.time(), agent, cut))

    do_HEAD = do_GET  # noqa: N815 - the name is the standard library's

    def _deliver(self, reply: Reply) -> None:
        time.sleep(reply.delay)
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.mime)
        length = len(reply.body) if reply.claimed is None else reply.claimed
        if reply.stream is None or reply.claimed is not None:
            self.send_header("Content-Length", str(length))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.close_connection = self.close_connection or reply.stream is not None or length != len(reply.body)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        for chunk in _chunks(reply):
            self.wfile.write(chunk)


def _chunks(reply: Reply) -> Iterator[bytes]:
    if reply.stream is None:
        yield reply.body
    else:
        yield from reply.stream()


def _lower(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers}
