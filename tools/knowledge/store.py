"""Writes and deletes the rows of one document, inside the caller's transaction."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.knowledge.abbreviations import ambiguous
from soprag.tools.knowledge.merging import (
    Merging,
    blocking_key,
    blocking_keys,
)
from soprag.tools.knowledge.quotes import quoted
from soprag.tools.knowledge.records import FactDraft, NameRef, ReadDocument, Window
from soprag.tools.sop import digest
from soprag.tools.text.terms import hashes, terms

STORED = np.float16  # half the disk of float32; changes a cosine by less than 0.0005


@dataclass(frozen=True)
class StoredDocument:
    """What tells whether a document has changed."""

    number: int
    digest: str
    edition: str


@dataclass(frozen=True)
class NewName:
    """A row of `kg_name`; its vector as it is stored, None where it was not embedded yet."""

    id: int
    name: NameRef
    vector: bytes | None


def stored(db: sqlite3.Connection, id: str) -> StoredDocument | None:
    """The present version of a document, if there is one."""
    row = db.execute("SELECT number, digest, edition FROM kg_document WHERE id = ?", (id,)).fetchone()
    return StoredDocument(*row) if row else None


def body_digest(title: str, body: str) -> str:
    """The content hash of a document."""
    return digest(f"{title}\n{body}")


def put(db: sqlite3.Connection, entry: ReadDocument, vectors: Vectors, known: Mapping[str, Vectors]) -> int:
    """Write a document, replacing its stored version; `vectors` has a row for each window, `known` those of names.

    Its new names are not compared with those that are there; `join_names` does that.
    """
    db.execute("DELETE FROM kg_document WHERE id = ?", (entry.document.id,))
    number = _insert(db, entry)
    lines = entry.document.body.split("\n")
    chunks = [
        (window, _insert_chunk(db, number, window, lines, vector))
        for window, vector in zip(entry.windows, vectors, strict=True)
    ]
    if not chunks:
        return number
    ordered = sorted(_names(entry), key=lambda name: (name.kind, name.text))
    names = {name: _name(db, name, known.get(name.text)) for name in ordered}
    _write_mentions(db, entry, chunks, names)
    _write_facts(db, entry, chunks, names)
    _write_artefacts(db, number, entry)
    return number


def drop(db: sqlite3.Connection, id: str) -> bool:
    """Delete a document with everything that only it contributed; false when it is not stored."""
    return bool(db.execute("DELETE FROM kg_document WHERE id = ?", (id,)).rowcount)


def new_names(db: sqlite3.Connection, most: int) -> list[NewName]:
    """At most `most` names that were not compared with the others yet."""
    query = "SELECT id, kind, text, vector FROM kg_name WHERE NOT compared ORDER BY kind, text LIMIT ?"
    return [_new_name(row) for row in db.execute(query, (most,))]


def put_vectors(db: sqlite3.Connection, vectors: Mapping[int, Vectors]) -> None:
    """Store the vectors of names by id; a name that is gone is left out."""
    rows = [(vector.astype(STORED).tobytes(), id) for id, vector in vectors.items()]
    db.executemany("UPDATE kg_name SET vector = ? WHERE id = ?", rows)


def join_names(db: sqlite3.Connection, names: Iterable[NewName], cosine: float) -> None:
    """Link each name that has a vector to those that denote the same thing, and mark it as compared."""
    for entry in names:
        if entry.vector is None:
            continue
        block = _block(db, entry)
        vectors = {other.name.text: as_vectors(other.vector) for other in (entry, *block) if other.vector}
        merging = Merging(cosine, vectors.__getitem__)
        pairs = [(entry.id, twin.id) for twin in block if merging.same(entry.name, twin.name)]
        db.executemany("INSERT OR IGNORE INTO kg_same VALUES (?, ?)", [*pairs, *((twin, id) for id, twin in pairs)])
        db.execute("UPDATE kg_name SET compared = 1 WHERE id = ?", (entry.id,))
    db.execute("UPDATE meta SET value = value + 1 WHERE key = 'kg_changes'")


def same_names(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """The pairs of names that denote the same thing, without abbreviations that could stand for several things."""
    query = """SELECT name, a.text, twin, b.text FROM kg_same
        JOIN kg_name AS a ON a.id = name JOIN kg_name AS b ON b.id = twin"""
    rows = db.execute(query).fetchall()
    unclear = ambiguous((text, other) for _, text, _, other in rows)
    return [(name, twin) for name, text, twin, other in rows if (text, other) not in unclear]


def _names(entry: ReadDocument) -> set[NameRef]:
    facts = {name for fact in entry.facts for name in (fact.subject, fact.object)}
    return facts | {mention.name for mention in entry.mentions}


def _insert(db: sqlite3.Connection, entry: ReadDocument) -> int:
    document = entry.document
    row = (
        document.id, document.title, document.kind, document.source, body_digest(document.title, document.body),
        entry.edition, document.body, entry.dropped, document.sop,
    )  # fmt: skip
    columns = "id, title, kind, source, digest, edition, body, dropped, sop"
    return int(db.execute(f"INSERT INTO kg_document ({columns}) VALUES (?,?,?,?,?,?,?,?,?)", row).lastrowid or 0)


def _insert_chunk(db: sqlite3.Connection, number: int, window: Window, lines: list[str], vector: Vectors) -> int:
    posted = hashes(terms(f"{window.context}\n{quoted(lines, window.first, window.last)}"))
    row = (number, window.first, window.last, window.context, posted.tobytes(), vector.astype(STORED).tobytes())
    columns = "document, first, last, context, terms, vector"
    return int(db.execute(f"INSERT INTO kg_chunk ({columns}) VALUES (?,?,?,?,?,?)", row).lastrowid or 0)


def _find(db: sqlite3.Connection, name: NameRef) -> int | None:
    row = db.execute("SELECT id FROM kg_name WHERE kind = ? AND text = ?", (name.kind, name.text)).fetchone()
    return int(row[0]) if row else None


def _block(db: sqlite3.Connection, entry: NewName) -> list[NewName]:
    """The names with vectors that may denote the same thing; one without is compared with this one in its turn."""
    query = """SELECT id, kind, text, vector FROM kg_name
        WHERE key IN (SELECT value FROM json_each(?)) AND vector IS NOT NULL AND id <> ?"""
    rows = db.execute(query, (json.dumps(blocking_keys(entry.name.text)), entry.id))
    return [_new_name(row) for row in rows]


def _new_name(row: Sequence[Any]) -> NewName:
    return NewName(row[0], NameRef.model_construct(kind=row[1], text=row[2]), row[3])


def _name(db: sqlite3.Connection, name: NameRef, vector: Vectors | None) -> int:
    """The row of a name, made where it is new; steps are never merged."""
    present = _find(db, name)
    if present is not None:
        return present
    is_step = name.kind == "step"
    stored_vector = None if is_step or vector is None else vector.astype(STORED).tobytes()
    row = (name.kind, name.text, "" if is_step else blocking_key(name.text), is_step, stored_vector)
    columns = "kind, text, key, compared, vector"
    return int(db.execute(f"INSERT INTO kg_name ({columns}) VALUES (?, ?, ?, ?, ?)", row).lastrowid or 0)


def _chunk_of(chunks: list[tuple[Window, int]], line: int) -> int:
    """The first chunk that holds a line; a line between two windows belongs to the one before."""
    holding = (number for window, number in chunks if window.first <= line <= window.last)
    before = [number for window, number in chunks if window.first <= line]
    return next(holding, before[-1] if before else chunks[0][1])


def _write_mentions(
    db: sqlite3.Connection, entry: ReadDocument, chunks: list[tuple[Window, int]], names: dict[NameRef, int]
) -> None:
    rows = {(_chunk_of(chunks, mention.line), names[mention.name], mention.line) for mention in entry.mentions}
    for fact in entry.facts:
        chunk = _chunk_of(chunks, fact.first)
        rows |= {(chunk, names[fact.subject], fact.first), (chunk, names[fact.object], fact.first)}
    db.executemany("INSERT INTO kg_mention VALUES (?, ?, ?)", sorted(rows))


def _write_facts(
    db: sqlite3.Connection, entry: ReadDocument, chunks: list[tuple[Window, int]], names: dict[NameRef, int]
) -> None:
    lines = entry.document.body.split("\n")

    def row(fact: FactDraft) -> tuple[int | str, ...]:
        ends = names[fact.subject], fact.relation, names[fact.object]
        quote = quoted(lines, fact.first, fact.last)
        return (_chunk_of(chunks, fact.first), *ends, fact.first, fact.last, quote, fact.origin)

    columns = "chunk, subject, relation, object, first, last, quote, origin"
    db.executemany(f"INSERT OR IGNORE INTO kg_fact ({columns}) VALUES (?,?,?,?,?,?,?,?)", map(row, entry.facts))


def _write_artefacts(db: sqlite3.Connection, number: int, entry: ReadDocument) -> None:
    rows = (
        (number, item.kind, item.path, item.parent, item.name, json.dumps(item.properties, sort_keys=True), item.text,
         item.first, item.last)
        for item in entry.artefacts
    )  # fmt: skip
    columns = "document, kind, path, parent, name, properties, text, first, last"
    db.executemany(f"INSERT OR IGNORE INTO kg_artefact ({columns}) VALUES (?,?,?,?,?,?,?,?,?)", rows)


def as_vectors(data: bytes) -> Vectors:
    """A stored vector as float32, shape (dimension,)."""
    return np.frombuffer(data, STORED).astype(np.float32)
