"""Writes and deletes the rows of one document, inside the caller's transaction."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.knowledge.abbreviations import ambiguous
from soprag.tools.knowledge.merging import (
    Merging,
    blocking_key,
    blocking_keys,
    comparable,
    needs_meaning,
)
from soprag.tools.knowledge.quotes import quoted
from soprag.tools.knowledge.records import FactDraft, NameRef, ReadDocument, Window
from soprag.tools.retriever.index.rows import STORED
from soprag.tools.sop import digest
from soprag.tools.text.terms import hashes, terms


@dataclass(frozen=True)
class StoredDocument:
    """What tells whether a document has changed."""

    number: int
    digest: str
    edition: str


def stored(db: sqlite3.Connection, id: str) -> StoredDocument | None:
    """The present version of a document, if there is one."""
    row = db.execute("SELECT number, digest, edition FROM kg_document WHERE id = ?", (id,)).fetchone()
    return StoredDocument(*row) if row else None


def body_digest(title: str, body: str) -> str:
    """The content hash of a document."""
    return digest(f"{title}\n{body}")


def put(db: sqlite3.Connection, entry: ReadDocument, vectors: Vectors) -> int:
    """Write a document, replacing its stored version; `vectors` has a row for each window.

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
    names = {name: _name(db, name) for name in sorted(_names(entry), key=lambda name: (name.kind, name.text))}
    _write_mentions(db, entry, chunks, names)
    _write_facts(db, entry, chunks, names)
    _write_artefacts(db, number, entry)
    return number


def drop(db: sqlite3.Connection, id: str) -> bool:
    """Delete a document with everything that only it contributed; false when it is not stored."""
    return bool(db.execute("DELETE FROM kg_document WHERE id = ?", (id,)).rowcount)


def new_names(db: sqlite3.Connection, most: int) -> list[tuple[int, NameRef]]:
    """At most `most` names that were not compared with the others yet."""
    rows = db.execute("SELECT id, kind, text FROM kg_name WHERE NOT compared ORDER BY kind, text LIMIT ?", (most,))
    return [(id, NameRef.model_construct(kind=kind, text=text)) for id, kind, text in rows]


def texts_to_embed(db: sqlite3.Connection, names: Iterable[tuple[int, NameRef]]) -> set[str]:
    """The texts whose vectors are needed to compare these names: those that differ in spelling only."""
    texts: set[str] = set()
    for number, name in names:
        for _, candidate in _block(db, number, name):
            if needs_meaning(name, candidate) and comparable(name, candidate):
                texts |= {name.text, candidate.text}
    return texts


def join_names(db: sqlite3.Connection, names: Iterable[tuple[int, NameRef]], merging: Merging) -> None:
    """Link each of these names to those that denote the same thing, and mark it as compared."""
    for number, name in names:
        pairs = [(number, twin) for twin, candidate in _block(db, number, name) if merging.same(name, candidate)]
        db.executemany("INSERT OR IGNORE INTO kg_same VALUES (?, ?)", [*pairs, *((twin, number) for _, twin in pairs)])
        db.execute("UPDATE kg_name SET compared = 1 WHERE id = ?", (number,))
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


def _block(db: sqlite3.Connection, number: int, name: NameRef) -> list[tuple[int, NameRef]]:
    """The names that may denote the same thing as `name`, whose row is `number`."""
    query = """SELECT id, kind, text FROM kg_name
        WHERE key IN (SELECT value FROM json_each(?)) AND kind <> 'step' AND id <> ?"""
    rows = db.execute(query, (json.dumps(blocking_keys(name.text)), number)).fetchall()
    return [(id, NameRef.model_construct(kind=kind, text=text)) for id, kind, text in rows]


def _name(db: sqlite3.Connection, name: NameRef) -> int:
    """The row of a name, made where it is new; steps are never merged."""
    present = _find(db, name)
    if present is not None:
        return present
    is_step = name.kind == "step"
    row = (name.kind, name.text, "" if is_step else blocking_key(name.text), is_step)
    return int(db.execute("INSERT INTO kg_name (kind, text, key, compared) VALUES (?, ?, ?, ?)", row).lastrowid or 0)


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
