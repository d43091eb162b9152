"""The change log, from which derived data (vectors in memory, document lengths, Chroma) is updated."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from soprag.tools.retriever.index.storage import Rows

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

    def select(self, db: Rows, columns: str, table: str) -> Iterator[tuple[Any, ...]]:
        """Rows of the added SOPs."""
        for start in range(0, len(self.fresh), _BATCH):
            inside, some = db.among("number", self.fresh[start : start + _BATCH])
            yield from db.execute(f"SELECT {columns} FROM {table} WHERE {inside}", (some,))


def last(db: Rows) -> int:
    """The last position of the log."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM change").fetchone()[0])


def news(db: Rows, position: int) -> News | None:
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


def trim(db: Rows) -> None:
    """Delete all but the newest `_KEPT` changes."""
    db.execute("DELETE FROM change WHERE seq <= (SELECT max(seq) FROM change) - ?", (_KEPT,))


def _first(db: Rows) -> int:
    return int(db.execute("SELECT coalesce(min(seq), 0) FROM change").fetchone()[0])
