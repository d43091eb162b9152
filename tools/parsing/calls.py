"""One document under way, so that whoever asked for it can stop it from another thread."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.parsing.pool import Process


class Cancelled(Exception):
    """The caller no longer wants the result."""


@dataclass
class Call:
    """`cancel` ends the work; the working thread meets `Cancelled` at its next step."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: Process | None = None
    _cancelled: bool = False

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
