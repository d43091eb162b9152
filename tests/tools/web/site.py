"""Web sites on loopback: one port, many host names, each page a function of the request."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from soprag.configs.settings import WebSettings, load

LOOPBACK = "127.0.0.1/32"
Page = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request, with the few ways to answer it."""

    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        site: Site = self.server.site
        host = self.headers["Host"].partition(":")[0]
        with site.lock:
            site.asked.append((host, self.path))
            site.times.append(time.monotonic())
        page = site.pages.get((host, self.path)) or site.pages.get(("*", self.path)) or missing
        page(self)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.do_GET()

    def answer(self, body: bytes, kind: str = "text/html", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in {"content_length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


@dataclass
class Site:
    """What is served, and what was asked for."""

    pages: dict[tuple[str, str], Page] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0

    def url(self, path: str, host: str = "plant.test") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(self, path: str, page: Page, host: str = "*") -> None:
        self.pages[host, path] = page

    def visits(self, path: str) -> int:
        return sum(1 for _, asked in self.asked if asked == path)

    async def resolve(self, host: str, port: int) -> list[str]:
        if not host.endswith(".test"):
            raise OSError(f"no such name: {host}")
        return ["127.0.0.1"]


@contextmanager
def serve() -> Iterator[Site]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Request)
    server.daemon_threads = True
    server.site = site = Site(port=server.server_port)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def missing(request: Request) -> None:
    request.answer(b"not here", status=404)


def html(text: str) -> Page:
    return lambda request: request.answer(f"<html><body>{text}</body></html>".encode())


def plain(text: str) -> Page:
    return lambda request: request.answer(text.encode(), "text/plain")


def redirect(to: str, status: int = 302) -> Page:
    return lambda request: request.answer(b"", status=status, location=to)


def settings(**changes: Any) -> WebSettings:
    quick = {"delay": 0.0, "deadline": 5.0, "read_timeout": 1.0, "max_body": 1_000_000, "max_wire": 1_000_000}
    return load(environment={}, options={"web": {**quick, **changes}}).web


def run(work: Any) -> Any:
    return asyncio.run(work)
