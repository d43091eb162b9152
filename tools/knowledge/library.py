"""The knowledge graph of an index: documents are added and removed one at a time, and then their names are compared.

    library = KnowledgeLibrary.open(index, cosine)
    for id in library.stale_sops(reader): library.add_sop(index, id, reader)      SOPs, from their views
    await library.add_document(document, reader)                                  any other document
    library.merge_names(); library.remove(ids); library.documents(); library.snapshot()

A document is written in one transaction, so that a killed process loses none that was reported and keeps none in part.
Names that a killed process left uncompared are compared by the next `merge_names`. `graphs/knowledge` runs these steps.
"""

import asyncio
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from types import MappingProxyType

from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.errors import ConfigError, SopragError, StorageError, UsageError
from soprag.tools.knowledge import schema, store
from soprag.tools.knowledge.quotes import quoted
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import ReadDocument, SourceDocument
from soprag.tools.knowledge.snapshot import Chunk, Snapshot, load
from soprag.tools.retriever.index.index import Elements, Index, IngestOutcome
from soprag.tools.retriever.index.sqlite_store import SqliteStore
from soprag.tools.sop import Frozen
from soprag.tools.text.terms import spaced

_FATAL = (ConfigError, StorageError, UsageError)  # the next document would only fail in the same way
_BATCH = 1_000  # names compared in one transaction


class ListedDocument(Frozen):
    """A stored document with the numbers of its chunks, facts and artefacts, and of the facts that were dropped."""

    id: str
    title: str
    kind: str
    source: str
    chunks: int
    facts: int
    artefacts: int
    dropped: int


