"""The record of a session: what was asked, shown, done, decided and approved; a change to it is noticed.

Every line holds the hash of the line before it and its own, so a changed, removed, inserted or reordered line breaks
the chain. The head beside the lines holds the number and hash of the last one, so lines cut off or appended at the end
are noticed too. A line is announced in the head, written durably, and then confirmed in the head. Where both lie, in
files or in PostgreSQL, is `record_place.py`.

The chain has no key: who can write lines and head can forge all of it anew. Only a copy of the head kept elsewhere
shows that (`Head.anchor`, printed at hand-over; `soprag audit verify --head`).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, RLock
from typing import Any

from pydantic_core import to_jsonable_python

from soprag.tools.observe.spans import current_trace
from soprag.tools.sop import digest
from soprag.tools.store.branches import FORKED, ThreadPath
from soprag.tools.store.log_entry import START, Head, Lines, LogEntry, canonical, parse_head, parse_lines
from soprag.tools.store.record_place import FileRecord, RecordBytes, RecordPlace
from soprag.tools.text.sanitize import one_line, sanitize_json

_OPEN = 64  # records that stay open
_ANSWER = 12  # hex digits of an answer's digest in a key


class Logbook:
    """One record that is only ever appended to; several processes may write to it, one line at a time."""

    def __init__(self, place: Path | RecordPlace) -> None:
        self.place = FileRecord(place) if isinstance(place, Path) else place
        self._thread = RLock()
        self._forget()

    def append(self, kind: str, /, *, by: str = "", key: str = "", answer: object = None, **facts: object) -> LogEntry:
        """Write one entry and wait until it is on the disk. Raises `StorageError`.

        `key` is a position in the thread: a node that runs again after a crash does not write its entry twice. `answer`
        is what a person decided at that position. Another answer at a position that is on the path means that the
        thread was forked there: an entry of kind `forked` goes before the new one.
        """
        with self._writing() as record:
            full_key = key if answer is None else f"{key}#{_fingerprint(answer)}"
            recorded = self._path.entries.get(key)
            if recorded and recorded.key == full_key:
                return recorded
            if recorded:
                self._fork(record, recorded, by)
            return self._write(record, kind, by, full_key, _plain(facts))

    def find(self, key: str) -> LogEntry | None:
        """The last entry at that position, whether or not it is still on the path of the thread."""
        with self._writing():
            return self._positions.get(key)

    def entries(self) -> list[LogEntry]:
        """All readable entries in the order of their lines; `verify` says whether they can be trusted."""
        with self.place.reading() as record:
            return [entry for _, entry in parse_lines(record.read()) if entry]

    @property
    def head(self) -> Head:
        """Count and hash of the last entry."""
        with self._writing():
            return self._last

    @contextmanager
    def _writing(self) -> Iterator[RecordBytes]:
        """The record at its end; after an error it is read anew, for what was written may have been taken back."""
        with self._thread, self.place.writing() as record:
            try:
                self._follow(record)
                yield record
            except BaseException:
                self._forget()
                raise

    def _forget(self) -> None:
        self._size = -1  # bytes read so far
        self._last = Head(number=0, hash=START)
        self._positions: dict[str, LogEntry] = {}
        self._path = ThreadPath()

    def _fork(self, record: RecordBytes, recorded: LogEntry, by: str) -> None:
        facts = {"replaces": recorded.number, "until": self._last.number}
        self._write(record, FORKED, by, "", facts)

    def _write(self, record: RecordBytes, kind: str, by: str, key: str, facts: dict[str, Any]) -> LogEntry:
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
        record.put_head(_bytes(self._last.model_copy(update={"next": entry.hash})))
        record.append(entry.line() + b"\n")
        self._size = record.size()
        self._take(entry)
        record.put_head(_bytes(self._last))
        return entry

    def _take(self, entry: LogEntry) -> None:
        self._last = Head(number=entry.number, hash=entry.hash)
        self._path.add(entry)
        if entry.key:
            self._positions[entry.position] = entry

    def _follow(self, record: RecordBytes) -> None:
        """Read what another process wrote, end a line that a killed process left torn, and record any damage."""
        size = record.size()
        if size == self._size:
            return
        from_start = not 0 <= self._size < size
        if from_start:
            self._forget()
        data = record.read(0 if from_start else self._size)
        lines = parse_lines(data)
        entries = [entry for _, entry in lines if entry]
        for entry in entries:
            self._take(entry)
        self._size = size
        self._mend(record, data, lines, entries if from_start else None)

    def _mend(self, record: RecordBytes, data: bytes, lines: Lines, entries: list[LogEntry] | None) -> None:
        """End a torn line and record damage; `entries` are all of them, or None if only new ones were read.

        Damage is recorded before the head is overwritten, for afterwards the head no longer shows it.
        """
        damage = _damage(parse_head(record.head()), entries) if entries is not None else None
        if data and not data.endswith(b"\n"):
            record.append(b"\n")
            self._size = record.size()
            row, entry = lines[-1]
            if entry is None:
                self._write(record, "torn", "logbook", "", {"bytes": len(row), "sha256": digest(row)})
        if damage:
            self._write(record, "broken", "logbook", "", damage)


class OpenLogbooks:
    """The records that were used last, by thread; one that is opened again reads its lines again."""

    def __init__(self) -> None:
        self._books: dict[str, Logbook] = {}
        self._lock = Lock()

    def open(self, thread: str, place: Path | RecordPlace) -> Logbook:
        """The record of a thread."""
        with self._lock:
            book = self._books.pop(thread) if thread in self._books else Logbook(place)
            self._books[thread] = book
            if len(self._books) > _OPEN:
                self._books.pop(next(iter(self._books)))
            return book


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


def _bytes(head: Head) -> bytes:
    return head.model_dump_json().encode()


def _fingerprint(answer: object) -> str:
    return digest(canonical(_plain({"answer": answer})))[:_ANSWER]
