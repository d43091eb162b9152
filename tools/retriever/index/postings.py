"""The postings of full text: which SOPs have which terms and pairs of terms, in rows of the table `posting`.

Most terms, and nearly all pairs, stand in one SOP or two, so a row for each of them would be mostly the row itself. A
row of `posting` holds instead what 2,048 consecutive SOPs, a *block*, have of one *bucket*, the terms whose hashes
share their upper 13 bits: about 90 postings when the block is full. A posting is one number of 32 bits, with a list of
counts beside it for the few above 3:

    | 19 lower bits of the hash | 11 bits: the SOP within its block | 2 bits: count, 0 when it is in the list |

A question reads one row for each of its terms and each block, all of them with one statement.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.retriever.index.storage import PostingRow, Rows
from soprag.tools.text.terms import hashes, with_pairs

BLOCK = 2048  # SOPs
BUCKETS = 8192
_LOW = 19  # bits of a hash that a record holds; the others are those of its bucket
_SMALL = 3  # the largest count that fits into a record
_MOST = 65535

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Records:
    """Postings of several rows of the table, one element each: hash of the term, number of the SOP, count."""

    keys: Integers
    numbers: Integers
    counts: Integers

    @classmethod
    def read(cls, rows: Sequence[PostingRow]) -> "Records":
        """Decode rows (id, records, counts)."""
        packed = np.frombuffer(b"".join(records for _, records, _ in rows), "<u4").astype(np.int64)
        counts = packed & _SMALL
        counts[counts == 0] = np.frombuffer(b"".join(large for *_, large in rows), "<u2")
        ids = np.repeat(np.array([id for id, *_ in rows], np.int64), [len(records) // 4 for _, records, _ in rows])
        keys = (ids % BUCKETS << _LOW) | (packed >> 13)
        return cls(keys, ids // BUCKETS * BLOCK + (packed >> 2) % BLOCK, counts)

    def __getitem__(self, which: NDArray[np.bool_] | slice) -> "Records":
        return Records(self.keys[which], self.numbers[which], self.counts[which])

    def row(self, id: int) -> PostingRow:
        """These postings as the row `id`."""
        small = np.where(self.counts <= _SMALL, self.counts, 0)
        packed = (self.keys % (1 << _LOW) << 13) | (self.numbers % BLOCK << 2) | small
        return id, packed.astype("<u4").tobytes(), self.counts[small == 0].astype("<u2").tobytes()


@dataclass(frozen=True)
class TermPostings:
    """The postings of one term: the `numbers` of the SOPs that have it, ascending, and how often it is in each."""

    numbers: Integers
    counts: NDArray[np.uint16]

    @classmethod
    def read(cls, key: int, rows: Sequence[PostingRow]) -> "TermPostings":
        """Those of one hash in the rows of its bucket; the others, which are most, are not decoded."""
        packed = np.frombuffer(b"".join([records for _, records, _ in rows]), "<u4")
        mine = np.flatnonzero(packed ^ np.uint32(key % (1 << _LOW) << 13) < 1 << 13)
        records = packed[mine]
        counts = (records & _SMALL).astype(np.uint16)
        large = np.flatnonzero(counts == 0)
        if large.size:
            listed = np.frombuffer(b"".join([large for *_, large in rows]), "<u2")
            counts[large] = listed[np.searchsorted(np.flatnonzero(packed & _SMALL == 0), mine[large])]
        # Of every row, the first number of its block and how many postings were found in it.
        firsts = np.array([id // BUCKETS * BLOCK for id, *_ in rows], np.int64)
        found = np.searchsorted(mine, np.cumsum([len(records) // 4 for _, records, _ in rows]))
        found[1:] -= found[:-1]
        return cls(np.repeat(firsts, found) + (records >> 2 & BLOCK - 1), counts).ordered()

    def ordered(self) -> "TermPostings":
        """The same by ascending number; a database that appends gives the rows of one id in any order."""
        if (self.numbers[1:] >= self.numbers[:-1]).all():
            return self
        order = np.argsort(self.numbers, kind="stable")
        return TermPostings(self.numbers[order], self.counts[order])

    def places(self, wanted: Integers) -> tuple[Integers, NDArray[np.bool_]]:
        """Where those of the `wanted` SOPs are that have the term, and which those are."""
        found = np.minimum(np.searchsorted(self.numbers, wanted), len(self.numbers) - 1)
        there = self.numbers[found] == wanted
        return found[there], there


def posted(*fields: list[str]) -> int:
    """How many postings an SOP has whose title and body have these terms."""
    return len({key for terms in fields for key in hashed(terms)})


def post(db: Rows, number: int, *fields: list[str]) -> None:
    """Write the postings of an SOP, of the terms of its title and its body."""
    counts = Counter(key for terms in fields for key in hashed(terms))
    keys = np.array(sorted(counts), np.int64)
    often = np.array([min(counts[key], _MOST) for key in keys.tolist()], np.int64)
    records = Records(keys, np.full(len(keys), number, np.int64), often)
    ids = row_ids(keys, number // BLOCK)
    db.post([records[ids == id].row(id) for id in dict.fromkeys(ids.tolist())])


def unpost(db: Rows, number: int) -> None:
    """Delete the postings of an SOP; all rows of its block are read, so that its terms need not be known."""
    first = number // BLOCK * BUCKETS
    query = "SELECT id, records, counts FROM posting WHERE id BETWEEN ? AND ?"
    rows = db.execute(query, (first, first + BUCKETS - 1)).fetchall()
    if not rows:
        return
    ids = np.repeat([id for id, *_ in rows], [len(records) // 4 for _, records, _ in rows])
    found = np.unique(ids[Records.read(rows).numbers == number]).tolist()
    parts = _by_id(rows)
    changed = [(id, Records.read(parts[id])) for id in found]
    fresh = [records[records.numbers != number].row(id) for id, records in changed]
    inside, those = db.among("id", found)
    db.execute(f"DELETE FROM posting WHERE {inside}", (those,))
    db.post([row for row in fresh if row[1]])


def counted(db: Rows) -> Counter[int]:
    """SOP number → its postings, over the whole index."""
    total = Counter[int]()
    for row in db.stream("SELECT id, records, counts FROM posting"):
        total.update(Records.read([row]).numbers.tolist())
    return total


def read_terms(db: Rows, keys: Iterable[int], highest: int) -> dict[int, TermPostings]:
    """The postings of each hash that has any, with one statement; `highest` is the largest number of an SOP."""
    wanted = sorted(keys)
    buckets = sorted({key >> _LOW for key in wanted})
    ids = [block * BUCKETS + bucket for block in range(highest // BLOCK + 1) for bucket in buckets]
    inside, those = db.among("id", ids)
    rows: dict[int, list[PostingRow]] = {}
    for row in db.execute(f"SELECT id, records, counts FROM posting WHERE {inside}", (those,)):
        rows.setdefault(row[0] % BUCKETS, []).append(row)
    read = {key: TermPostings.read(key, rows[key >> _LOW]) for key in wanted if key >> _LOW in rows}
    return {key: postings for key, postings in read.items() if len(postings.numbers)}


def row_ids(keys: Integers, block: int | Integers) -> Integers:
    """The rows of the table that hold the postings of these hashes for one block."""
    return block * BUCKETS + (keys >> _LOW)


def _by_id(rows: Iterable[PostingRow]) -> dict[int, list[PostingRow]]:
    """The rows of each id; a database that only appends has several."""
    found: dict[int, list[PostingRow]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


def hashed(terms: list[str]) -> list[int]:
    """The hashes of terms and of the pairs of neighbouring ones."""
    return [int(term) for term in hashes(with_pairs(terms))]
