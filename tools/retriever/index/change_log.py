"""The change log, from which derived data (vectors in memory, document lengths, Chroma) is updated."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_KEPT = 100_000  # changes; a reader that is further behind rebuilds
_BATCH = 5000


@dataclass(frozen=True)
class News:
    """Changes after a position: numbers of added and of removed SOPs; with `whole`, all SOPs (a full rebuild)."""

    fresh: list[int]
    gone: set[int]
    position: int
    highest: int
    whole: bool

    def select(self, db: sqlite3.Connection, columns: str, table: str) -> Iterator[tuple[Any, ...]]:
        """Rows of the added SOPs."""
        for start in range(0, len(self.fresh), _BATCH):
            some = json.dumps(self.fresh[start : start + _BATCH])
            query = f"SELECT {columns} FROM {table} WHERE number IN (SELECT value FROM json_each(?))"
            yield from db.execute(query, (some,))


def last(db: sqlite3.Connection) -> int:
    """The last position of the log."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM change").fetchone()[0])


def news(db: sqlite3.Connection, position: int) -> News | None:
    """The changes after `position`; None when there are none, also in a transaction that is older than `position`."""
    end = last(db)
    if end <= position:
        return None
    (highest,) = db.execute("SELECT coalesce(max(number), 0) FROM sop").fetchone()
    if not position or _first(db) > position + 1:
        every = [number for (number,) in db.execute("SELECT number FROM sop ORDER BY number")]
        return News(every, set(), end, highest, whole=True)
    rows = db.execute("SELECT number, gone FROM change WHERE seq > ?", (position,)).fetchall()
    gone = {number for number, away in rows if away}
    return News(sorted({number for number, _ in rows} - gone), gone, end, highest, whole=False)


def trim(db: sqlite3.Connection) -> None:
    """Delete all but the newest `_KEPT` changes."""
    db.execute("DELETE FROM change WHERE seq <= (SELECT max(seq) FROM change) - ?", (_KEPT,))


def _first(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(min(seq), 0) FROM change").fetchone()[0])
