"""Writes and deletes the rows of one SOP, inside the caller's transaction."""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from soprag.tools.errors import ConfigError
from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.content import compress
from soprag.tools.retriever.index.elements import KINDS, Element
from soprag.tools.retriever.index.layout import Layout
from soprag.tools.retriever.index.postings import post, posted, unpost
from soprag.tools.retriever.index.storage import Rows
from soprag.tools.retriever.index.vectors import Embedded
from soprag.tools.sop import CausalView, Sop, Views, digest
from soprag.tools.text.terms import terms


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
    updated: str
    source: str


def fingerprint(sop: Sop) -> str:
    """The content hash: changes with any field of the SOP."""
    return digest(sop.model_dump_json())


def kept(db: Rows, id: str) -> IndexedSop | None:
    """The present version of an SOP, if there is one."""
    columns = "number, digest, edition, version, added, updated, source"
    row = db.execute(f"SELECT {columns} FROM sop WHERE id = ?", (id,)).fetchone()
    return IndexedSop(*row) if row else None


def check_model(db: Rows, name: str, dimension: int) -> None:
    """Record the embedding model with the first SOP; another model or dimension raises `ConfigError`."""
    known = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('embedding', 'dimension')").fetchall())
    for key, value in (("embedding", name), ("dimension", str(dimension))):
        if key not in known:
            db.execute("INSERT INTO meta VALUES (?, ?)", (key, value))
        elif known[key] != value:
            raise ConfigError(other_model(key, known[key], value))


def other_model(key: str, recorded: str, configured: str) -> str:
    """The error message for a model or dimension that differs from the index."""
    return (
        f"The index was made with {key} {recorded!r} and the settings say {configured!r}; go back to that model, "
        "or embed everything anew: soprag index update --reembed."
    )


def forget_model(db: Rows) -> None:
    """Delete the metadata that depends on the embedding model, before a full rewrite."""
    db.execute("DELETE FROM meta WHERE key IN ('embedding', 'dimension')")
    db.execute("UPDATE meta SET value = ? WHERE key = 'name'", (uuid.uuid4().hex,))


def put(db: Rows, entry: IndexRow, before: IndexedSop | None, *, quietly: bool = False) -> None:
    """Write an SOP in place of its indexed version `before`; `quietly` leaves version, times and history unchanged."""
    if before:
        _erase(db, before.number)
    timestamp = before.updated if before and quietly else datetime.now(UTC).isoformat(timespec="seconds")
    version = (before.version if before else 0) + (0 if before and quietly else 1)
    number = _insert(db, entry, version, (before.added if before else timestamp, timestamp))
    _write_elements(db, number, entry)
    db.execute("INSERT INTO change (number, gone) VALUES (?, 0)", (number,))
    if not quietly:
        _record(db, "updated" if before else "added", entry.sop.id, timestamp)


def drop(db: Rows, id: str) -> bool:
    """Delete an SOP and all data that only it contributed; false when it is not indexed."""
    before = kept(db, id)
    if before is None:
        return False
    _record(db, "removed", id, datetime.now(UTC).isoformat(timespec="seconds"))
    _erase(db, before.number)
    return True


def _insert(db: Rows, entry: IndexRow, version: int, times: tuple[str, str]) -> int:
    sop = entry.sop
    fields = [terms(text) for text in (sop.title, sop.body)]
    row = {
        "id": sop.id,
        "title": sop.title,
        "source": entry.source,
        "digest": fingerprint(sop),
        "edition": entry.edition,
        "version": version,
        "added": times[0],
        "updated": times[1],
        "length": sum(map(len, fields)),
        "passages": sum(element.kind == "passage" for element in entry.elements),
        "posted": posted(*fields),
    }
    number = db.add("sop", row)
    post(db, number, *fields)
    return number


def _write_elements(db: Rows, number: int, entry: IndexRow) -> None:
    elements, embedded = entry.elements, entry.embedded
    kinds = [element.kind for element in elements]
    counts = np.array([kinds.count(kind) for kind in KINDS], np.int32)
    row = (
        number,
        Layout(counts, _lines(elements), _hops(elements, entry.views.causal)).pack(),
        codes.pack(codes.encode(embedded.rows, 8)),
        compress(entry.sop, entry.views, [element.text for element in elements]).data,
        embedded.tokens,
    )
    db.execute("INSERT INTO element VALUES (?, ?, ?, ?, ?)", row)
    gist = codes.encode(embedded.gist(elements)[None], 8)
    db.execute("INSERT INTO gist VALUES (?, ?)", (number, codes.pack(gist)))


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


def _erase(db: Rows, number: int) -> None:
    unpost(db, number)
    db.execute("DELETE FROM sop WHERE number = ?", (number,))
    db.execute("INSERT INTO change (number, gone) VALUES (?, 1)", (number,))


def _record(db: Rows, event: str, id: str, timestamp: str) -> None:
    columns = "id, version, ?, ?, digest, edition"
    db.execute(f"INSERT INTO history SELECT {columns} FROM sop WHERE id = ?", (event, timestamp, id))
