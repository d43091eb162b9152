"""Copies an index from one database to another in batches, so that a killed copy is gone on with, and compares both.

Until it is finished the target names in its `meta` what it is a copy of, and cannot be opened as an index.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from soprag.tools.errors import StorageError, UsageError
from soprag.tools.retriever.index.places import open_store
from soprag.tools.retriever.index.storage import PostingRow, Rows, Store, insert
from soprag.tools.sop import Frozen

_UNFINISHED = "copy"  # in `meta` of the target: what it becomes a copy of
_SOPS, _POSTINGS = 200, 4000  # of a batch, which is a transaction
_OF_SOP = {
    "sop": "number, id, title, source, digest, edition, version, added, updated, length, passages, posted",
    "gist": "number, vector",
    "element": "number, layout, vectors, content, tokens",
}
_HISTORY = "id, version, event, at, digest, edition"
_ORDERED = {table: f"SELECT {columns} FROM {table} ORDER BY number" for table, columns in _OF_SOP.items()} | {
    "history": f"SELECT {_HISTORY} FROM history ORDER BY rowid"
}
_POSTED = "SELECT id, records, counts FROM posting"


class MovedTable(Frozen):
    """One table after a move: its rows, and the SHA-256 of what they hold, the same on both sides."""

    table: str
    rows: int
    digest: str


def move(source: Store, place: str | Path, note: Callable[[str], None] = lambda standing: None) -> list[MovedTable]:
    """Copy an index to an empty place; the source stays as it is. Returns what both sides hold.

    `note` is told how far it is. After an interruption the same command goes on, or begins
    anew when the source was changed. Raises `UsageError` when there is an index at the target, `StorageError` when the
    copy is not equal; nothing is kept of such a copy.
    """
    with closing(open_store(place, create=True)) as target:
        with source.reading() as old:
            moving = Moving(old, target, _state(old))
            moving.begin()
            moving.sops(note)
            moving.postings(note)
            note("comparing both sides")
            tables = moving.finish()
        target.settle()
    return tables


def refuse_unfinished(store: Store) -> None:
    """Raises `StorageError` for a copy that was interrupted."""
    if store.meta(_UNFINISHED):
        raise StorageError(
            f"The copy of an index in {store.name!r} is not finished; the same `soprag index move` goes on with it."
        )


@dataclass(frozen=True)
class Moving:
    """A copy under way: of what `old` shows, which is `state`. Every batch looks where the one before it ended."""

    old: Rows
    target: Store
    state: str

    def begin(self) -> None:
        """Take the place, when it is empty or holds an unfinished copy; one of something else is removed."""
        with self.target.transaction() as new:
            begun = _begun(new)
            if not begun and new.execute("SELECT 1 FROM history").fetchone():
                raise UsageError(f"There is an index with SOPs in {self.target.name!r}; name an empty place.")
            if begun != self.state:
                _empty(new)
                new.execute("INSERT INTO meta VALUES (?, ?)", (_UNFINISHED, self.state))

    def sops(self, note: Callable[[str], None]) -> None:
        """Copy the rows of all SOPs that are not there."""
        (every,) = self.old.execute("SELECT count(*) FROM sop").fetchone()
        following = "SELECT number FROM sop WHERE number > ? ORDER BY number LIMIT ?"
        while True:
            with self._batch() as new:
                last, copied = new.execute("SELECT coalesce(max(number), 0), count(*) FROM sop").fetchone()
                numbers = [number for (number,) in self.old.execute(following, (last, _SOPS))]
                if not numbers:
                    return
                for table, columns in _OF_SOP.items():
                    query = f"SELECT {columns} FROM {table} WHERE number BETWEEN ? AND ? ORDER BY number"
                    insert(new, f"{table} ({columns})", self.old.execute(query, (numbers[0], numbers[-1])).fetchall())
            note(f"{copied + len(numbers)} of {every} SOPs")

    def postings(self, note: Callable[[str], None]) -> None:
        """Copy the postings that are not there."""
        (every,) = self.old.execute("SELECT count(DISTINCT id) FROM posting").fetchone()
        following = "SELECT id FROM posting WHERE id > ? GROUP BY id ORDER BY id LIMIT ?"
        while True:
            with self._batch() as new:
                last, copied = new.execute("SELECT coalesce(max(id), -1), count(DISTINCT id) FROM posting").fetchone()
                ids = [id for (id,) in self.old.execute(following, (last, _POSTINGS))]
                if not ids:
                    return
                query = f"{_POSTED} WHERE id BETWEEN ? AND ? ORDER BY id, rowid"
                new.post(list(_merged(self.old.execute(query, (ids[0], ids[-1])))))
            note(f"{copied + len(ids)} of {every} rows of full text")

    def finish(self) -> list[MovedTable]:
        """Copy the rest, compare both sides, and make it an index."""
        with self._batch() as new:
            for key, value in self.old.execute("SELECT key, value FROM meta WHERE key IN ('embedding', 'dimension')"):
                new.execute("INSERT INTO meta VALUES (?, ?)", (key, value))
            history = self.old.execute(_ORDERED["history"]).fetchall()
            insert(new, f"history ({_HISTORY})", history)
            # Who follows the log of the copy begins with all SOPs.
            new.execute("INSERT INTO change (number, gone) SELECT number, 0 FROM sop ORDER BY number")
            new.go_on_counting()
            before, after = _fingerprints(self.old), _fingerprints(new)
            if before == after:
                new.execute("DELETE FROM meta WHERE key = ?", (_UNFINISHED,))
                return after
            _empty(new)
        differing = ", ".join(one.table for one, other in zip(before, after, strict=True) if one != other)
        raise StorageError(f"The copy in {self.target.name!r} differs in {differing}; nothing was kept of it.")

    @contextmanager
    def _batch(self) -> Iterator[Rows]:
        with self.target.transaction() as new:
            if _begun(new) != self.state:
                raise UsageError(f"Another process has copied an index to {self.target.name!r}; name an empty place.")
            yield new


def _state(db: Rows) -> str:
    """What tells an index from every other one and from itself after a change."""
    (name,) = db.execute("SELECT value FROM meta WHERE key = 'name'").fetchone()
    (events,) = db.execute("SELECT count(*) FROM history").fetchone()
    (highest,) = db.execute("SELECT coalesce(max(number), 0) FROM sop").fetchone()
    return f"{name} {events} {highest}"


def _begun(db: Rows) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_UNFINISHED,)).fetchone()
    return str(row[0]) if row else ""


def _empty(db: Rows) -> None:
    for table in ("sop", "posting", "history", "change"):  # what belongs to an SOP goes with it
        db.execute(f"DELETE FROM {table}")
    db.execute("DELETE FROM meta WHERE key IN (?, 'embedding', 'dimension')", (_UNFINISHED,))


def _fingerprints(db: Rows) -> list[MovedTable]:
    tables = [_fingerprint(table, db.stream(query)) for table, query in _ORDERED.items()]
    return [*tables, _fingerprint("posting", _merged(db.stream(f"{_POSTED} ORDER BY id, rowid")))]


def _fingerprint(table: str, rows: Iterable[Any]) -> MovedTable:
    digest, count = hashlib.sha256(), 0
    for row in rows:
        digest.update(repr(tuple(row)).encode())
        count += 1
    return MovedTable(table=table, rows=count, digest=digest.hexdigest())


def _merged(rows: Iterable[Any]) -> Iterator[PostingRow]:
    """One row for each id, whatever the database keeps for it."""
    for id, parts in groupby(rows, key=lambda row: row[0]):
        every = list(parts)
        yield id, b"".join(records for _, records, _ in every), b"".join(counts for *_, counts in every)
