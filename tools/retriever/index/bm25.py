"""Full text: the inverted index of terms and term pairs, and BM25 over it.

A row of `posting` holds the SOPs of one block of 512 numbers for one term, eight bytes each, so that a term of 50,000
SOPs is read in 100 rows and scored in one call. (SQLite's FTS5 took 38 ms for questions on 4,000 synthetic SOPs that
take 0.9 ms here.)
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.retriever.index.change_log import news
from soprag.tools.text.terms import Hashes, hashes, with_pairs

RECORD = np.dtype([("number", "<u4"), ("body", "<u2"), ("title", "u1"), ("spare", "u1")])
_BLOCK = 512
_MOST = {"title": 255, "body": 65535}  # of one term in one field


@dataclass(frozen=True)
class Weights:
    """BM25: saturation k1, length normalisation b, and how much an occurrence in the title counts (1 in the body)."""

    k1: float = 2.0
    b: float = 1.0
    title: float = 1.0


def post(db: sqlite3.Connection, number: int, title: list[str], body: list[str]) -> Hashes:
    """Write the postings of an SOP's title and body; returns the hashes that `unpost` needs."""
    counts = {"title": Counter(_hashed(title)), "body": Counter(_hashed(body))}
    keys = sorted(counts["title"] | counts["body"])
    records = np.zeros(len(keys), RECORD)
    records["number"] = number
    for name, count in counts.items():
        records[name] = [min(count[term], _MOST[name]) for term in keys]
    rows = ((term, number // _BLOCK, record.tobytes()) for term, record in zip(keys, records, strict=True))
    insert = "INSERT INTO posting VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)"
    db.executemany(insert, rows)
    return np.array(keys, np.uint32)


def unpost(db: sqlite3.Connection, number: int, posted: Hashes) -> None:
    """Delete the postings of an SOP."""
    block = number // _BLOCK
    for term in posted.tolist():
        (data,) = db.execute("SELECT data FROM posting WHERE term = ? AND block = ?", (term, block)).fetchone()
        records = np.frombuffer(data, RECORD)
        remaining = records[records["number"] != number].tobytes()
        if remaining:
            db.execute("UPDATE posting SET data = ? WHERE term = ? AND block = ?", (remaining, term, block))
        else:
            db.execute("DELETE FROM posting WHERE term = ? AND block = ?", (term, block))


def frequencies(db: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    """In how many SOPs each term occurs; what occurs in none is left out."""
    unique = list(dict.fromkeys(terms))
    query = "SELECT coalesce(sum(length(data)), 0) FROM posting WHERE term = ?"
    sizes = [db.execute(query, (term,)).fetchone()[0] for term in hashes(unique).tolist()]
    return {word: size // RECORD.itemsize for word, size in zip(unique, sizes, strict=True) if size}


@dataclass(frozen=True)
class Scored:
    """The BM25 of all SOPs for one question, by number; 0 for those without any of its terms."""

    scores: NDArray[np.float64]

    def best(self, k: int) -> dict[int, float]:
        """SOP number → score of the top `k`, and of all that tie with the last of them."""
        numbers = np.flatnonzero(self.scores)
        if k < 1 or not numbers.size:
            return {}
        if numbers.size > k:
            numbers = numbers[self.scores[numbers] >= np.partition(self.scores[numbers], -k)[-k]]
        return dict(zip(numbers.tolist(), self.scores[numbers].tolist(), strict=True))

    def of(self, numbers: Sequence[int]) -> NDArray[np.float64]:
        """The scores of these SOPs (`Elements.number`), in their order."""
        return self.scores[np.asarray(numbers, np.int64)]


class FullText:
    """BM25 scorer; keeps the document lengths in memory, updated from the change log."""

    def __init__(self, weights: Weights = Weights()) -> None:
        self.weights = weights
        self._position = 0
        self._lengths: NDArray[np.float32] = np.zeros(0, np.float32)  # by number; 0 where there is no SOP
        self.size, self.mean = 0, 0.0

    def follow(self, db: sqlite3.Connection) -> None:
        """Apply the changes logged since the last call."""
        latest = news(db, self._position)
        if latest is None:
            return
        # The SOP with the highest number may be gone since, but the ones before it keep their place.
        before = self._lengths[: 0 if latest.whole else len(self._lengths)]
        lengths = np.zeros(max(latest.highest + 1, len(before)), np.float32)
        lengths[: len(before)] = before
        lengths[[number for number in latest.gone if number < len(lengths)]] = 0
        for number, length in latest.select(db, "number, length", "sop"):
            lengths[number] = length
        self._lengths, self._position = lengths, latest.position
        self.size, length = db.execute("SELECT sops, length FROM total").fetchone()
        self.mean = length / self.size if self.size else 0.0

    def score(self, db: sqlite3.Connection, terms: Iterable[str]) -> Scored:
        """BM25 of every SOP for these terms and their pairs."""
        self.follow(db)
        scores = np.zeros(len(self._lengths), np.float64)
        for term in sorted(set(_hashed(list(terms)))):
            rows = db.execute("SELECT data FROM posting WHERE term = ?", (term,)).fetchall()
            records = np.frombuffer(b"".join(data for (data,) in rows), RECORD)
            scores[records["number"]] += self._bm25(records)
        return Scored(scores)

    def _bm25(self, records: NDArray[np.void]) -> NDArray[np.float64]:
        """The BM25 contribution of one term, shape (postings,)."""
        weigh, often = self.weights, len(records)
        rarity = np.log1p((self.size - often + 0.5) / (often + 0.5))
        count = weigh.title * records["title"] + records["body"]
        length = 1 - weigh.b + weigh.b * self._lengths[records["number"]] / self.mean
        gain: NDArray[np.float64] = rarity * count * (weigh.k1 + 1) / (count + weigh.k1 * length)
        return gain


def _hashed(terms: list[str]) -> list[int]:
    return [int(term) for term in hashes(with_pairs(terms))]
