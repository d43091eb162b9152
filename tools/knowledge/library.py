"""The knowledge graph of an index: documents are added, updated and removed one at a time.

    library = KnowledgeLibrary.open(index, KnowledgeSettings)
    library.add_sops(reader)                       the SOPs of the index, from their views
    async for outcome in library.add(documents, reader): ...
    library.remove(ids); library.documents(); library.verify()
    library.snapshot()                             what questions are answered from

A document is written in one transaction, so that a killed process loses none that was reported and keeps none in part.
"""

import json
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from threading import RLock

from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.errors import SopragError, StorageError, UsageError
from soprag.tools.knowledge import schema, store
from soprag.tools.knowledge.merging import Merging
from soprag.tools.knowledge.quotes import quoted
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import ReadDocument, SourceDocument
from soprag.tools.knowledge.snapshot import Chunk, Snapshot, load
from soprag.tools.retriever.index.database import Database
from soprag.tools.retriever.index.index import Elements, Index, IngestOutcome
from soprag.tools.sop import Frozen, Sop, Views
from soprag.tools.text.terms import spaced

_FATAL = (StorageError, UsageError)


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

    database: Database
    embedder: Embedder
    cosine: float
    _snapshot: Snapshot | None = None
    _vectors: dict[str, Vectors] = field(default_factory=dict)
    _bodies: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)

    @classmethod
    def open(cls, index: Index, cosine: float) -> "KnowledgeLibrary":
        """The knowledge graph in the file of `index`; `cosine` is the least one at which names are merged."""
        schema.prepare(index.database)
        return cls(index.database, index.embedder, cosine)

    def add_sops(self, index: Index, reader: DocumentReader, ids: Iterable[str] | None = None) -> list[IngestOutcome]:
        """Add the SOPs of the index, all or those named, that are new or have changed; asks no model."""
        outcomes = []
        for id, number, text, views in self._stale_sops(reader.sop_edition, ids):
            sop = Sop.model_validate_json(text)
            document = SourceDocument(id=id, title=sop.title, kind="sop", body=sop.body, source="index", sop=number)
            [passages] = index.elements([id])
            spans, vectors = passage_spans(passages)
            entry = reader.read_sop(document, sop, Views.model_validate_json(views), spans)
            outcomes.append(self._write(entry, vectors))
        return outcomes

    async def add(self, documents: Iterable[SourceDocument], reader: DocumentReader) -> AsyncIterator[IngestOutcome]:
        """Add new documents, replace changed ones, skip unchanged ones; one outcome each, after its commit."""
        for document in documents:
            if self.is_current(document, reader.edition):
                yield _outcome(document, "unchanged")
                continue
            try:
                entry = await reader.read(document)
            except _FATAL:
                raise
            except SopragError as error:
                yield IngestOutcome(sop=document.id, title=document.title, event="failed", reason=str(error))
                continue
            yield self._write(entry)

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

    def _stale_sops(self, edition: str, ids: Iterable[str] | None) -> list[tuple[str, int, str, str]]:
        query = """SELECT sop.id, sop.number, sop.sop, sop.views FROM sop
            LEFT JOIN kg_document AS d ON d.sop = sop.number
            WHERE (d.number IS NULL OR d.edition <> ?) AND (? IS NULL OR sop.id IN (SELECT value FROM json_each(?)))
            ORDER BY sop.id"""
        chosen = None if ids is None else json.dumps(list(ids))
        with self.database.reading() as db:
            return db.execute(query, (edition, chosen, chosen)).fetchall()

    def _write(self, entry: ReadDocument, vectors: Vectors | None = None) -> IngestOutcome:
        """Write a document; `vectors` are those of its windows where they exist already."""
        if vectors is None:
            lines = entry.document.body.split("\n")
            spoken = [(window.context, quoted(lines, window.first, window.last)) for window in entry.windows]
            vectors = self.embed([f"{spaced(context)}\n{spaced(text)}" for context, text in spoken])
        with self.database.reading() as db:
            names = {mention.name for mention in entry.mentions}
            names |= {name for fact in entry.facts for name in (fact.subject, fact.object)}
            candidates = sorted(store.merge_candidates(db, names))
        meanings = dict(zip(candidates, self.embed(candidates), strict=True)) if candidates else {}
        merging = Merging(self.cosine, lambda text: meanings[text] if text in meanings else self.embed([text])[0])
        with self.database.transaction() as db:
            present = store.stored(db, entry.document.id)
            store.put(db, entry, vectors, merging)
        return _outcome(entry.document, "updated" if present else "added")


def passage_spans(elements: Elements) -> tuple[list[tuple[int, int]], Vectors]:
    """The line spans of the passages that the index has embedded, with their vectors; a line cut in two counts once."""
    rows: dict[int, int] = {}
    lines = elements.lines[elements.rows("passage")]
    for row, first in enumerate(lines[:, 0].tolist()):
        rows.setdefault(max(first, 1), row)
    spans = [(first, max(int(lines[row, 1]), first)) for first, row in rows.items()]
    return spans, elements.passages[list(rows.values())]


def _outcome(document: SourceDocument, event: str) -> IngestOutcome:
    return IngestOutcome.model_validate({"sop": document.id, "title": document.title, "event": event})
