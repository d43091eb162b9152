"""Reads HTML pages in worker processes with limits of time and memory, so that no page can stop a collection."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from soprag.configs.settings import WebSettings
from soprag.tools.errors import DocumentError
from soprag.tools.web.html_page import HtmlPage, PageLimits
from soprag.tools.web.html_worker import PageReply, PageRequest

_REPLY = 64 * 2**20  # bytes of one line from a worker
_SLOWEST = 12  # a busy machine gives a process this small a part of a processor, and reads the same pages
_INHERITED = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH")


class HtmlReader(Protocol):
    """Anything that reads an HTML page."""

    async def read(self, data: bytes, url: str, charset: str) -> HtmlPage:
        """The page of these bytes; raises `DocumentError` when it cannot be read within the limits."""
        ...


@dataclass
class ProcessHtmlReader:
    """Reads pages in up to `settings.html_workers` processes, which are started when they are needed and reused."""

    settings: WebSettings
    _slots: asyncio.Semaphore = field(init=False)
    _idle: list[asyncio.subprocess.Process] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.settings.html_workers)

    async def read(self, data: bytes, url: str, charset: str) -> HtmlPage:
        """The page of these bytes; raises `DocumentError` when it cannot be read within the limits."""
        limits = PageLimits(max_text=self.settings.max_text, max_links=self.settings.max_links)
        request = PageRequest(
            url=url, charset=charset, size=len(data), seconds=self.settings.html_seconds, limits=limits
        )
        async with self._slots:
            process = await self._process()
            try:
                reply = await _reply(process, request, data)
            except BaseException:
                await _end(process)
                raise
            self._idle.append(process)
        if reply.page is None:
            raise DocumentError(f"The page {url!r} could not be read: {reply.failure}.")
        return reply.page

    async def _process(self) -> asyncio.subprocess.Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        return await _start(self.settings.html_memory)

    async def close(self) -> None:
        """End the processes."""
        while self._idle:
            await _end(self._idle.pop())


@asynccontextmanager
async def open_html_reader(settings: WebSettings) -> AsyncIterator[ProcessHtmlReader]:
    """A reader for the duration of the block."""
    reader = ProcessHtmlReader(settings)
    try:
        yield reader
    finally:
        await reader.close()


async def _start(memory: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "soprag.tools.web.html_worker", str(memory),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        limit=_REPLY, env={name: os.environ[name] for name in _INHERITED if name in os.environ},
    )  # fmt: skip


async def _reply(process: asyncio.subprocess.Process, request: PageRequest, data: bytes) -> PageReply:
    """The reply to one request; raises `DocumentError` when there is none within the time allowed."""
    try:
        async with asyncio.timeout(request.seconds * _SLOWEST):
            line = await _exchange(process, request, data)
            if line.endswith(b"\n"):
                return PageReply.model_validate_json(line)
            status = await process.wait()  # not killed: a signal to an ending process can take its status away
    except TimeoutError as late:
        raise _too_long(request) from late
    if hasattr(signal, "SIGXCPU") and status == -signal.SIGXCPU:
        raise _too_long(request)
    raise DocumentError(f"The page {request.url!r} could not be read: its process ended.")


async def _exchange(process: asyncio.subprocess.Process, request: PageRequest, data: bytes) -> bytes:
    """The line that answers one request; without its end when the process has ended."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(request.model_dump_json().encode() + b"\n")
    process.stdin.write(data)
    with contextlib.suppress(ConnectionError):
        await process.stdin.drain()
    return await process.stdout.readline()


def _too_long(request: PageRequest) -> DocumentError:
    return DocumentError(f"The page {request.url!r} could not be read within {request.seconds:g} s (web.html_seconds).")


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process, which may have ended by itself."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()
