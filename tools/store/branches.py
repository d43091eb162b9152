"""The path of a thread through its record.

A thread of LangGraph can be taken back to an earlier checkpoint and answered differently from there (forked). The
record keeps both answers; an entry of kind `forked` says which entries are no longer on the path that the thread took.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from soprag.tools.store.log_entry import LogEntry

FORKED = "forked"


@dataclass
class ThreadPath:
    """The entries with a key on the present path, by their position in the thread."""

    entries: dict[str, LogEntry] = field(default_factory=dict)

    def add(self, entry: LogEntry) -> None:
        """Follow one more entry of the record."""
        if entry.kind == FORKED:
            first = replaced(entry)
            self.entries = {position: earlier for position, earlier in self.entries.items() if earlier.number < first}
        elif entry.key:
            self.entries[entry.position] = entry


def replaced(fork: LogEntry) -> int:
    """Number of the first entry that a fork takes off the path."""
    first = fork.facts.get("replaces")
    return first if isinstance(first, int) else fork.number


def on_path(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The entries on the path of the thread, in order; entries without a key, such as notes, always stay."""
    path: list[LogEntry] = []
    for entry in entries:
        if entry.kind == FORKED:
            first = replaced(entry)
            path = [earlier for earlier in path if earlier.number < first or not earlier.key]
        path.append(entry)
    return path


def off_path(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The entries that a fork took off the path."""
    record = list(entries)
    numbers = {entry.number for entry in on_path(record)}
    return [entry for entry in record if entry.number not in numbers]
