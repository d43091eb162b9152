"""Bytes of any document to Markdown: which engine is tried next, and when to stop."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from configs.settings import ParsingSettings
from tools.errors import DocumentError
from tools.parsing.document import Attempt, Extract, ParsedDocument
from tools.parsing.jobs import Limits, ParseJob, Probe, ProbeJob
from tools.parsing.kinds import Kind, sniff
from tools.parsing.pool import Process
from tools.parsing.text import decode

_MOST_WORKERS = 8


class Cancelled(Exception):
    """The caller no longer wants the result."""


@dataclass
class Call:
    """One document under way; `cancel` ends it from another thread."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: Process | None = None
    _cancelled: bool = False

    def cancel(self) -> None:
        """Stop working on this document and kill the process that does."""
        with self._lock:
            self._cancelled = True
            if self._process is not None:
                self._process.kill()

    @contextlib.contextmanager
    def using(self, process: Process) -> Iterator[Process]:
        """While inside, `cancel` kills `process`."""
        with self._lock:
            if self._cancelled:
                raise Cancelled
            self._process = process
        try:
            yield process
        finally:
            with self._lock:
                self._process = None
        if self._cancelled:
            raise Cancelled


class Parser:
    """Parses documents in warm processes of its own; safe to use from several threads and event loops at once."""

    def __init__(self, settings: ParsingSettings) -> None:
        self.settings = settings
        self.workers = min(len(_cores()), _MOST_WORKERS)
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="soprag-parser")
        self._own = threading.local()
        self._processes: list[Process] = []
        self._lock = threading.Lock()

    async def parse(self, source: Path | bytes, name: str = "") -> ParsedDocument:
        """The document as Markdown; raises `DocumentError` when it cannot be used. Cancelling kills the work."""
        call = Call()
        try:
            return await asyncio.wrap_future(self._threads.submit(self._parse, source, name, call))
        except asyncio.CancelledError:
            call.cancel()
            raise

    def parse_now(self, source: Path | bytes, name: str = "") -> ParsedDocument:
        """The same for callers without an event loop; blocks the calling thread."""
        call = Call()
        try:
            return self._threads.submit(self._parse, source, name, call).result()
        except BaseException:
            call.cancel()
            raise

    def close(self) -> None:
        """End all processes; a closed parser cannot be used again."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for process in self._processes:
                process.close()
            self._processes.clear()

    def __enter__(self) -> "Parser":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _parse(self, source: Path | bytes, name: str, call: Call) -> ParsedDocument:
        data, name = _read(source, name)
        kind = sniff(data, name, source.suffix if isinstance(source, Path) else "")
        if kind in ("markdown", "text"):
            return _as_it_is(data, name, kind)
        with call.using(self._process()) as process, _file(process.folder, data, kind) as path:
            return self._extract(process, kind, path, name)

    def _extract(self, process: Process, kind: Kind, path: Path, name: str) -> ParsedDocument:
        limits = self._limits()
        reply = process.ask(ProbeJob(kind=kind, path=str(path), limits=limits), limits.seconds)
        if reply.refused or reply.failed:
            raise DocumentError(f"{name!r} cannot be used: {reply.refused or reply.failed}.")
        probe = reply.probe or Probe()
        job = ParseJob(kind=kind, path=str(path), engine="mineru", tier=self.settings.tier, limits=limits)
        reply = process.ask(job, limits.seconds)
        if reply.extract is None:
            raise DocumentError(f"{name!r} cannot be used: {reply.refused or reply.failed}.")
        return _accepted(reply.extract, probe, name, self.settings.tier)

    def _process(self) -> Process:
        """The process of the calling thread, started or replaced when needed."""
        process: Process | None = getattr(self._own, "process", None)
        if process is not None and process.alive:
            return process
        fresh = self._own.process = Process(4096)
        with self._lock:
            self._processes = [*(known for known in self._processes if known is not process), fresh]
        if process is not None:
            process.close()
        return fresh

    def _limits(self) -> Limits:
        return Limits(
            memory=4096,
            seconds=self.settings.timeout,
            pages=500,
            pixels=50_000_000,
            cells=200_000,
            characters=self.settings.max_characters,
        )


def _accepted(extract: Extract, probe: Probe, name: str, tier: str) -> ParsedDocument:
    if not extract.markdown.strip():
        hint = "; it seems to be a scan, which needs text recognition" if probe.scanned_pages else ""
        raise DocumentError(f"{name!r} gave no text{hint}.")
    return ParsedDocument(
        markdown=extract.markdown,
        engine="mineru",
        version=extract.version,
        tier=tier,
        pages=extract.pages,
        images=extract.images,
        warnings=extract.warnings,
        trail=(Attempt(engine=f"mineru {tier}", outcome="accepted"),),
    )


def _as_it_is(data: bytes, name: str, kind: Kind) -> ParsedDocument:
    text = decode(data)
    if not text.content.strip():
        raise DocumentError(f"{name!r} is empty; fetch or export it again.")
    return ParsedDocument(
        markdown=text.content,
        engine="text",
        version="1",
        tier="",
        pages=0,
        warnings=text.warnings,
        trail=(Attempt(engine="text", outcome="accepted", reason=f"{kind} is kept as it is"),),
    )


def _read(source: Path | bytes, name: str) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, name or "document"
    try:
        return source.read_bytes(), name or source.name
    except OSError as fault:
        raise DocumentError(f"Cannot read {str(source)!r}: {fault.strerror}.") from fault


@contextlib.contextmanager
def _file(folder: Path, data: bytes, kind: Kind) -> Iterator[Path]:
    """The bytes under a name of ours in a folder that holds nothing else a document could refer to."""
    place = folder / "input"
    place.mkdir(exist_ok=True)
    path = place / f"document.{kind}"
    path.write_bytes(data)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _cores() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
