"""Any document to Markdown, many at once: threads that each own a warm parser process."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import DocumentError
from soprag.tools.observe.spans import span
from soprag.tools.parsing.archive import check_archive
from soprag.tools.parsing.attempts import CORES_PER_JOB, Attempts, WorkerSlot
from soprag.tools.parsing.cache import ParseCache, cache_key
from soprag.tools.parsing.cancellation import ParseCall
from soprag.tools.parsing.document import Attempt, ParsedDocument
from soprag.tools.parsing.function_calls import function_job, read_result
from soprag.tools.parsing.jobs import MineruTier, ParseLimits, TiersJob
from soprag.tools.parsing.kinds import ARCHIVES, Kind, sniff
from soprag.tools.parsing.pool import Workplaces
from soprag.tools.parsing.services import Services, models_folder, open_services
from soprag.tools.parsing.text import decode

_MOST_WORKERS = 8
_TELL_EVERY = 2.0  # seconds

Tell = Callable[[str], None]
Result = TypeVar("Result")


class Parser:
    """Parses documents in processes of its own; safe to use from several threads and event loops at once."""

    def __init__(self, settings: ParsingSettings, cache: Path | None = None) -> None:
        self.settings = settings
        self.workers = settings.workers or min(_count_cores(), _MOST_WORKERS)
        self._cache = ParseCache(cache if settings.cache else None)
        # Threads that wait for a server need no core; `_cores` bounds those that work here.
        threads = max(self.workers, settings.server_at_once) if settings.server else self.workers
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="soprag-parser")
        self._cores = threading.BoundedSemaphore(self.workers)
        self._workplaces = Workplaces(settings.memory, settings.recycle, str(models_folder(settings)))
        self._services: Services | None = None
        self._lock = threading.Lock()

    async def parse(self, source: Path | bytes, name: str = "", tell: Tell | None = None) -> ParsedDocument:
        """The document as Markdown; raises `DocumentError` when it cannot be used. Cancelling kills the work.

        Every other second `tell` hears how far it is, such as `mineru flash, page 120 of 300, 40 s`.
        """
        call = ParseCall()
        return await _finish(self._submit(source, name, call), call, tell)

    async def run(self, function: Callable[..., Result], *arguments: Any, document: str) -> Result:  # noqa: ANN401
        """The result of `function(*arguments)`, called in a parser process under the limits of one document.

        Raises `DocumentError`, which names `document`, when time or memory do not suffice. Cancelling kills the work.
        """
        call = ParseCall()
        return await _finish(self._threads.submit(self._run, function, arguments, document, call), call, None)

    def parse_now(self, source: Path | bytes, name: str = "") -> ParsedDocument:
        """The same for callers without an event loop; blocks the calling thread."""
        call = ParseCall()
        try:
            return self._submit(source, name, call).result()
        except BaseException:
            call.cancel()
            raise

    def services(self) -> Services:
        """What this machine and its servers offer; looked up once."""
        with self._lock:
            if self._services is None:
                self._services = open_services(self.settings, self._ask_tiers)
            return self._services

    def peak_memory(self) -> int:
        """The highest memory that one of the parser processes has held so far, MiB."""
        return self._workplaces.peak()

    def close(self) -> None:
        """End all processes; a closed parser cannot be used again."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._workplaces.close()

    def __enter__(self) -> "Parser":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _submit(self, source: Path | bytes, name: str, call: ParseCall) -> "Future[ParsedDocument]":
        return self._threads.submit(copy_context().run, self._parse, source, name, call)

    def _parse(self, source: Path | bytes, name: str, call: ParseCall) -> ParsedDocument:
        with span("parse"):
            return self._read_whole(source, name, call)

    def _read_whole(self, source: Path | bytes, name: str, call: ParseCall) -> ParsedDocument:
        data, name = self._read(source, name)
        kind = sniff(data, name, source.suffix if isinstance(source, Path) else "")
        if kind in ("markdown", "text"):
            return _as_it_is(data, name, kind, self.settings.max_characters)
        if kind in ARCHIVES:
            check_archive(data, name, self.settings)
        services = self.services()
        key = cache_key(data, kind, self.settings, services.ready)
        if cached := self._cache.read(key):
            return cached
        workplace = self._workplaces.mine()
        with _file(workplace.folder, data, kind) as path:
            document = Attempts(
                kind, path, name, self.settings, services, WorkerSlot(workplace, self._cores), call
            ).run()
        self._cache.write(key, document)
        return document

    def _run(
        self, function: Callable[..., Result], arguments: tuple[Any, ...], document: str, call: ParseCall
    ) -> Result:
        job = function_job(function, arguments, self._text_limits())
        with self._cores, call.using(self._workplaces.mine().process()) as process:
            reply = process.ask(job, self.settings.timeout, call.note_pages)
        if reply.result is None:
            raise DocumentError(f"{document!r} cannot be read as text: {reply.failed or reply.refused}.")
        return read_result(function, reply.result)

    def _text_limits(self) -> ParseLimits:
        chosen = self.settings
        seconds = chosen.timeout * CORES_PER_JOB
        return ParseLimits(
            memory=chosen.memory, seconds=seconds, pages=0, pixels=0, cells=0, characters=chosen.max_characters
        )

    def _read(self, source: Path | bytes, name: str) -> tuple[bytes, str]:
        name = name or (source.name if isinstance(source, Path) else "document")
        size = source.stat().st_size if isinstance(source, Path) and source.exists() else len(name)
        size = len(source) if isinstance(source, bytes) else size
        if size > self.settings.max_bytes:
            raise DocumentError(f"{name!r} has {size:,} bytes; parsing.max_bytes is {self.settings.max_bytes:,}.")
        if isinstance(source, bytes):
            return source, name
        try:
            return source.read_bytes(), name
        except OSError as error:
            raise DocumentError(f"Cannot read {str(source)!r}: {error.strerror}.") from error

    def _ask_tiers(self) -> tuple[MineruTier, ...]:
        limits = ParseLimits(memory=self.settings.memory, seconds=60, pages=0, pixels=0, cells=0, characters=0)
        process = self._workplaces.mine().process()
        reply = process.ask(TiersJob(limits=limits), self.settings.timeout, lambda _: None)
        return reply.tiers or ("flash",)


