"""Writes and deletes the rows of one SOP, inside the caller's transaction."""

import json
import sqlite3
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from soprag.tools.errors import ConfigError
from soprag.tools.retriever.index import graph
from soprag.tools.retriever.index.bm25 import post, unpost
from soprag.tools.retriever.index.elements import KINDS, Element
from soprag.tools.retriever.index.graph import Mentioned, Sameness
from soprag.tools.retriever.index.vectors import Embedded
from soprag.tools.sop import CausalView, Sop, Views, digest
from soprag.tools.text.terms import Hashes, hashes, terms

STORED = np.float16  # half the disk and memory of float32; changes a cosine by less than 0.0005, see docs/indexing.md


@dataclass(frozen=True)
class IndexRow:
    """All data of one SOP that is written to the index."""

    sop: Sop
    views: Views
    elements: list[Element]
    embedded: Embedded
    edition: str
    source: str


@dataclass(frozen=True)
class IndexedSop:
    """The indexed version of an SOP."""

    number: int
    digest: str
    edition: str
    version: int
    added: str
    source: str


def fingerprint(sop: Sop) -> str:
    """The content hash: changes with any field of the SOP."""
    return digest(sop.model_dump_json())


def kept(db: sqlite3.Connection, id: str) -> IndexedSop | None:
    """The present version of an SOP, if there is one."""
    columns = "number, digest, edition, version, added, source"
    row = db.execute(f"SELECT {columns} FROM sop WHERE id = ?", (id,)).fetchone()
    return IndexedSop(*row) if row else None


def check_model(db: sqlite3.Connection, name: str, dimension: int) -> None:
    """Record the embedding model with the first SOP; another model or dimension raises `ConfigError`."""
    for key, value in (("embedding", name), ("dimension", str(dimension))):
        db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (key, value))
        (recorded,) = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if recorded != value:
            raise ConfigError(other_model(key, recorded, value))


def other_model(key: str, recorded: str, configured: str) -> str:
    """The error message for a model or dimension that differs from the index."""
    return (
        f"The index was made with {key} {recorded!r} and the settings say {configured!r}; go back to that model, "
        "or embed everything anew: soprag index update --reembed."
    )


def forget_model(db: sqlite3.Connection) -> None:
    """Delete what depends on the embedding model (metadata and the global graph), before a full rewrite."""
    db.execute("DELETE FROM meta WHERE key IN ('embedding', 'dimension')")
    db.execute("UPDATE meta SET value = ? WHERE key = 'name'", (uuid.uuid4().hex,))
    for table in ("causal", "resolves", "mention", "alias", "node"):
        db.execute(f"DELETE FROM {table}")


def put(db: sqlite3.Connection, entry: IndexRow, sameness: Sameness, *, quietly: bool = False) -> int:
    """Write an SOP, replacing its indexed version; `quietly` leaves version, times and history unchanged."""
    before = kept(db, entry.sop.id)
    updated = db.execute("SELECT updated FROM sop WHERE id = ?", (entry.sop.id,)).fetchone()
    if before:
        _erase(db, before.number)
    timestamp = updated[0] if updated and quietly else datetime.now(UTC).isoformat(timespec="seconds")
    version = (before.version if before else 0) + (0 if before and quietly else 1)
    number, posted = _insert(db, entry, version, (before.added if before else timestamp, timestamp))
    _write_elements(db, number, entry, posted)
    _write_graph(db, number, entry, sameness)
    db.execute("INSERT INTO change (number, gone) VALUES (?, 0)", (number,))
    if not quietly:
        _record(db, "updated" if before else "added", entry.sop.id, timestamp)
    return number


def drop(db: sqlite3.Connection, id: str) -> bool:
    """Delete an SOP and all data that only it contributed; false when it is not indexed."""
    before = kept(db, id)
    if before is None:
        return False
    _record(db, "removed", id, datetime.now(UTC).isoformat(timespec="seconds"))
    _erase(db, before.number)
    return True


