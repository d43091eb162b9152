"""The graph in memory, read in one transaction: chunks with vectors and postings, groups of names and their mentions.

A group is what one thing is called: names that are merged, or that have the same words. Ids of rows depend on the order
in which documents were added; everything here is sorted by content, so that answers do not.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors
from soprag.tools.knowledge.proper_names import NameKey, is_telling, name_key, title_key
from soprag.tools.knowledge.store import STORED, same_names
from soprag.tools.text.terms import hashes

_LISTED = frozenset({"document", "asset", "alarm", "parameter", "role", "command"})
_MEANING = ("indicates", "stands for")
_LONGEST_KEY = 12  # words
Ids = NDArray[np.int32]


@dataclass(frozen=True)
class Csr:
    """Rows of values: those of row i are `values[starts[i]:starts[i + 1]]`."""

    starts: NDArray[np.int64]
    values: Ids

    @classmethod
    def of(cls, rows: Ids, values: Ids, count: int) -> "Csr":
        """Pairs of row and value as rows, each sorted and without repetition."""
        pairs = np.unique(np.stack([rows, values], axis=1), axis=0) if len(rows) else np.zeros((0, 2), np.int32)
        counts = np.bincount(pairs[:, 0], minlength=count)
        return cls(np.concatenate([[0], np.cumsum(counts)]), pairs[:, 1].astype(np.int32))

    def row(self, number: int) -> Ids:
        """The values of a row."""
        return self.values[self.starts[number] : self.starts[number + 1]]

    def size(self, number: int) -> int:
        """How many values a row has."""
        return int(self.starts[number + 1] - self.starts[number])


@dataclass(frozen=True)
class Chunk:
    """A chunk: the document it is from and its lines."""

    number: int
    document: str
    title: str
    kind: str
    first: int
    last: int


@dataclass(frozen=True)
class Postings:
    """The terms of the chunks for BM25; `frequency[i]` is how often `terms[row]` occurs in chunk `rows.values[i]`."""

    terms: NDArray[np.uint32]
    rows: Csr
    frequency: NDArray[np.float32]
    lengths: NDArray[np.float32]

    def row_of(self, term: int) -> int:
        """The row of a hashed term, -1 where no chunk has it."""
        row = int(np.searchsorted(self.terms, term))
        return row if row < len(self.terms) and self.terms[row] == term else -1


@dataclass(frozen=True)
class Snapshot:
    """The graph as it was when it was read; `changes` tells whether it still is."""

    changes: str
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    postings: Postings
    groups: tuple[tuple[str, ...], ...]  # the texts of each group, sorted
    group_of_name: dict[int, int]
    group_of_key: dict[NameKey, int]
    listed: dict[NameKey, int]  # keys that are looked for in lower case too: titles and things of a plant
    named_in: Csr  # group -> chunks
    names_of: Csr  # chunk -> groups
    related: dict[str, Ids]  # relation -> chunks with a fact of it
    titled: dict[int, Ids]  # group -> the chunks of the documents with that title
    longest: dict[str, int]  # first word of a listed key -> words of the longest such key
    names: Vectors  # of the names of groups, (names, dimension)
    owners: Ids  # the group of each of them
    also: Csr  # group -> the groups that a fact says mean the same: the wording of an alarm, a spelt-out abbreviation

    def linked(self, text: str) -> list[int]:
        """The groups named in a text in its order, each once; the longest name where several begin with a word."""
        words = name_key(text)
        groups: dict[int, None] = {}
        start = 0
        while start < len(words):
            for size in range(min(self.longest.get(words[start], 0), len(words) - start), 0, -1):
                key = words[start : start + size]
                if key in self.listed and (is_telling(key) or any(map(str.isdigit, "".join(key)))):
                    groups[self.listed[key]] = None
                    start += size - 1
                    break
            start += 1
        return list(groups)

    def similar(self, vectors: Vectors, least: float, most: int) -> dict[int, float]:
        """The groups whose names are nearest to any of these vectors, at most `most` for each, with their cosines."""
        groups: dict[int, float] = {}
        for cosines in vectors @ self.names.T:
            best = np.argpartition(-cosines, most)[:most] if most < len(cosines) else np.arange(len(cosines))
            for row in best[cosines[best] >= least].tolist():
                group = int(self.owners[row])
                groups[group] = max(groups.get(group, 0.0), float(cosines[row]))
        return groups


def load(db: sqlite3.Connection, dimension: int) -> Snapshot:
    """Read the graph."""
    (changes,) = db.execute("SELECT value FROM meta WHERE key = 'kg_changes'").fetchone()
    chunks, vectors, postings, numbers = _chunks(db, dimension)
    groups, group_of_name, group_of_key, listed = _groups(db)
    mentions = [
        (group_of_name[name], numbers[chunk])
        for name, chunk in db.execute(
            "SELECT DISTINCT name, chunk FROM kg_mention JOIN kg_name ON id = name WHERE kind <> 'step'"
        )
    ]
    pairs = np.array(mentions, np.int32).reshape(-1, 2)
    names, owners = _name_vectors(db, group_of_name, dimension)
    return Snapshot(
        changes=str(changes),
        chunks=chunks,
        vectors=vectors,
        postings=postings,
        groups=groups,
        group_of_name=group_of_name,
        group_of_key=group_of_key,
        listed=listed,
        named_in=Csr.of(pairs[:, 0], pairs[:, 1], len(groups)),
        names_of=Csr.of(pairs[:, 1], pairs[:, 0], len(chunks)),
        related=_related(db, numbers),
        titled=_titled(chunks, group_of_key),
        longest=_longest(listed),
        names=names,
        owners=owners,
        also=_also(db, group_of_name, len(groups)),
    )


def _chunks(db: sqlite3.Connection, dimension: int) -> tuple[tuple[Chunk, ...], Vectors, Postings, dict[int, int]]:
    query = """SELECT c.number, d.id, d.title, d.kind, c.first, c.last, c.terms, c.vector FROM kg_chunk AS c
        JOIN kg_document AS d ON d.number = c.document ORDER BY d.id, c.first"""
    rows = db.execute(query).fetchall()
    chunks = tuple(Chunk(*row[:6]) for row in rows)
    vectors = np.frombuffer(b"".join(row[7] for row in rows), STORED).astype(np.float32)
    terms = [np.frombuffer(row[6], np.uint32) for row in rows]
    numbers = {chunk.number: row for row, chunk in enumerate(chunks)}
    return chunks, vectors.reshape(len(rows), -1 if rows else dimension), _postings(terms), numbers


def _postings(terms: list[NDArray[np.uint32]]) -> Postings:
    lengths = np.array([len(row) for row in terms], np.float32)
    owners = np.repeat(np.arange(len(terms), dtype=np.int32), lengths.astype(np.int64))
    every = np.concatenate(terms) if terms else np.zeros(0, np.uint32)
    combined = (every.astype(np.uint64) << np.uint64(32)) | owners.astype(np.uint64)
    pairs, counts = np.unique(combined, return_counts=True)
    unique, sizes = np.unique((pairs >> np.uint64(32)).astype(np.uint32), return_counts=True)
    values = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int32)
    rows = Csr(np.concatenate([[0], np.cumsum(sizes)]), values)
    return Postings(unique, rows, counts.astype(np.float32), lengths)


def _groups(
    db: sqlite3.Connection,
) -> tuple[tuple[tuple[str, ...], ...], dict[int, int], dict[NameKey, int], dict[NameKey, int]]:
    """Groups of names that are merged or have the same words; the group of each name, each key, each listed key."""
    names = db.execute("SELECT id, kind, text FROM kg_name WHERE kind <> 'step'").fetchall()
    parent: dict[int | NameKey, int | NameKey] = {}

    def root(node: int | NameKey) -> int | NameKey:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for id, kind, text in names:
        for key in _keys(kind, text):
            parent[root(key)] = root(id)
    for name, twin in same_names(db):
        parent[root(name)] = root(twin)
    texts: dict[int | NameKey, set[str]] = {}
    for id, _, text in names:
        texts.setdefault(root(id), set()).add(text)
    order = {top: number for number, top in enumerate(sorted(texts, key=lambda top: sorted(texts[top])))}
    group_of_name = {id: order[root(id)] for id, _, _ in names}
    keys = {key: order[root(id)] for id, kind, text in names for key in _keys(kind, text)}
    listed = {key: order[root(id)] for id, kind, text in names if kind in _LISTED for key in _keys(kind, text)}
    return tuple(tuple(sorted(texts[top])) for top in order), group_of_name, keys, listed


def _name_vectors(db: sqlite3.Connection, group_of_name: dict[int, int], dimension: int) -> tuple[Vectors, Ids]:
    """The vectors of the names by their texts, each text once, with the group of each."""
    query = """SELECT min(id), vector FROM kg_name WHERE vector IS NOT NULL AND kind <> 'value'
        GROUP BY text ORDER BY text"""
    rows = db.execute(query).fetchall()
    vectors = np.frombuffer(b"".join(row[1] for row in rows), STORED).astype(np.float32)
    owners = np.array([group_of_name[id] for id, _ in rows], np.int32)
    return vectors.reshape(len(rows), -1 if rows else dimension), owners


def _also(db: sqlite3.Connection, group_of_name: dict[int, int], count: int) -> Csr:
    query = "SELECT DISTINCT subject, object FROM kg_fact WHERE relation IN (?, ?)"
    pairs = [(group_of_name[name], group_of_name[other]) for name, other in db.execute(query, _MEANING)]
    both = np.array([*pairs, *((other, name) for name, other in pairs)], np.int32).reshape(-1, 2)
    return Csr.of(both[:, 0], both[:, 1], count)


def _keys(kind: str, text: str) -> Iterable[NameKey]:
    """What a name may be called: its words, and for a title those before a bracket."""
    return [key for key in {name_key(text), title_key(text) if kind == "document" else ()} if key]


def _titled(chunks: tuple[Chunk, ...], group_of_key: dict[NameKey, int]) -> dict[int, Ids]:
    rows: dict[int, list[int]] = {}
    for number, chunk in enumerate(chunks):
        group = group_of_key.get(title_key(chunk.title) or name_key(chunk.title))
        if group is not None:
            rows.setdefault(group, []).append(number)
    return {group: np.array(numbers, np.int32) for group, numbers in rows.items()}


def _longest(keys: Iterable[NameKey]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for key in keys:
        longest[key[0]] = max(longest.get(key[0], 0), min(len(key), _LONGEST_KEY))
    return longest


def _related(db: sqlite3.Connection, numbers: dict[int, int]) -> dict[str, Ids]:
    rows: dict[str, set[int]] = {}
    for relation, chunk in db.execute("SELECT DISTINCT relation, chunk FROM kg_fact"):
        rows.setdefault(relation, set()).add(numbers[chunk])
    return {relation: np.array(sorted(chunks), np.int32) for relation, chunks in sorted(rows.items())}


def hashed(tokens: Iterable[str]) -> list[int]:
    """The terms of a question as the postings hold them, each once."""
    return [int(term) for term in dict.fromkeys(hashes(list(tokens)).tolist())]
