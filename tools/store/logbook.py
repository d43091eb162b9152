"""The record of a session: what was asked, shown, done, decided and approved; a change to it is noticed.

Every line holds the hash of the line before it and its own, so a changed, removed, inserted or reordered line breaks
the chain. `<file>.head` holds the number and hash of the last line, so lines cut off or appended at the end are noticed
too. A line is announced in the head, written and synchronised to disk, and then confirmed in the head.

The chain has no key: who can write both files can forge all of it anew. Only a copy of the head outside this machine
shows that (`Head.anchor`, printed at hand-over; `soprag audit verify --head`).
"""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic_core import to_jsonable_python

from soprag.tools.errors import StorageError
from soprag.tools.observe.spans import current_trace
from soprag.tools.sop import digest
from soprag.tools.store.branches import FORKED, ThreadPath
from soprag.tools.store.log_entry import (
    START,
    Head,
    Lines,
    LogEntry,
    canonical,
    head_file,
    parse_lines,
    read_head,
    read_lines,
)
from soprag.tools.store.run_folder import write_whole
from soprag.tools.text.sanitize import one_line, sanitize_json

_WAIT = 10.0  # seconds for another process to finish its line
_ANSWER = 12  # hex digits of an answer's digest in a key


class Logbook:
    """One file that is only ever appended to; several processes may write to it, one line at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = FileLock(f"{file}.lock", timeout=_WAIT)
        self._size = -1  # bytes read so far
        self._last = Head(number=0, hash=START)
        self._positions: dict[str, LogEntry] = {}
        self._path = ThreadPath()

    def append(self, kind: str, /, *, by: str = "", key: str = "", answer: object = None, **facts: object) -> LogEntry:
        """Write one entry and wait until it is on the disk. Raises `StorageError`.

        `key` is a position in the thread: a node that runs again after a crash does not write its entry twice. `answer`
        is what a person decided at that position. Another answer at a position that is on the path means that the
        thread was forked there: an entry of kind `forked` goes before the new one.
        """
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self._lock:
                self._follow()
                full_key = key if answer is None else f"{key}#{_fingerprint(answer)}"
                recorded = self._path.entries.get(key)
                if recorded and recorded.key == full_key:
                    return recorded
                if recorded:
                    self._fork(recorded, by)
                return self._write(kind, by, full_key, _plain(facts))
        except (OSError, Timeout) as error:
            raise StorageError(f"Cannot write the logbook {str(self.file)!r}: {error}.") from error

    def find(self, key: str) -> LogEntry | None:
        """The last entry at that position, whether or not it is still on the path of the thread."""
        with self._lock:
            self._follow()
        return self._positions.get(key)

    def entries(self) -> list[LogEntry]:
        """All readable entries in the order of the file; `verify` says whether they can be trusted."""
        return [entry for _, entry in read_lines(self.file) if entry]

    @property
    def head(self) -> Head:
        """Count and hash of the last entry."""
        with self._lock:
            self._follow()
        return self._last

    def _fork(self, recorded: LogEntry, by: str) -> None:
        facts = {"replaces": recorded.number, "until": self._last.number}
        self._write(FORKED, by, "", facts)

    def _write(self, kind: str, by: str, key: str, facts: dict[str, Any]) -> LogEntry:
        unsealed = LogEntry(
            number=self._last.number + 1,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            kind=kind,
            by=one_line(by),
            key=key,
            facts=facts,
            trace=current_trace(),
            previous=self._last.hash,
        )
        entry = unsealed.model_copy(update={"hash": unsealed.sealed()})
        self._write_head(self._last.model_copy(update={"next": entry.hash}))
        with self.file.open("ab", buffering=0) as file:
            file.write(entry.line() + b"\n")
            os.fsync(file.fileno())
        self._size = self.file.stat().st_size
        self._take(entry)
        self._write_head(self._last)
        return entry

    def _write_head(self, head: Head) -> None:
        write_whole(head_file(self.file), head.model_dump_json().encode())

    def _take(self, entry: LogEntry) -> None:
        self._last = Head(number=entry.number, hash=entry.hash)
        self._path.add(entry)
        if entry.key:
            self._positions[entry.position] = entry

    def _follow(self) -> None:
        """Read what another process wrote, end a line that a killed process left torn, and record any damage."""
        size = self.file.stat().st_size if self.file.is_file() else 0
        if size == self._size:
            return
        from_start = not 0 <= self._size < size
        if from_start:
            self._last, self._positions, self._path = Head(number=0, hash=START), {}, ThreadPath()
        data = self._read(0 if from_start else self._size)
        lines = parse_lines(data)
        entries = [entry for _, entry in lines if entry]
        for entry in entries:
            self._take(entry)
        self._size = size
        self._mend(data, lines, entries if from_start else None)

    def _read(self, start: int) -> bytes:
        if not self.file.is_file():
            return b""
        with self.file.open("rb") as file:
            file.seek(start)
            return file.read()

    def _mend(self, data: bytes, lines: Lines, entries: list[LogEntry] | None) -> None:
        """End a torn line and record damage; `entries` are all of the file, or None if only new ones were read.

        Damage is recorded before the head is overwritten, for afterwards the head no longer shows it.
        """
        head = read_head(self.file)
        damage = _damage(head, entries) if entries is not None else None
        if data and not data.endswith(b"\n"):
            with self.file.open("ab", buffering=0) as file:
                file.write(b"\n")
            self._size = self.file.stat().st_size
            row, entry = lines[-1]
            if entry is None:
                self._write("torn", "logbook", "", {"bytes": len(row), "sha256": digest(row)})
        if damage:
            self._write("broken", "logbook", "", damage)


def announced(head: Head, entries: Iterable[LogEntry]) -> bool:
    """Whether the entries beyond the head are the one that the head announces: its writer was killed in between."""
    return [entry.hash for entry in entries if entry.number > head.number] == [head.next]


def _damage(head: Head | None, entries: list[LogEntry]) -> dict[str, Any] | None:
    """What the head says about the entries that does not hold; None when all is well."""
    if head is None:
        return {"missing": 0, "hash": ""} if entries else None
    hashes = {0: START} | {entry.number: entry.hash for entry in entries}
    if hashes.get(head.number) != head.hash:
        return {"missing": head.number, "hash": head.hash}
    beyond = [entry.number for entry in entries if entry.number > head.number]
    return {"beyond": head.number} if beyond and not announced(head, entries) else None


def _plain(facts: dict[str, object]) -> dict[str, Any]:
    """The facts as JSON that every parser reads: no hidden characters, no half surrogates, no NaN."""
    clean = sanitize_json(to_jsonable_python(facts, fallback=str, inf_nan_mode="strings"))
    return clean if isinstance(clean, dict) else {}


def _fingerprint(answer: object) -> str:
    return digest(canonical(_plain({"answer": answer})))[:_ANSWER]
