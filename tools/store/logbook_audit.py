"""Verifies the hash chain of a logbook and reports which lines were changed, inserted, removed or reordered."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from soprag.tools.errors import UsageError
from soprag.tools.sop import Frozen, digest
from soprag.tools.store.logbook import START, Head, LogEntry, head_file, lines, read_head


class LogbookVerdict(Frozen):
    """The result of a check; `faults` are signs of tampering, `notices` are not."""

    file: str
    entries: int
    head: str
    faults: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether no sign of tampering was found."""
        return not self.faults

    def text(self) -> str:
        """For a person."""
        state = "is as it was written" if self.sound else "was tampered with or damaged"
        rows = [f"{self.file}: {self.entries} entries; the logbook {state}.", f"head {self.head}"]
        return "\n".join(
            [*rows, *(f"  ! {finding}" for finding in self.faults), *(f"  - {notice}" for notice in self.notices)]
        )


def verify(file: Path, head: str = "") -> LogbookVerdict:
    """Check every line of the logbook; `head` is the hash of the last line as it was noted elsewhere."""
    if not file.is_file() and not head_file(file).is_file():
        raise UsageError(f"There is no logbook {str(file)!r}; give a logbook.jsonl, a session folder or a session id.")
    read = lines(file)
    placed = [(number, entry) for number, (_, entry) in enumerate(read, 1) if entry]
    torn, unreadable = _unreadable(read)
    stored_head = read_head(file)
    faults = [
        *unreadable,
        *_changed(placed),
        *_doubled(placed, stored_head),
        *_disordered(placed),
        *_missing(placed, stored_head),
        *_unlinked(placed),
        *_owned_up(placed),
        *_headless(placed, stored_head, head),
    ]
    unfinished = [] if not read or file.read_bytes().endswith(b"\n") else ["The last line has no end of line."]
    last = max((entry for _, entry in placed), key=lambda entry: entry.number, default=None)
    return LogbookVerdict(
        file=str(file),
        entries=len(placed),
        head=last.hash if last else START,
        faults=tuple(dict.fromkeys(faults)),
        notices=(*torn, *unfinished),
    )


def _unreadable(read: list[tuple[bytes, LogEntry | None]]) -> tuple[list[str], list[str]]:
    """Lines that are no entries: torn by a crash, which the next entry says or which is the last line; or damaged."""
    torn, damaged = [], []
    for number, (raw, entry) in enumerate(read, 1):
        if entry:
            continue
        following = read[number][1] if number < len(read) else None
        if following and following.kind == "torn" and following.facts.get("sha256") == digest(raw):
            torn.append(f"line {number} was torn when the program was killed; the next entry says so")
        elif number == len(read) and not raw.rstrip().endswith(b"}"):
            torn.append(f"line {number}, the last, is torn: the program was killed while it wrote it")
        else:
            damaged.append(f"line {number} was changed: it is not an entry any more")
    return torn, damaged


def _changed(placed: list[tuple[int, LogEntry]]) -> Iterator[str]:
    for number, entry in placed:
        if entry.hash != entry.sealed():
            yield f"line {number} (entry {entry.number}, {entry.kind!r}) was changed"


def _doubled(placed: list[tuple[int, LogEntry]], stored_head: Head | None) -> Iterator[str]:
    """Of entries with the same number, those whose hash no other entry refers to were inserted."""
    counts = Counter(entry.number for _, entry in placed)
    referenced = {entry.previous for _, entry in placed} | ({stored_head.hash} if stored_head else set())
    for number in [number for number, count in counts.items() if count > 1]:
        same = [(line_number, entry) for line_number, entry in placed if entry.number == number]
        if len({entry.hash for _, entry in same}) == 1:
            yield from (f"line {line_number} repeats entry {number}" for line_number, _ in same[1:])
            continue
        strange = [line_number for line_number, entry in same if entry.hash not in referenced]
        yield from (
            f"line {line_number} was inserted: nothing builds on this entry {number}"
            for line_number in strange or [same[0][0]]
        )


def _disordered(placed: list[tuple[int, LogEntry]]) -> Iterator[str]:
    for (_, before), (line_number, entry) in pairwise(placed):
        if entry.number < before.number:
            yield f"line {line_number} stands out of order: entry {entry.number} comes after entry {before.number}"


def _missing(placed: list[tuple[int, LogEntry]], stored_head: Head | None) -> Iterator[str]:
    present = {entry.number for _, entry in placed}
    last = max(present, default=0)
    for number in range(1, last):
        if number not in present:
            yield f"entry {number} was removed"
    if stored_head and stored_head.number > last:
        cut = (
            f"entries {last + 1} to {stored_head.number} were"
            if stored_head.number > last + 1
            else f"entry {stored_head.number} was"
        )
        yield f"{cut} cut off at the end"


def _unlinked(placed: list[tuple[int, LogEntry]]) -> Iterator[str]:
    """Neighbouring entries whose hashes do not match, unless one of them is reported already."""
    first: dict[int, LogEntry] = {}
    for _, entry in placed:
        first.setdefault(entry.number, entry)
    doubled = {number for number, count in Counter(entry.number for _, entry in placed).items() if count > 1}
    for _, entry in placed:
        before = first.get(entry.number - 1)
        expected = before.hash if before else START
        checkable = before is not None or entry.number == 1
        if checkable and entry.previous != expected and not {entry.number, entry.number - 1} & doubled:
            yield f"entry {entry.number} does not follow entry {entry.number - 1}: one of them was replaced"


def _owned_up(placed: list[tuple[int, LogEntry]]) -> Iterator[str]:
    """Damage that the logbook itself recorded when it was opened again."""
    for line_number, entry in placed:
        if entry.kind == "broken":
            gone = entry.facts.get("missing")
            what = f"entry {gone}, which had been written, was not there" if gone else "its head was not there"
            yield f"line {line_number} says: when the logbook was opened again, {what}"


def _headless(placed: list[tuple[int, LogEntry]], stored_head: Head | None, noted: str) -> Iterator[str]:
    hashes = {entry.number: entry.hash for _, entry in placed}
    if placed and stored_head is None:
        yield "the head beside the logbook is missing: whether lines were cut off at the end cannot be told"
    if stored_head and stored_head.number in hashes and hashes[stored_head.number] != stored_head.hash:
        yield f"entry {stored_head.number} is not the one that was written last: it was replaced"
    if noted and noted not in hashes.values():
        yield f"no entry has the hash {noted!r} that was noted elsewhere: the logbook was written anew or cut off"
