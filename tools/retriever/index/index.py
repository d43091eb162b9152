"""The index of SOPs: SOPs are added, updated and removed one at a time; the ranking reads it.

    index = Index.open(Path("index"), embedder, settings.index)
    async for outcome in index.add(sops, Extraction(edition, extractor.extract), source="/sops"): ...
    index.remove(["p-101-start"]); index.listing(); index.history("p-101-start"); index.verify()

What a ranking reads (ids are those of the SOPs; nothing here depends on the order in which SOPs were added):

    index.nearest(vector, k, by)    [(id, cosine)] of the nearest SOPs by "gist", best "passage" or "card"
    index.full_text(terms, k)       [(id, BM25)] of terms and their pairs, over title and body; `terms.terms(question)`
    index.scored(terms)             the same before ranking: `best(k)`, and `of(numbers)` for any `Elements.number`
    index.frequencies(terms)        term → number of SOPs with it;  index.size, index.mean_length (terms per SOP)
    index.elements(ids)             [Elements]: texts, kinds, vectors (n, d), tokens, terms, lines; rows("step")
    index.content(id)               the SOP with its views; also index.sop(id), index.views(id)

Every method may be called from any thread.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from threading import RLock
from typing import Literal, get_args

from soprag.configs.settings import IndexSettings
from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.errors import ConfigError, UsageError
from soprag.tools.retriever.index import change_log, reader
from soprag.tools.retriever.index import rows as store
from soprag.tools.retriever.index.anchors import Anchor
from soprag.tools.retriever.index.bm25 import FullText, Scored
from soprag.tools.retriever.index.content import Content
from soprag.tools.retriever.index.ingest import Adding, Extraction, IngestOutcome, LocalPreparer, SopPreparer, again
from soprag.tools.retriever.index.moving import MovedTable, move, refuse_unfinished
from soprag.tools.retriever.index.nearest import Nearest
from soprag.tools.retriever.index.places import open_near, open_store
from soprag.tools.retriever.index.reader import Elements, SopCache
from soprag.tools.retriever.index.storage import Store
from soprag.tools.retriever.index.vectors import Vectoriser
from soprag.tools.retriever.index.verify import verify
from soprag.tools.sop import Frozen, Sop, Views

__all__ = ["Elements", "Extraction", "Index", "IngestOutcome", "Listed"]


class Listed(Frozen):
    """One line of `soprag index list`."""

    id: str
    title: str
    version: int
    added: str
    updated: str
    source: str
    edition: str


class IndexChange(Frozen):
    """One line of the history of an SOP."""

    version: int
    event: str
    at: str
    digest: str
    edition: str


class Index:
    """An open index; made by `Index.open`."""

    def __init__(self, database: Store, embedder: Embedder | None, settings: IndexSettings) -> None:
        self.database, self.settings = database, settings
        self._embedder = embedder
        near = open_near(database, settings)
        self._nearest = {anchor: Nearest(database, anchor, near, settings.exact_below) for anchor in get_args(Anchor)}
        self._shelf = SopCache(settings.decoded)
        self._full_text, self._reading = FullText(), RLock()

    @classmethod
    def open(
        cls, place: Path | str, embedder: Embedder | None, settings: IndexSettings, *, create: bool = True
    ) -> "Index":
        """The index in a folder or at a `postgresql://` URL, made if need be and `create` holds.

        Without an embedder it only lists and removes. Raises `UsageError` when there is none and `create` is false, and
        `StorageError` for an unfinished copy.
        """
        opened = open_store(place, create=create, connections=settings.connections)
        refuse_unfinished(opened)
        return cls(opened, embedder, settings)

    @property
    def name(self) -> str:
        """Where the index is, for messages: its folder, or its URL without the password."""
        return self.database.name

    @property
    def folder(self) -> Path:
        """The folder of this machine for files that belong to the index."""
        return self.database.folder

    def close(self) -> None:
        """Close files; the index can be opened again."""
        for nearest in self._nearest.values():
            nearest.close()
        self.database.close()

    async def add(
        self, sops: Iterable[Sop], extraction: Extraction, source: str = "", preparer: SopPreparer | None = None
    ) -> AsyncIterator[IngestOutcome]:
        """Add new SOPs, replace changed ones, skip unchanged ones; yields one outcome per SOP after its commit.

        Views and vectors are made by `preparer`, in this process without one.
        """
        vectoriser = self._vectoriser(self._model())
        chosen = preparer or LocalPreparer(extraction.extract, vectoriser)
        adding = Adding(self.database, vectoriser, extraction, chosen, source, self.settings.window)
        try:
            async for outcome in adding.run(sops):
                yield outcome
        finally:
            self._settle()

    def remove(self, ids: Iterable[str]) -> list[str]:
        """Remove SOPs and all data that only they contributed; returns the ids that existed."""
        gone = []
        for id in ids:
            with self.database.transaction() as db:
                if store.drop(db, id):
                    gone.append(id)
        self._settle()
        return gone

    def reembed(self, note: Callable[[str], None] = lambda id: None) -> int:
        """Embed all SOPs with the current model in one transaction; `note` gets each id. Returns the count."""
        vectoriser = self._vectoriser(self._model(same=False))
        with self.database.transaction() as db:
            ids = [id for (id,) in db.execute("SELECT id FROM sop ORDER BY number")]
            store.forget_model(db)
            for start in range(0, len(ids), self.settings.window):
                some = ids[start : start + self.settings.window]
                again(db, vectoriser, [(self.sop(id), self.views(id)) for id in some])
                for id in some:
                    note(id)
        self._settle()
        return len(ids)

    def move(self, place: Path | str, note: Callable[[str], None] = lambda standing: None) -> list[MovedTable]:
        """Copy the index to an empty folder or database, as `moving.move`; this one stays as it is."""
        moved = move(self.database, place, note)
        with closing(Index.open(place, None, self.settings)) as copy:
            copy._settle()
        return moved

    def listing(self) -> list[Listed]:
        """All SOPs by id."""
        columns = "id, title, version, added, updated, source, edition"
        with self.database.reading() as db:
            rows = db.execute(f"SELECT {columns} FROM sop ORDER BY id").fetchall()
        return [Listed(**dict(zip(columns.split(", "), row, strict=True))) for row in rows]

    def history(self, id: str) -> list[IndexChange]:
        """What happened to one SOP, also after it was removed."""
        columns = "version, event, at, digest, edition"
        with self.database.reading() as db:
            rows = db.execute(f"SELECT {columns} FROM history WHERE id = ? ORDER BY rowid", (id,)).fetchall()
        return [IndexChange(**dict(zip(columns.split(", "), row, strict=True))) for row in rows]

    def verify(self) -> list[str]:
        """Consistency problems of the index as sentences; empty when there are none."""
        return verify(self.database) + [
            problem for anchor in self.settings.anchors for problem in self._nearest[anchor].check()
        ]

    @property
    def size(self) -> int:
        """Number of SOPs."""
        return self._totals().size

    @property
    def mean_length(self) -> float:
        """Terms per SOP, over title and body."""
        return self._totals().mean

    def content(self, id: str) -> Content:
        """The SOP as it was added, with its card and its three views; raises `UsageError` when it is not there."""
        with self.database.reading() as db:
            row = db.execute("SELECT content FROM element JOIN sop USING (number) WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise UsageError(f"There is no SOP {id!r} in this index; `soprag index list` names all.")
        return Content(row[0])

    def sop(self, id: str) -> Sop:
        """The SOP as it was added; raises `UsageError` when it is not there."""
        return self.content(id).sop

    def titles(self, ids: Sequence[str]) -> dict[str, str]:
        """The title of each SOP; what is not there is left out."""
        with self.database.autocommit() as db:
            inside, those = db.among("id", ids)
            return dict(db.execute(f"SELECT id, title FROM sop WHERE {inside}", (those,)).fetchall())

    def views(self, id: str) -> Views:
        """Its card and its three views; raises `UsageError` when it is not there."""
        return self.content(id).views

    def elements(self, ids: Sequence[str]) -> list[Elements]:
        """The scored texts of the SOPs, in the order given; an id that is not there is left out."""
        with self.database.reading() as db:
            return self._shelf.take(db, reader.numbered(db, ids))

    def nearest(self, vector: Vectors, k: int, by: Anchor = "gist") -> list[tuple[str, float]]:
        """The `k` SOPs nearest to `vector` by cosine, best first; ties by id."""
        self._model()
        if k < 1:
            return []
        with self.database.reading() as db:
            scores = self._nearest[by].search(vector.astype("float32"), k)
            return reader.ranked(reader.named(db, scores), scores)[:k]

    def candidates(
        self, scored: Scored, vector: Vectors, k: int, anchors: Iterable[Anchor | Literal["text"]]
    ) -> list[Elements]:
        """The elements of the `k` SOPs that are best by each of the anchors, by id; "text" ranks by `scored`."""
        with self.database.reading() as db:
            found = [scored.best(k) if by == "text" else self._nearest[by].search(vector, k) for by in anchors]
            ids = reader.named(db, set[int]().union(*found))
            best = {id for scores in found for id, _ in reader.ranked(ids, scores)[:k]}
            chosen = {number: id for number, id in ids.items() if id in best}
            return self._shelf.take(db, dict(sorted(chosen.items(), key=lambda row: row[1])))

    def scored(self, terms: Iterable[str], others: Iterable[str] = ()) -> Scored:
        """BM25 of every SOP for these terms and their pairs, with the frequencies of the terms and of `others`."""
        with self.database.reading() as db, self._reading:
            return self._full_text.score(db, terms, others)

    def full_text(self, terms: Iterable[str], k: int) -> list[tuple[str, float]]:
        """The `k` best SOPs by BM25, best first; ties by id."""
        scores = self.scored(terms).best(k)
        with self.database.reading() as db:
            return reader.ranked(reader.named(db, scores), scores)[:k]

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many SOPs each of the terms occurs; what occurs in none is left out."""
        return self.scored((), terms).frequencies

    def _vectoriser(self, embedder: Embedder) -> Vectoriser:
        return Vectoriser(embedder, self.settings.element_vectors, self.settings.token_bits)

    def _model(self, *, same: bool = True) -> Embedder:
        """The embedding model; unless `same` is false it must be the one the index was made with."""
        if self._embedder is None:
            raise UsageError("This index was opened without an embedding model; open it with one to add or to search.")
        recorded = self.database.meta("embedding")
        if same and recorded not in ("", self._embedder.name):
            raise ConfigError(store.other_model("embedding", recorded, self._embedder.name))
        return self._embedder

    @property
    def embedder(self) -> Embedder:
        """The embedding model, which must be the one the index was made with; raises `ConfigError` otherwise."""
        return self._model()

    @property
    def model_name(self) -> str:
        """The name of the embedding model; empty without one."""
        return self._embedder.name if self._embedder else ""

    def _totals(self) -> FullText:
        with self.database.reading() as db, self._reading:
            self._full_text.follow(db)
        return self._full_text

    def _settle(self) -> None:
        """Trim the change log, checkpoint the database, and sync the derived vector indexes."""
        with self.database.transaction() as db:
            change_log.trim(db)
        self.database.settle()
        for anchor in self.settings.anchors:
            self._nearest[anchor].sync()