async def _finish(submitted: "Future[Result]", call: ParseCall, tell: Tell | None) -> Result:
    """The result of a thread; cancelling this coroutine kills the process that the thread waits for."""
    future = asyncio.wrap_future(submitted)
    try:
        while not (await asyncio.wait({future}, timeout=_TELL_EVERY))[0]:
            if tell and call.standing:
                tell(call.standing)
    except asyncio.CancelledError:
        future.cancel()
        call.cancel()
        raise
    return await future


def _as_it_is(data: bytes, name: str, kind: Kind, most: int) -> ParsedDocument:
    text = decode(data)
    if not text.content.strip():
        raise DocumentError(f"{name!r} is empty; fetch or export it again.")
    if len(text.content) > most:
        length = f"{len(text.content):,} characters"
        raise DocumentError(f"{name!r} has {length}; parsing.max_characters is {most:,}: split the file.")
    return ParsedDocument(
        markdown=text.content,
        engine="text",
        version="1",
        tier="",
        pages=0,
        warnings=text.warnings,
        trail=(Attempt(engine="text", outcome="accepted", reason=f"{kind} is kept as it is"),),
    )


@contextlib.contextmanager
def _file(folder: Path, data: bytes, kind: Kind) -> Iterator[Path]:
    """The bytes under a name of ours in a folder that holds nothing else a document could refer to."""
    inbox = folder / "input"
    inbox.mkdir(parents=True, exist_ok=True)
    path = inbox / f"document.{kind}"
    path.write_bytes(data)
    try:
        yield path
    finally:
        for leftover in inbox.glob("*"):
            leftover.unlink(missing_ok=True)


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
