"""From SOPs to rows: the unchanged cost nothing, the others are extracted, embedded in batches and written whole."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from tools.errors import ConfigError, SopragError, StorageError, UsageError
from tools.retriever import graph, store
from tools.retriever.database import Database
from tools.retriever.elements import Element, elements_of
from tools.retriever.graph import Sameness
from tools.retriever.vectors import Vectoriser
from tools.sop import Frozen, Sop, Views

_log = logging.getLogger(__name__)
_FATAL = (ConfigError, StorageError, UsageError)  # the next SOP would only fail in the same way

Event = Literal["added", "updated", "unchanged", "removed", "failed"]


class Outcome(Frozen):
    """What became of one SOP; `reason` says why it failed."""

    sop: str
    title: str
    event: Event
    reason: str = ""


@dataclass(frozen=True)
class Extraction:
    """How views are made: the coroutine, and the edition that changes when model, prompt or rules change."""

    edition: str
    extract: Callable[[Sop], Awaitable[Views]]


@dataclass(frozen=True)
class Adding:
    """One call of `add`: where to, by which means, and from which source the SOPs are."""

    database: Database
    vectoriser: Vectoriser
    extraction: Extraction
    sameness: Sameness
    source: str
    window: int  # SOPs extracted at once and embedded together

    async def run(self, sops: Iterable[Sop]) -> AsyncIterator[Outcome]:
        """Add the SOPs window by window, and tell of each when it is kept."""
        digests: dict[str, str] = {}
        window: list[Sop] = []
        for sop in sops:
            immediate = self._known(sop, digests)
            if immediate:
                yield immediate
                continue
            window.append(sop)
            if len(window) >= self.window:
                for outcome in await self._write(window):
                    yield outcome
                window = []
        for outcome in await self._write(window):
            yield outcome

    def _known(self, sop: Sop, digests: dict[str, str]) -> Outcome | None:
        """An outcome that needs no work."""
        content = store.fingerprint(sop)
        if digests.setdefault(sop.id, content) != content:
            return _outcome(sop, "failed", "another SOP of this source has the same id")
        with self.database.reading() as db:
            stored = store.kept(db, sop.id)
        if stored and (stored.digest, stored.edition) == (content, self.extraction.edition):
            return _outcome(sop, "unchanged")
        return self._taken(sop, stored)

    def _taken(self, sop: Sop, stored: store.Kept | None) -> Outcome | None:
        """An id belongs to the source that brought it: two folders may both hold a `start-up.md`."""
        if stored is None or stored.source == self.source:
            return None
        return _outcome(sop, "failed", f"the id is taken by an SOP from {stored.source!r}; remove that one first")

    async def _write(self, sops: list[Sop]) -> list[Outcome]:
        extracted = await asyncio.gather(*(self._extract(sop) for sop in sops))
        outcomes = [item for item in extracted if isinstance(item, Outcome)]
        good = [item for item in extracted if not isinstance(item, Outcome)]
        items = [elements for _, _, elements in good]
        embedded = await asyncio.to_thread(self.vectoriser.embed, items, self._compared(items))
        entries = [
            store.Entry(sop, views, elements, vectors, self.extraction.edition, self.source)
            for (sop, views, elements), vectors in zip(good, embedded, strict=True)
        ]
        # One transaction for all of them: their full text shares most of its pages, and each SOP is whole or not there.
        with self.database.transaction() as db:
            return outcomes + [self._put(db, entry) for entry in entries]

    def _compared(self, items: list[list[Element]]) -> set[str]:
        with self.database.reading() as db:
            return compared(db, items, self.sameness)

    async def _extract(self, sop: Sop) -> tuple[Sop, Views, list[Element]] | Outcome:
        try:
            views = await self.extraction.extract(sop)
            return sop, views, elements_of(sop, views)
        except _FATAL:
            raise
        except Exception as error:  # noqa: BLE001 - one SOP must not cost the others their place in the index
            if not isinstance(error, SopragError):
                _log.exception("Extraction of %r crashed", sop.id)
            return _outcome(sop, "failed", str(error) or repr(error))

    def _put(self, db: sqlite3.Connection, entry: store.Entry) -> Outcome:
        store.check_model(db, self.vectoriser.embedder.name, entry.embedded.rows.shape[1])
        before = store.kept(db, entry.sop.id)
        taken = self._taken(entry.sop, before)  # another process may have been faster
        if taken:
            return taken
        store.put(db, entry, self.sameness)
        return _outcome(entry.sop, "updated" if before else "added")


def compared(db: sqlite3.Connection, items: list[list[Element]], sameness: Sameness) -> set[str]:
    """The names among these elements, and those in the index, that may be one node."""
    nodes = ((element.node, element.text) for elements in items for element in elements if element.node)
    return graph.compared(db, nodes, sameness.string)


def again(db: sqlite3.Connection, vectoriser: Vectoriser, items: list[tuple[Sop, Views]], sameness: Sameness) -> None:
    """Put SOPs that are in the index already with new vectors."""
    elements = [elements_of(sop, views) for sop, views in items]
    vectors = vectoriser.embed(elements, compared(db, elements, sameness))
    for (sop, views), sop_elements, embedded in zip(items, elements, vectors, strict=True):
        store.check_model(db, vectoriser.embedder.name, embedded.rows.shape[1])
        stored = store.kept(db, sop.id)
        assert stored is not None
        store.put(
            db, store.Entry(sop, views, sop_elements, embedded, stored.edition, stored.source), sameness, quietly=True
        )


def _outcome(sop: Sop, event: Event, reason: str = "") -> Outcome:
    return Outcome(sop=sop.id, title=sop.title, event=event, reason=reason)
