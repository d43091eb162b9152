"""Multiplies the SOPs of an index by variation, up to sizes that would take hours to write and to embed.

A copy has the words, the views and the token codes of its original, but another id. Its vectors are its original's with
random ones added, to a cosine of about 0.9 with them. A fifth of the terms of a block stand in other SOPs of the block
than in the original. So every term keeps its share of the SOPs, every SOP nearly its number of terms, and copies differ
in all scores that select candidates.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.postings import BLOCK, BUCKETS, Integers, Records, row_ids
from soprag.tools.retriever.index.sqlite_store import FILE, SqliteStore
from soprag.tools.retriever.index.storage import PostingRow

_NOISE = 0.5  # length of what is added to a vector of length 1: a cosine of 1 / sqrt(1 + 0.25) = 0.89
_MOVED = 5  # one of so many terms moves to other SOPs
_BATCH = 500  # SOPs read at once
_BITS = 8  # of the codes of vectors
_ORIGINALS = "SELECT number FROM sop WHERE id NOT LIKE '% %' ORDER BY 1"
_SPREAD = 2_654_435_761  # odd, for a hash of terms


def multiply(folder: Path, size: int) -> None:
    """Copy the SOPs of the index in `folder` until it has `size`; each round is one transaction."""
    store = SqliteStore(folder / FILE)
    with store.reading() as db:
        originals = [number for (number,) in db.execute(_ORIGINALS)]
        have, highest = db.execute("SELECT count(*), max(number) FROM sop").fetchone()
    blocks, first = originals[-1] // BLOCK + 1, highest // BLOCK + 1
    for round_, start in enumerate(range(have, size, len(originals))):
        with store.transaction() as db:
            Round(db, originals[: size - start], (first + round_ * blocks) * BLOCK).write()
    store.settle()
    store.close()


def multiply_postings(folder: Path, target: Path, size: int) -> None:
    """Make an index in `target` with nothing but the postings of `size` SOPs: those of `folder` and their copies."""
    source, copy = SqliteStore(folder / FILE), SqliteStore(target / FILE)
    originals = [number for (number,) in source.here.execute(_ORIGINALS)]
    blocks = originals[-1] // BLOCK + 1
    lengths = dict(source.here.execute("SELECT number, length FROM sop").fetchall())
    with copy.transaction() as db:
        for round_, start in enumerate(range(0, size, len(originals))):
            some = originals[: size - start]
            once = Round(source.here, some, round_ * blocks * BLOCK)
            sops = [(number + once.offset, f"{number} {round_}", lengths[number]) for number in some]
            db.executemany("INSERT INTO sop VALUES (?, ?, '', '', '', '', 1, '', '', ?, 0, 0)", sops)
            for block in range(some[-1] // BLOCK + 1):
                db.executemany("INSERT INTO posting VALUES (?, ?, ?)", once.postings(block))
        db.execute("INSERT INTO change (number, gone) VALUES (1, 0)")
    for store in (source, copy):
        store.close()


class Round:
    """One more copy of the `originals`, whose numbers are `offset` larger: whole blocks."""

    def __init__(self, db: sqlite3.Connection, originals: Sequence[int], offset: int) -> None:
        self.db, self.originals, self.offset = db, originals, offset
        self.rng = np.random.default_rng(offset)

    def write(self) -> None:
        """Write all rows."""
        columns = "title, source, digest, edition, version, added, updated, length, passages, posted"
        which, last = "WHERE id NOT LIKE '% %' AND number <= ?", self.originals[-1]
        copies = (
            f"INSERT INTO sop (number, id, {columns}) SELECT number + ?, id || ' ' || ?, {columns} FROM sop {which}"
        )
        self.db.execute(copies, (self.offset, self.offset, last))
        self.db.executemany("INSERT INTO element VALUES (?, ?, ?, ?, ?)", self._elements())
        self.db.executemany("INSERT INTO gist VALUES (?, ?)", self._gists())
        for block in range(last // BLOCK + 1):
            self.db.executemany("INSERT INTO posting VALUES (?, ?, ?)", self.postings(block))
        events = "id || ' ' || ?, version, 'added', added, digest, edition"
        self.db.execute(f"INSERT INTO history SELECT {events} FROM sop {which}", (self.offset, last))
        self.db.execute(f"INSERT INTO change (number, gone) SELECT number + ?, 0 FROM sop {which}", (self.offset, last))

    def _elements(self) -> Iterator[tuple[int, bytes, bytes, bytes, bytes]]:
        for number, layout, vectors, content, tokens in self._rows("layout, vectors, content, tokens", "element"):
            yield number + self.offset, layout, self._varied(vectors), content, tokens

    def _gists(self) -> Iterator[tuple[int, bytes]]:
        for number, vector in self._rows("vector", "gist"):
            yield number + self.offset, self._varied(vector)

    def _rows(self, columns: str, table: str) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(self.originals), _BATCH):
            some = self.originals[start : start + _BATCH]
            places = ", ".join("?" * len(some))
            yield from self.db.execute(
                f"SELECT number, {columns} FROM {table} WHERE number IN ({places})", some
            ).fetchall()

    def _varied(self, data: bytes) -> bytes:
        vectors: Vectors = codes.unpack(data).vectors()
        noise = self.rng.standard_normal(vectors.shape, dtype=np.float32) * (_NOISE / vectors.shape[1] ** 0.5)
        vectors = vectors + noise
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return codes.pack(codes.encode(vectors, _BITS))

    def postings(self, block: int) -> Iterator[PostingRow]:
        """The rows of a block with the SOPs of some terms moved on by a number that depends on the term."""
        first = block * BUCKETS
        query = "SELECT id, records, counts FROM posting WHERE id BETWEEN ? AND ? ORDER BY id"
        every = Records.read(self.db.execute(query, (first, first + BUCKETS - 1)).fetchall())
        copied = every[np.isin(every.numbers, self.originals)]
        numbers = self._moved(copied.keys, copied.numbers, block) + self.offset
        order = np.lexsort((numbers, row_ids(copied.keys, 0)))  # as SOPs that were added one after the other
        moved = Records(copied.keys[order], numbers[order], copied.counts[order])
        ids, begins = np.unique(row_ids(moved.keys, self.offset // BLOCK + block), return_index=True)
        for id, begin, end in zip(ids.tolist(), begins, [*begins[1:], len(numbers)], strict=True):
            yield moved[begin:end].row(id)

    def _moved(self, keys: Integers, numbers: Integers, block: int) -> Integers:
        present = np.array([number for number in self.originals if number // BLOCK == block], np.int64)
        hashed = (keys + self.offset) * _SPREAD >> 7
        steps = np.where(hashed % _MOVED == 0, hashed // _MOVED, 0)
        moved: Integers = present[(np.searchsorted(present, numbers) + steps) % len(present)]
        return moved