@dataclass
class KnowledgeLibrary:
    """An open knowledge graph; made by `open`."""

    database: SqliteStore
    embedder: Embedder
    cosine: float
    _snapshot: Snapshot | None = None
    _bodies: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)

    @classmethod
    def open(cls, index: Index, cosine: float) -> "KnowledgeLibrary":
        """The knowledge graph in the file of `index`; `cosine` is the least one at which names are merged."""
        database = index.database
        if not isinstance(database, SqliteStore):
            raise UsageError(f"The knowledge graph is kept in folders only; {index.name!r} has none.")
        schema.prepare(database)
        return cls(database, index.embedder, cosine)

    def stale_sops(self, reader: DocumentReader) -> list[str]:
        """The ids of the SOPs of the index that are not in the graph as they are now, sorted."""
        query = """SELECT sop.id FROM sop LEFT JOIN kg_document AS d ON d.sop = sop.number
            WHERE d.number IS NULL OR d.edition <> ? ORDER BY sop.id"""
        with self.database.reading() as db:
            return [id for (id,) in db.execute(query, (reader.sop_edition,))]

    def add_sop(self, index: Index, id: str, reader: DocumentReader) -> IngestOutcome:
        """Add an SOP of the index from its views, or replace it; asks no model and embeds nothing."""
        found = index.elements([id])
        if not found:
            return IngestOutcome(sop=id, title="", event="failed", reason="It is no longer in the index.")
        (elements,), sop = found, found[0].content.sop
        document = SourceDocument(
            id=id, title=sop.title, kind="sop", body=sop.body, source="index", sop=elements.number
        )
        spans, vectors = passage_spans(elements)
        entry = reader.read_sop(document, sop, elements.content.views, spans)
        return self._write(entry, vectors, name_vectors(elements))

    async def add_document(self, document: SourceDocument, reader: DocumentReader) -> IngestOutcome:
        """Add a document, replace it where it has changed, or leave it; a document that cannot be read has failed."""
        if await asyncio.to_thread(self.is_current, document, reader.edition):
            return _outcome(document, "unchanged")
        try:
            entry = await reader.read(document)
        except _FATAL:
            raise
        except SopragError as error:
            return IngestOutcome(sop=document.id, title=document.title, event="failed", reason=str(error))
        return await asyncio.to_thread(self._write, entry)

    def merge_names(self) -> int:
        """Compare all names that are new with the others; returns how many were new."""
        total = 0
        while count := self._merge_batch():
            total += count
        return total

    def _merge_batch(self) -> int:
        with self.database.reading() as db:
            names = store.new_names(db, _BATCH)
        if not names:
            return 0
        bare = {entry.id: entry.name.text for entry in names if entry.vector is None}
        texts = sorted(set(bare.values()))
        meanings = dict(zip(texts, self.embed([spaced(text) for text in texts]), strict=True)) if texts else {}
        with self.database.transaction() as db:
            store.put_vectors(db, {id: meanings[text] for id, text in bare.items()})
            store.join_names(db, store.new_names(db, _BATCH), self.cosine)
        return len(names)

    def is_current(self, document: SourceDocument, edition: str) -> bool:
        """Whether a document is stored as it is, read in the same way."""
        with self.database.reading() as db:
            present = store.stored(db, document.id)
        digest = store.body_digest(document.title, document.body)
        return present is not None and (present.digest, present.edition) == (digest, edition)

    def remove(self, ids: Iterable[str]) -> list[str]:
        """Remove documents and all that only they contributed; returns the ids that existed."""
        gone = []
        for id in ids:
            with self.database.transaction() as db:
                gone += [id] if store.drop(db, id) else []
        return gone

    def documents(self, source: str = "") -> list[ListedDocument]:
        """All documents by id, or those of one source."""
        query = """SELECT id, title, kind, source, (SELECT count(*) FROM kg_chunk WHERE document = d.number),
            (SELECT count(*) FROM kg_fact JOIN kg_chunk ON number = chunk WHERE document = d.number),
            (SELECT count(*) FROM kg_artefact WHERE document = d.number), dropped
            FROM kg_document AS d WHERE ? IN ('', source) ORDER BY id"""
        with self.database.reading() as db:
            rows = db.execute(query, (source,)).fetchall()
        return [ListedDocument(**dict(zip(ListedDocument.model_fields, row, strict=True))) for row in rows]

    def snapshot(self) -> Snapshot:
        """The graph as it is now; read again only when documents were added or removed."""
        with self._lock, self.database.reading() as db:
            if self._snapshot is None or self._snapshot.changes != self.database.meta("kg_changes"):
                self._snapshot, self._bodies = load(db, self.embed([""]).shape[1]), {}
            return self._snapshot

    def text_of(self, chunk: Chunk) -> str:
        """The verbatim lines of a chunk."""
        return quoted(self.lines_of(chunk), chunk.first, chunk.last)

    def lines_of(self, chunk: Chunk) -> Sequence[str]:
        """All lines of the document of a chunk; the latest documents are held in memory."""
        with self._lock:
            if chunk.number not in self._bodies:
                query = "SELECT body FROM kg_document WHERE id = ?"
                with self.database.reading() as db:
                    row = db.execute(query, (chunk.document,)).fetchone()
                if len(self._bodies) > 2_000:
                    self._bodies.clear()
                self._bodies[chunk.number] = tuple(row[0].split("\n")) if row else ()
            return self._bodies[chunk.number]

    def embed(self, texts: list[str]) -> Vectors:
        """Unit vectors of texts, shape (texts, dimension)."""
        return self.embedder.embed(texts)

    def _write(
        self, entry: ReadDocument, vectors: Vectors | None = None, known: Mapping[str, Vectors] = MappingProxyType({})
    ) -> IngestOutcome:
        """Write a document; `vectors` are those of its windows and `known` those of names that exist already."""
        if vectors is None:
            lines = entry.document.body.split("\n")
            spoken = [(window.context, quoted(lines, window.first, window.last)) for window in entry.windows]
            vectors = self.embed([f"{spaced(context)}\n{spaced(text)}" for context, text in spoken])
        with self.database.transaction() as db:
            if not _is_there(db, entry.document.sop):
                reason = "The index changed while it was read; add it again."
                return _outcome(entry.document, "failed").model_copy(update={"reason": reason})
            present = store.stored(db, entry.document.id)
            store.put(db, entry, vectors, known)
        return _outcome(entry.document, "updated" if present else "added")


def _is_there(db: sqlite3.Connection, sop: int | None) -> bool:
    return sop is None or db.execute("SELECT 1 FROM sop WHERE number = ?", (sop,)).fetchone() is not None


def passage_spans(elements: Elements) -> tuple[list[tuple[int, int]], Vectors]:
    """The line spans of the passages that the index has embedded, with their vectors; a line cut in two counts once."""
    rows: dict[int, int] = {}
    lines = elements.lines[elements.rows("passage")]
    for row, first in enumerate(lines[:, 0].tolist()):
        rows.setdefault(max(first, 1), row)
    spans = [(first, max(int(lines[row, 1]), first)) for first, row in rows.items()]
    return spans, elements.passages[list(rows.values())]


def name_vectors(elements: Elements) -> dict[str, Vectors]:
    """The vectors of entities and states by their texts; none where the index was told not to keep them."""
    rows = slice(elements.rows("entity").start, elements.rows("state").stop)
    return dict(zip(elements.texts[rows], elements.vectors[rows], strict=False))


def _outcome(document: SourceDocument, event: str) -> IngestOutcome:
    return IngestOutcome.model_validate({"sop": document.id, "title": document.title, "event": event})
