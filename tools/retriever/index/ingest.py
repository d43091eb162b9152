"""Ingestion: skips unchanged SOPs; extracts, embeds and writes the others in batches, one transaction per batch."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from soprag.tools.errors import ConfigError, NoProcedure, SopragError, StorageError, UsageError
from soprag.tools.retriever.index import rows
from soprag.tools.retriever.index.card_sheet import describe
from soprag.tools.retriever.index.elements import Element, elements_of
from soprag.tools.retriever.index.storage import Rows, Store
from soprag.tools.retriever.index.vectors import Vectoriser
from soprag.tools.sop import Frozen, Sop, Views

_log = logging.getLogger(__name__)
_FATAL = (ConfigError, StorageError, UsageError)  # the next SOP would only fail in the same way

Event = Literal["added", "updated", "unchanged", "removed", "left out", "failed"]


class IngestOutcome(Frozen):
    """The result of ingesting one SOP; `reason` is set when `event` is `failed`, or `left out` as no procedure."""

    sop: str
    title: str
    event: Event
    reason: str = ""


@dataclass(frozen=True)
class Extraction:
    """The extraction coroutine, and its edition: a string that changes with the model, the prompts or the rules."""

    edition: str
    extract: Callable[[Sop], Awaitable[Views]]


@dataclass(frozen=True)
class Adding:
    """One ingestion run: the target database, its collaborators, and the source of the SOPs."""

    database: Store
    vectoriser: Vectoriser
    extraction: Extraction
    source: str
    window: int  # SOPs extracted at once and embedded together

    async def run(self, sops: Iterable[Sop]) -> AsyncIterator[IngestOutcome]:
        """Ingest the SOPs window by window; yields one outcome per SOP once it is committed."""
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

    def _known(self, sop: Sop, digests: dict[str, str]) -> IngestOutcome | None:
        """The outcome of an SOP that is unchanged or cannot be added; None when it has to be ingested."""
        content = rows.fingerprint(sop)
        if digests.setdefault(sop.id, content) != content:
            return _outcome(sop, "failed", "another SOP of this source has the same id")
        with self.database.reading() as db:
            stored = rows.kept(db, sop.id)
        if stored and (stored.digest, stored.edition) == (content, self.extraction.edition):
            return _outcome(sop, "unchanged")
        return self._taken(sop, stored)

    def _taken(self, sop: Sop, stored: rows.IndexedSop | None) -> IngestOutcome | None:
        """A failure when the id is indexed from another source: two folders may both hold a `start-up.md`."""
        if stored is None or stored.source == self.source:
            return None
        return _outcome(sop, "failed", f"the id is taken by an SOP from {stored.source!r}; remove that one first")

    async def _write(self, sops: list[Sop]) -> list[IngestOutcome]:
        extracted = await asyncio.gather(*(self._extract(sop) for sop in sops))
        outcomes = [item for item in extracted if isinstance(item, IngestOutcome)]
        good = [item for item in extracted if not isinstance(item, IngestOutcome)]
        items = [elements for _, _, elements in good]
        embedded = await asyncio.to_thread(self.vectoriser.embed, items)
        entries = [
            rows.IndexRow(sop, views, elements, vectors, self.extraction.edition, self.source)
            for (sop, views, elements), vectors in zip(good, embedded, strict=True)
        ]
        # One transaction for the batch: its postings share most of their pages, and no SOP is ever half written.
        with self.database.transaction() as db:
            if entries:
                rows.check_model(db, self.vectoriser.embedder.name, entries[0].embedded.rows.shape[1])
            return outcomes + [self._put(db, entry) for entry in entries]

    async def _extract(self, sop: Sop) -> tuple[Sop, Views, list[Element]] | IngestOutcome:
        try:
            extracted = await self.extraction.extract(sop)
            views = extracted.model_copy(update={"sheet": describe(sop, extracted)})
            return sop, views, elements_of(sop, views)
        except _FATAL:
            raise
        except NoProcedure as error:
            return _outcome(sop, "left out", str(error))
        except Exception as error:  # noqa: BLE001 - a failing SOP must not stop the others
            if not isinstance(error, SopragError):
                _log.exception("Extraction of %r crashed", sop.id)
            return _outcome(sop, "failed", str(error) or repr(error))

    def _put(self, db: Rows, entry: rows.IndexRow) -> IngestOutcome:
        before = rows.kept(db, entry.sop.id)
        taken = self._taken(entry.sop, before)  # another process may have been faster
        if taken:
            return taken
        rows.put(db, entry, before)
        return _outcome(entry.sop, "updated" if before else "added")


def again(db: Rows, vectoriser: Vectoriser, items: list[tuple[Sop, Views]]) -> None:
    """Rewrite SOPs that are already indexed with new vectors."""
    elements = [elements_of(sop, views) for sop, views in items]
    vectors = vectoriser.embed(elements)
    rows.check_model(db, vectoriser.embedder.name, vectors[0].rows.shape[1])
    for (sop, views), sop_elements, embedded in zip(items, elements, vectors, strict=True):
        stored = rows.kept(db, sop.id)
        assert stored is not None
        entry = rows.IndexRow(sop, views, sop_elements, embedded, stored.edition, stored.source)
        rows.put(db, entry, stored, quietly=True)


def _outcome(sop: Sop, event: Event, reason: str = "") -> IngestOutcome:
    return IngestOutcome(sop=sop.id, title=sop.title, event=event, reason=reason)
