"""The path of a thread: a fork takes off the entry it replaces and every later one with a key."""

from soprag.tools.store.branches import FORKED, ThreadPath, off_path, on_path
from soprag.tools.store.log_entry import LogEntry


def entry(number: int, kind: str = "done", key: str = "", **facts: int) -> LogEntry:
    return LogEntry(number=number, at="2026-01-01T00:00:00Z", kind=kind, key=key, facts=dict(facts), previous="")


FIRST, SECOND, NOTE, THIRD = entry(1, key="a#1"), entry(2, key="b#1"), entry(3, "note"), entry(4, key="c#1")
FORK = entry(5, FORKED, replaces=2)


def test_a_fork_takes_off_the_replaced_entry_itself_and_what_followed_it() -> None:
    path = ThreadPath()
    for row in (FIRST, SECOND, NOTE, THIRD, FORK):
        path.add(row)
    assert path.entries == {"a": FIRST}


def test_notes_and_the_fork_stay_on_the_path() -> None:
    record = (FIRST, SECOND, NOTE, THIRD, FORK)
    assert on_path(record) == [FIRST, NOTE, FORK]
    assert off_path(record) == [SECOND, THIRD]


def test_a_fork_that_names_no_entry_takes_nothing_off() -> None:
    assert on_path([FIRST, SECOND, entry(3, FORKED)]) == [FIRST, SECOND, entry(3, FORKED)]