def _insert(db: sqlite3.Connection, entry: IndexRow, version: int, times: tuple[str, str]) -> tuple[int, Hashes]:
    sop = entry.sop
    field_terms = [terms(text) for text in (sop.title, sop.body)]
    columns = "id, title, source, digest, edition, version, added, updated, length, passages, sop, views"
    row = (
        *(sop.id, sop.title, entry.source, fingerprint(sop), entry.edition, version, *times),
        *(sum(map(len, field_terms)), sum(element.kind == "passage" for element in entry.elements)),
        *(sop.model_dump_json(), entry.views.model_dump_json()),
    )
    cursor = db.execute(f"INSERT INTO sop ({columns}) VALUES ({', '.join('?' * len(row))})", row)
    number = int(cursor.lastrowid or 0)
    return number, post(db, number, *field_terms)


def _write_elements(db: sqlite3.Connection, number: int, entry: IndexRow, posted: Hashes) -> None:
    elements, vectors = entry.elements, entry.embedded.rows.astype(STORED)
    term_hashes = [hashes(terms(element.text)) for element in elements]
    row = (
        number,
        json.dumps([element.text for element in elements], ensure_ascii=False),
        bytes(KINDS.index(element.kind) for element in elements),
        _lines(elements).tobytes(),
        _hops(elements, entry.views.causal).tobytes(),
        np.cumsum([len(row) for row in term_hashes], dtype=np.int32).tobytes(),
        np.concatenate(term_hashes).tobytes(),
        posted.tobytes(),
        vectors.tobytes(),
    )
    db.execute("INSERT INTO element VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    if entry.embedded.tokens:
        db.execute("INSERT INTO token VALUES (?, ?)", (number, entry.embedded.tokens))
    gist = entry.embedded.gist(elements).astype(STORED)
    db.execute("INSERT INTO card VALUES (?, ?, ?, ?)", (number, elements[0].text, vectors[0].tobytes(), gist.tobytes()))


def _lines(elements: list[Element]) -> NDArray[np.int32]:
    """First and last line of every element; 0 where it has none."""
    spans = [(element.lines.start, element.lines.end) if element.lines else (0, 0) for element in elements]
    return np.array(spans, np.int32)


def _hops(elements: list[Element], causal: CausalView) -> NDArray[np.uint8]:
    """For every state the steps from it to the card in the causal view of its own SOP; 0 where there is no way."""
    causes: dict[str, list[str]] = {}
    for edge in causal.edges:
        causes.setdefault(edge.target, []).append(edge.source)
    distance = dict.fromkeys(causal.resolves, 1)
    queue = list(distance)
    for state in queue:  # grows while it is read: breadth first
        for cause in causes.get(state, ()):
            if cause not in distance:
                distance[cause] = distance[state] + 1
                queue.append(cause)
    hops = np.zeros(len(elements), np.uint8)
    first = next((row for row, element in enumerate(elements) if element.kind == "state"), 0)
    for row, state_ in enumerate(causal.states, first):
        hops[row] = min(distance.get(state_.id, 0), 255)
    return hops


def _write_graph(db: sqlite3.Connection, number: int, entry: IndexRow, sameness: Sameness) -> None:
    mentions = [
        Mentioned(row, element.node, element.text) for row, element in enumerate(entry.elements) if element.node
    ]
    nodes = graph.mention(db, number, mentions, sameness)
    first = next((row for row, element in enumerate(entry.elements) if element.kind == "state"), 0)
    causal = entry.views.causal
    states = {state.id: nodes[first + offset] for offset, state in enumerate(causal.states)}
    edges = [(number, states[edge.source], edge.relation, states[edge.target]) for edge in causal.edges]
    db.executemany("INSERT OR IGNORE INTO causal VALUES (?, ?, ?, ?)", edges)
    resolved = [(number, states[state]) for state in causal.resolves]
    db.executemany("INSERT OR IGNORE INTO resolves VALUES (?, ?)", resolved)


def _erase(db: sqlite3.Connection, number: int) -> None:
    graph.forget(db, number)
    (posted,) = db.execute("SELECT posted FROM element WHERE number = ?", (number,)).fetchone()
    unpost(db, number, np.frombuffer(posted, np.uint32))
    db.execute("DELETE FROM sop WHERE number = ?", (number,))
    db.execute("INSERT INTO change (number, gone) VALUES (?, 1)", (number,))


def _record(db: sqlite3.Connection, event: str, id: str, timestamp: str) -> None:
    columns = "id, version, ?, ?, digest, edition"
    db.execute(f"INSERT INTO history SELECT {columns} FROM sop WHERE id = ?", (event, timestamp, id))
