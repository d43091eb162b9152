"""Copies an index from one database to another, in one transaction, and compares both before it commits."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from soprag.tools.errors import StorageError, UsageError
from soprag.tools.retriever.index.places import open_store
from soprag.tools.retriever.index.storage import PostingRow, Rows, Store, insert
from soprag.tools.sop import Frozen

_BATCH = 200  # rows
_SOP = "number, id, title, source, digest, edition, version, added, updated, length, passages, posted"
_ORDERED = {
    "sop": f"SELECT {_SOP} FROM sop ORDER BY number",
    "gist": "SELECT number, vector FROM gist ORDER BY number",
    "element": "SELECT number, layout, vectors, content, tokens FROM element ORDER BY number",
    "history": "SELECT id, version, event, at, digest, edition FROM history ORDER BY rowid",
}
_POSTINGS = "SELECT id, records, counts FROM posting ORDER BY id, rowid"


class MovedTable(Frozen):
    """One table after a move: its rows, and the SHA-256 of what they hold, the same on both sides."""

    table: str
    rows: int
    digest: str


def move(source: Store, place: str | Path) -> list[MovedTable]:
    """Copy an index to an empty place; the source stays as it is. Returns what both sides hold.

    One transaction: after an interruption the target is empty, and the same command begins anew. Raises `UsageError`
    when there are SOPs at the target, `StorageError` when the copy is not equal.
    """
    with closing(open_store(place, create=True)) as target:
        with source.reading() as old, target.transaction() as new:
            if new.execute("SELECT 1 FROM history").fetchone():
                raise UsageError(f"There is an index with SOPs in {target.name!r}; name an empty place.")
            _copy(old, new)
            before, after = _fingerprints(old), _fingerprints(new)
            if before != after:
                differing = ", ".join(one.table for one, other in zip(before, after, strict=True) if one != other)
                raise StorageError(f"The copy in {target.name!r} differs in {differing}; nothing was kept of it.")
        target.settle()
    return after


def _copy(old: Rows, new: Rows) -> None:
    for key, value in old.execute("SELECT key, value FROM meta WHERE key IN ('embedding', 'dimension')"):
        new.execute("INSERT INTO meta VALUES (?, ?)", (key, value))
    for table, query in _ORDERED.items():
        columns = query.partition("SELECT ")[2].partition(" FROM")[0]
        for batch in _batches(old.stream(query)):
            insert(new, f"{table} ({columns})", batch)
    for batch in _batches(_postings(old)):
        new.post(batch)
    # Who follows the log of the copy begins with all SOPs.
    new.execute("INSERT INTO change (number, gone) SELECT number, 0 FROM sop ORDER BY number")
    new.go_on_counting()


def _fingerprints(db: Rows) -> list[MovedTable]:
    tables = [_fingerprint(table, db.stream(query)) for table, query in _ORDERED.items()]
    return [*tables, _fingerprint("posting", _postings(db))]


def _fingerprint(table: str, rows: Iterable[Any]) -> MovedTable:
    digest, count = hashlib.sha256(), 0
    for row in rows:
        digest.update(repr(tuple(row)).encode())
        count += 1
    return MovedTable(table=table, rows=count, digest=digest.hexdigest())


def _postings(db: Rows) -> Iterator[PostingRow]:
    """One row for each id, whatever the database keeps for it."""
    for id, parts in groupby(db.stream(_POSTINGS), key=lambda row: row[0]):
        every = list(parts)
        yield id, b"".join(records for _, records, _ in every), b"".join(counts for *_, counts in every)


def _batches(rows: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for row in rows:
        batch.append(row)
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    yield batch
