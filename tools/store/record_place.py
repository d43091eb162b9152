"""Where the record of a session lies: its lines, one after the other, and its head beside them.

A place knows bytes only; `logbook.py` says what they mean. There are two: a file here, and a thread in PostgreSQL
(`postgres_record.py`).
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from soprag.tools.errors import StorageError
from soprag.tools.store.log_entry import head_file
from soprag.tools.store.run_folder import write_whole

WAIT = 10.0  # seconds for another process to finish its line


class RecordBytes(Protocol):
    """The bytes of one record, while they are open."""

    def size(self) -> int:
        """Bytes of all lines."""
        ...

    def read(self, start: int = 0) -> bytes:
        """The lines from byte `start` on."""
        ...

    def append(self, data: bytes) -> None:
        """Add bytes at the end."""
        ...

    def head(self) -> bytes | None:
        """What `put_head` put last; None when there is nothing."""
        ...

    def put_head(self, data: bytes) -> None:
        """Replace the head."""
        ...


class RecordPlace(Protocol):
    """Opens the bytes of one record."""

    @property
    def name(self) -> str:
        """How the record is named to a person."""
        ...

    def reading(self) -> AbstractContextManager[RecordBytes]:
        """Open for reading, also while another process writes."""
        ...

    def writing(self) -> AbstractContextManager[RecordBytes]:
        """Open for one writer at a time; what was written is durable at the end. Raises `StorageError`."""
        ...


class FileRecord:
    """A record in a file, with its head in another one beside it; each write is on the disk before the next."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = FileLock(f"{file}.lock", timeout=WAIT)

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.file)

    @contextmanager
    def reading(self) -> "Iterator[FileRecord]":
        """As `RecordPlace.reading`."""
        yield self

    @contextmanager
    def writing(self) -> "Iterator[FileRecord]":
        """As `RecordPlace.writing`."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self._lock:
                yield self
        except (OSError, Timeout) as error:
            raise StorageError(f"Cannot write the logbook {self.name!r}: {error}.") from error

    def size(self) -> int:
        """As `RecordBytes.size`."""
        return self.file.stat().st_size if self.file.is_file() else 0

    def read(self, start: int = 0) -> bytes:
        """As `RecordBytes.read`."""
        if not self.file.is_file():
            return b""
        with self.file.open("rb") as file:
            file.seek(start)
            return file.read()

    def append(self, data: bytes) -> None:
        """As `RecordBytes.append`."""
        with self.file.open("ab", buffering=0) as file:
            file.write(data)
            os.fsync(file.fileno())

    def head(self) -> bytes | None:
        """As `RecordBytes.head`."""
        try:
            return head_file(self.file).read_bytes()
        except OSError:
            return None

    def put_head(self, data: bytes) -> None:
        """As `RecordBytes.put_head`."""
        write_whole(head_file(self.file), data)
