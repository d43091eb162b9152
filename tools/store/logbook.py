"""The logbook: what was asked, shown, done, decided and approved, in lines that nobody can change unnoticed.

One JSON object per line. Each holds the hash of the line before it and its own, so that a changed, removed, inserted
or reordered line breaks the chain; `<file>.head` holds the number and hash of the last line, so that lines cut off at
the end are missed too. A line is on the disk before `append` returns. Who can write the file can also forge all of it
anew: compare the head with one that was noted elsewhere (`soprag audit verify --head`), such as in a handover note.
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import Field, JsonValue, ValidationError
from pydantic_core import to_jsonable_python

from soprag.tools.errors import StorageError
from soprag.tools.sop import Frozen, digest
from soprag.tools.store.run_folder import write_whole
from soprag.tools.text.sanitize import one_line, sanitize_json

START = "0" * 64  # what the first line names as the line before it
_WAIT = 10.0  # seconds for another process to finish its line


class LogEntry(Frozen):
    """One line: what happened, when, by whom."""

    number: int = Field(ge=1)
    at: str = Field(description="UTC, ISO 8601")
    kind: str
    by: str = Field(default="", description="the person or the part of the program that did it")
    key: str = Field(default="", description="set where a repeated attempt must not be written twice")
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    previous: str = Field(description="hash of the entry before it")
    hash: str = ""

    def sealed(self) -> str:
        """The hash that its contents should have."""
        return digest(_canonical(self.model_dump(exclude={"hash"})))


class Head(Frozen):
    """Number and hash of the last entry."""

    number: int
    hash: str


class Logbook:
    """One file that is only ever added to; several processes may write to it, one line at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = FileLock(f"{file}.lock", timeout=_WAIT)
        self._size = -1
        self._last = Head(number=0, hash=START)
        self._keys: dict[str, LogEntry] = {}

    def append(self, kind: str, /, *, by: str = "", key: str = "", **facts: object) -> LogEntry:
        """Write one entry and wait until it is on the disk; an entry whose `key` is there already is not repeated."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self._lock:
                self._follow()
                if key and key in self._keys:
                    return self._keys[key]
                return self._write(kind, by, key, _plain(facts))
        except (OSError, Timeout) as fault:
            raise StorageError(f"Cannot write the logbook {str(self.file)!r}: {fault}.") from fault

    def find(self, key: str) -> LogEntry | None:
        """The entry with that key."""
        with self._lock:
            self._follow()
        return self._keys.get(key)

    def entries(self) -> list[LogEntry]:
        """All readable entries in the order of the file; `verify` tells whether they can be believed."""
        return [entry for _, entry in lines(self.file) if entry]

    @property
    def head(self) -> Head:
        """The last entry's number and hash."""
        with self._lock:
            self._follow()
        return self._last

    def _write(self, kind: str, by: str, key: str, facts: dict[str, Any]) -> LogEntry:
        bare = LogEntry(
            number=self._last.number + 1,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            kind=kind,
            by=one_line(by),
            key=key,
            facts=facts,
            previous=self._last.hash,
        )
        entry = bare.model_copy(update={"hash": bare.sealed()})
        line = f"{_canonical(entry.model_dump())}\n".encode()
        with self.file.open("ab", buffering=0) as file:
            file.write(line)
            os.fsync(file.fileno())
        self._size = self.file.stat().st_size
        self._keep(entry)
        write_whole(head_file(self.file), self._last.model_dump_json().encode())
        return entry

    def _keep(self, entry: LogEntry) -> None:
        self._last = Head(number=entry.number, hash=entry.hash)
        if entry.key:
            self._keys[entry.key] = entry

    def _follow(self) -> None:
        """Read what another process wrote; close a line that a killed process left torn, and say so."""
        size = self.file.stat().st_size if self.file.is_file() else 0
        if size == self._size:
            return
        anew = not 0 <= self._size < size
        if anew:
            self._last, self._keys = Head(number=0, hash=START), {}
        data = self._read(0 if anew else self._size)
        entries = parsed(data)
        hashes = {0: START}
        for _, entry in entries:
            if entry:
                self._keep(entry)
                hashes[entry.number] = entry.hash
        self._size = size
        self._mend(data, entries, hashes if anew else None)

    def _read(self, start: int) -> bytes:
        if not self.file.is_file():
            return b""
        with self.file.open("rb") as file:
            file.seek(start)
            return file.read()

    def _mend(self, data: bytes, entries: "Lines", hashes: dict[int, str] | None) -> None:
        """End a torn line and record damage in the chain; `hashes` holds all entries' hashes if all were read."""
        torn = bool(data) and not data.endswith(b"\n")
        if torn:
            with self.file.open("ab", buffering=0) as file:
                file.write(b"\n")
            self._size = self.file.stat().st_size
        head = read_head(self.file)
        if torn and not entries[-1][1]:
            self._write("torn", "logbook", "", {"bytes": len(entries[-1][0]), "sha256": digest(entries[-1][0])})
        if hashes is not None:
            self._own_up(head, hashes)

    def _own_up(self, head: Head | None, hashes: dict[int, str]) -> None:
        """Write into the chain that entries are missing, before the head is written over."""
        if head and hashes.get(head.number) != head.hash:
            self._write("broken", "logbook", "", {"missing": head.number, "hash": head.hash})
        elif head is None and len(hashes) > 2:
            self._write("broken", "logbook", "", {"missing": 0, "hash": ""})


Lines = list[tuple[bytes, LogEntry | None]]


def lines(file: Path) -> Lines:
    """Every line of a logbook with its entry, or None where it is none."""
    return parsed(file.read_bytes()) if file.is_file() else []


def parsed(data: bytes) -> Lines:
    """The same of the bytes of a logbook."""
    return [(raw, _entry(raw)) for raw in data.split(b"\n") if raw]


def _entry(raw: bytes) -> LogEntry | None:
    try:
        return LogEntry.model_validate_json(raw)
    except ValidationError:
        return None


def read_head(file: Path) -> Head | None:
    """The head kept beside a logbook; None when there is none, or none that can be read."""
    try:
        return Head.model_validate_json(head_file(file).read_bytes())
    except (OSError, ValidationError):
        return None


def head_file(file: Path) -> Path:
    """Where the head of a logbook is kept."""
    return file.with_name(f"{file.name}.head")


def _plain(facts: dict[str, object]) -> dict[str, Any]:
    """The facts as JSON that every parser reads: no hidden characters, no half surrogates, no NaN."""
    clean = sanitize_json(to_jsonable_python(facts, fallback=str, inf_nan_mode="strings"))
    return clean if isinstance(clean, dict) else {}


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
