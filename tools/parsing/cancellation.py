"""One document under way: whoever asked for it can see from another thread how far it is, and stop it."""

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from soprag.tools.parsing.pool import Process


class Cancelled(Exception):
    """The caller no longer wants the result."""


@dataclass
class ParseCall:
    """`cancel` ends the work; the working thread meets `Cancelled` at its next step."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: Process | None = None
    _cancelled: bool = False
    _begun: float = 0.0
    _engine: str = ""
    _of: int = 0
    _pages: int = 0

    def begin(self, engine: str, pages: int) -> None:
        """From now on `engine` works on the document, which has so many pages; 0: none, or not known."""
        self._begun = self._begun or time.monotonic()
        self._engine, self._of, self._pages = engine, pages, 0

    def note_pages(self, pages: int) -> None:
        """So many pages are done."""
        self._pages = pages

    @property
    def standing(self) -> str:
        """How far it is, such as `mineru flash, page 120 of 300, 40 s`; empty while it waits for its turn."""
        if not self._engine:
            return ""
        pages = f"page {self._pages} of {self._of}, " if self._pages else f"{self._of} pages, " if self._of > 1 else ""
        return f"{self._engine}, {pages}{time.monotonic() - self._begun:.0f} s"

    def cancel(self) -> None:
        """Stop working on this document and kill the process that does."""
        with self._lock:
            self._cancelled = True
            if self._process is not None:
                self._process.kill()

    def check(self) -> None:
        """Raise `Cancelled` when the caller has left."""
        if self._cancelled:
            raise Cancelled

    @contextlib.contextmanager
    def using(self, process: Process) -> Iterator[Process]:
        """While inside, `cancel` kills `process`."""
        with self._lock:
            self.check()
            self._process = process
        try:
            yield process
        finally:
            with self._lock:
                self._process = None
        self.check()
