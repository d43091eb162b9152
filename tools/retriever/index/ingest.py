"""Ingestion: skips unchanged SOPs; extracts, embeds and writes the others in batches, one transaction per batch."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from soprag.tools.errors import ConfigError, NoProcedure, SopragError, StorageError, UsageError
from soprag.tools.retriever.index import rows
from soprag.tools.retriever.index.elements import Element, elements_of
from soprag.tools.retriever.index.storage import Rows, Store
from soprag.tools.retriever.index.vectors import Embedded, Vectoriser
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
class Prepared:
    """What is computed of one SOP before it is written."""

    views: Views
    elements: list[Element]
    embedded: Embedded


class SopPreparer(Protocol):
    """Computes what the index holds of SOPs, in this process or elsewhere."""

    async def prepare(self, sops: list[Sop]) -> "list[Prepared | IngestOutcome]":
        """For each SOP what is to be written, or why it cannot be; raises what the next SOP would fail by too."""
        ...


@dataclass(frozen=True)
class LocalPreparer:
    """Works in this process: views at once, vectors of all SOPs together."""

    extract: Callable[[Sop], Awaitable[Views]]
    vectoriser: Vectoriser

    async def prepare(self, sops: list[Sop]) -> list[Prepared | IngestOutcome]:
        """Each SOP prepared, or its outcome where it failed or is left out."""
        extracted = await asyncio.gather(*(self._extract(sop) for sop in sops))
        items = [item[1] for item in extracted if not isinstance(item, IngestOutcome)]
        embedded = iter(await asyncio.to_thread(self.vectoriser.embed, items))
        return [item if isinstance(item, IngestOutcome) else Prepared(*item, next(embedded)) for item in extracted]

    async def _extract(self, sop: Sop) -> tuple[Views, list[Element]] | IngestOutcome:
        from soprag.tools.retriever.index.card_sheet import describe

        try:
            extracted = await self.extract(sop)
            views = extracted.model_copy(update={"sheet": describe(sop, extracted)})
            return views, elements_of(sop, views)
        except _FATAL:
            raise
        except NoProcedure as error:
            return outcome_of(sop, "left out", str(error))
        except Exception as error:  # noqa: BLE001 - a failing SOP must not stop the others
            if not isinstance(error, SopragError):
                _log.exception("Extraction of %r crashed", sop.id)
            return outcome_of(sop, "failed", str(error) or repr(error))


@dataclass(frozen=True)
class Adding:
    """One ingestion run: the target database, its collaborators, and the source of the SOPs."""

    database: Store
    vectoriser: Vectoriser
    extraction: Extraction
    preparer: SopPreparer
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
            return outcome_of(sop, "failed", "another SOP of this source has the same id")
        with self.database.autocommit() as db:
            stored = rows.kept(db, sop.id)
        if stored and (stored.digest, stored.edition) == (content, self.extraction.edition):
            return outcome_of(sop, "unchanged")
        return self._taken(sop, stored)

    def _taken(self, sop: Sop, stored: rows.IndexedSop | None) -> IngestOutcome | None:
        """A failure when the id is indexed from another source: two folders may both hold a `start-up.md`."""
        if stored is None or stored.source == self.source:
            return None
        return outcome_of(sop, "failed", f"the id is taken by an SOP from {stored.source!r}; remove that one first")

    async def _write(self, sops: list[Sop]) -> list[IngestOutcome]:
        prepared = await self.preparer.prepare(sops) if sops else []
        outcomes = [item for item in prepared if isinstance(item, IngestOutcome)]
        entries = [
            rows.IndexRow(sop, item.views, item.elements, item.embedded, self.extraction.edition, self.source)
            for sop, item in zip(sops, prepared, strict=True)
            if isinstance(item, Prepared)
        ]
        # One transaction for the batch: its postings share most of their pages, and no SOP is ever half written.
        with self.database.transaction() as db:
            if entries:
                rows.check_model(db, self.vectoriser.embedder.name, entries[0].embedded.rows.shape[1])
            return outcomes + [self._put(db, entry) for entry in entries]

    def _put(self, db: Rows, entry: rows.IndexRow) -> IngestOutcome:
        before = rows.kept(db, entry.sop.id)
        taken = self._taken(entry.sop, before)  # another process may have been faster
        if taken:
            return taken
        rows.put(db, entry, before)
        return outcome_of(entry.sop, "updated" if before else "added")


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


def outcome_of(sop: Sop, event: Event, reason: str = "") -> IngestOutcome:
    """What became of one SOP."""
    return IngestOutcome(sop=sop.id, title=sop.title, event=event, reason=reason)
