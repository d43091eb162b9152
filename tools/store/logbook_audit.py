"""Verifies the hash chain of a logbook and reports which lines were changed, inserted, removed or reordered."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from soprag.tools.errors import UsageError
from soprag.tools.sop import Frozen, digest
from soprag.tools.store.log_entry import START, Head, Lines, LogEntry, parse_head, parse_lines
from soprag.tools.store.logbook import announced
from soprag.tools.store.record_place import FileRecord, RecordPlace

_SHORTEST = 12  # hex digits of a hash that are enough to tell it


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
        rows = [f"{self.file}: {self.entries} entries; the logbook {state}.", f"head {self.entries}:{self.head}"]
        return "\n".join(
            [*rows, *(f"  ! {finding}" for finding in self.faults), *(f"  - {notice}" for notice in self.notices)]
        )


def verify(place: Path | RecordPlace, anchors: Sequence[str] = ()) -> LogbookVerdict:
    """Check every line of the record against its hashes and the head beside it. Raises `UsageError` without a record.

    `anchors` are heads noted elsewhere, as `number:hash`, a hash, or at least 12 hex digits of one.
    """
    place = FileRecord(place) if isinstance(place, Path) else place
    with place.reading() as record:
        data, confirmed = record.read(), record.head()
    if not data and confirmed is None:
        raise UsageError(f"There is no logbook {place.name!r}; give a logbook.jsonl, a session folder or a session id.")
    lines, head = parse_lines(data), parse_head(confirmed)
    numbered = [(number, entry) for number, (_, entry) in enumerate(lines, 1) if entry]
    torn, unreadable = _unreadable(lines)
    unconfirmed, beyond = _beyond(numbered, head)
    faults = [
        *unreadable,
        *_respelled(lines),
        *_changed(numbered),
        *_doubled(numbered, head),
        *_disordered(numbered),
        *_missing(numbered, head),
        *_unlinked(numbered),
        *_recorded_damage(numbered),
        *_headless(numbered, head),
        *beyond,
        *_unanchored(numbered, anchors),
    ]
    unfinished = [] if not data or data.endswith(b"\n") else ["The last line has no end of line."]
    last = max((entry for _, entry in numbered), key=lambda entry: entry.number, default=None)
    return LogbookVerdict(
        file=place.name,
        entries=len(numbered),
        head=last.hash if last else START,
        faults=tuple(dict.fromkeys(faults)),
        notices=(*torn, *unfinished, *unconfirmed),
    )


def _unreadable(lines: Lines) -> tuple[list[str], list[str]]:
    """Lines that are no entries: torn by a crash, which the next entry says or which is the last line; or damaged."""
    torn, damaged = [], []
    for number, (raw, entry) in enumerate(lines, 1):
        if entry:
            continue
        following = lines[number][1] if number < len(lines) else None
        if following and following.kind == "torn" and following.facts.get("sha256") == digest(raw):
            torn.append(f"line {number} was torn when the program was killed; the next entry says so")
        elif number == len(lines) and not raw.rstrip().endswith(b"}"):
            torn.append(f"line {number}, the last, is torn: the program was killed while it wrote it")
        else:
            damaged.append(f"line {number} was changed: it is not an entry any more")
    return torn, damaged


def _respelled(lines: Lines) -> Iterator[str]:
    """Lines whose bytes are not the canonical spelling of their entry, though their hash fits."""
    for number, (row, entry) in enumerate(lines, 1):
        if entry and entry.hash == entry.sealed() and row != entry.line():
            yield f"line {number} was changed: it is not spelled as it was written, as with a repeated key or a space"


def _changed(numbered: list[tuple[int, LogEntry]]) -> Iterator[str]:
    for number, entry in numbered:
        if entry.hash != entry.sealed():
            yield f"line {number} (entry {entry.number}, {entry.kind!r}) was changed"


def _doubled(numbered: list[tuple[int, LogEntry]], head: Head | None) -> Iterator[str]:
    """Of entries with the same number, those whose hash no other entry refers to were inserted."""
    counts = Counter(entry.number for _, entry in numbered)
    referenced = {entry.previous for _, entry in numbered} | ({head.hash} if head else set())
    for number in [number for number, count in counts.items() if count > 1]:
        same = [(line_number, entry) for line_number, entry in numbered if entry.number == number]
        if len({entry.hash for _, entry in same}) == 1:
            yield from (f"line {line_number} repeats entry {number}" for line_number, _ in same[1:])
            continue
        strange = [line_number for line_number, entry in same if entry.hash not in referenced]
        yield from (
            f"line {line_number} was inserted: nothing builds on this entry {number}"
            for line_number in strange or [same[0][0]]
        )


def _disordered(numbered: list[tuple[int, LogEntry]]) -> Iterator[str]:
    for (_, before), (line_number, entry) in pairwise(numbered):
        if entry.number < before.number:
            yield f"line {line_number} stands out of order: entry {entry.number} comes after entry {before.number}"


def _missing(numbered: list[tuple[int, LogEntry]], head: Head | None) -> Iterator[str]:
    present = {entry.number for _, entry in numbered}
    last = max(present, default=0)
    for number in range(1, last):
        if number not in present:
            yield f"entry {number} was removed"
    if head and head.number > last:
        cut = f"entries {last + 1} to {head.number} were" if head.number > last + 1 else f"entry {head.number} was"
        yield f"{cut} cut off at the end"


def _unlinked(numbered: list[tuple[int, LogEntry]]) -> Iterator[str]:
    """Neighbouring entries whose hashes do not match, unless one of them is reported already."""
    first: dict[int, LogEntry] = {}
    for _, entry in numbered:
        first.setdefault(entry.number, entry)
    doubled = {number for number, count in Counter(entry.number for _, entry in numbered).items() if count > 1}
    for _, entry in numbered:
        before = first.get(entry.number - 1)
        expected = before.hash if before else START
        checkable = before is not None or entry.number == 1
        if checkable and entry.previous != expected and not {entry.number, entry.number - 1} & doubled:
            yield f"entry {entry.number} does not follow entry {entry.number - 1}: one of them was replaced"


def _recorded_damage(numbered: list[tuple[int, LogEntry]]) -> Iterator[str]:
    """Damage that the program noticed and recorded when it opened the record again."""
    for number, entry in numbered:
        if entry.kind != "broken":
            continue
        if "beyond" in entry.facts:
            what = f"there were entries after entry {entry.facts['beyond']} that the program had not written"
        elif entry.facts.get("missing"):
            what = f"entry {entry.facts['missing']}, which had been written, was not there"
        else:
            what = "its head was not there"
        yield f"line {number} says: when the logbook was opened again, {what}"


def _headless(numbered: list[tuple[int, LogEntry]], head: Head | None) -> Iterator[str]:
    hashes = {entry.number: entry.hash for _, entry in numbered}
    if numbered and head is None:
        yield "the head beside the logbook is missing: whether lines were cut off at the end cannot be told"
    if head and head.number in hashes and hashes[head.number] != head.hash:
        yield f"entry {head.number} is not the one that was written last: it was replaced"


def _beyond(numbered: list[tuple[int, LogEntry]], head: Head | None) -> tuple[list[str], list[str]]:
    """Entries after the one that the head names: (notices, faults)."""
    entries = [entry for _, entry in numbered if head and entry.number > head.number]
    if head is None or (not entries and not head.next):
        return [], []
    if not entries:
        return [f"The program was killed before it wrote entry {head.number + 1}, which it had announced."], []
    if announced(head, entries):
        return [f"The program was killed before it confirmed entry {entries[0].number}, which it had announced."], []
    return [], [f"entry {entry.number} was appended by another program: the head does not know it" for entry in entries]


def _unanchored(numbered: list[tuple[int, LogEntry]], anchors: Iterable[str]) -> Iterator[str]:
    """Anchors that no entry fits."""
    for anchor in filter(None, anchors):
        count, _, digits = anchor.rpartition(":")
        fits = [
            entry
            for _, entry in numbered
            if len(digits) >= _SHORTEST and entry.hash.startswith(digits) and count in ("", str(entry.number))
        ]
        if not fits and anchor != f"0:{START}":
            yield f"no entry is {anchor!r}, a head that was noted apart from the record: it was written anew or cut off"
