"""From SOPs to rows: the unchanged cost nothing, the others are extracted, embedded in batches and written whole."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tools.embedding import Embedder, Vectors, token_embedder
from tools.errors import ConfigError, SopragError, StorageError, UsageError
from tools.retriever import store, tokens
from tools.retriever.database import Database
from tools.retriever.elements import Element, elements_of
from tools.retriever.graph import Threshold
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
    embedder: Embedder
    extraction: Extraction
    threshold: Threshold
    source: str
    window: int  # SOPs extracted at once and embedded together

    async def run(self, sops: Iterable[Sop]) -> AsyncIterator[Outcome]:
        """Add the SOPs one transaction each, and tell of each when it is on disk."""
        seen: dict[str, str] = {}
        window: list[Sop] = []
        for sop in sops:
            known = self._known(sop, seen)
            if known:
                yield known
                continue
            window.append(sop)
            if len(window) >= self.window:
                for outcome in await self._write(window):
                    yield outcome
                window = []
        for outcome in await self._write(window):
            yield outcome

    def _known(self, sop: Sop, seen: dict[str, str]) -> Outcome | None:
        """An outcome that needs no work."""
        content = store.fingerprint(sop)
        if seen.setdefault(sop.id, content) != content:
            return _outcome(sop, "failed", "another SOP of this source has the same id")
        with self.database.reading() as db:
            kept = store.kept(db, sop.id)
        if kept and (kept.digest, kept.edition) == (content, self.extraction.edition):
            return _outcome(sop, "unchanged")
        return self._taken(sop, kept)

    def _taken(self, sop: Sop, kept: store.Kept | None) -> Outcome | None:
        """An id belongs to the source that brought it: two folders may both hold a `start-up.md`."""
        if kept is None or kept.source == self.source:
            return None
        return _outcome(sop, "failed", f"the id is taken by an SOP from {kept.source!r}; remove that one first")

    async def _write(self, sops: list[Sop]) -> list[Outcome]:
        extracted = await asyncio.gather(*(self._extract(sop) for sop in sops))
        outcomes = [item for item in extracted if isinstance(item, Outcome)]
        good = [item for item in extracted if not isinstance(item, Outcome)]
        vectors = await asyncio.to_thread(embed, self.embedder, [elements for _, _, elements in good])
        for (sop, views, elements), (rows, packed) in zip(good, vectors, strict=True):
            entry = store.Entry(sop, views, elements, rows, self.extraction.edition, self.source, packed)
            outcomes.append(self._put(entry))
        return outcomes

    async def _extract(self, sop: Sop) -> tuple[Sop, Views, list[Element]] | Outcome:
        try:
            views = await self.extraction.extract(sop)
            return sop, views, elements_of(sop, views)
        except _FATAL:
            raise
        except Exception as fault:  # noqa: BLE001 - one SOP must not cost the others their place in the index
            if not isinstance(fault, SopragError):
                _log.exception("Extraction of %r crashed", sop.id)
            return _outcome(sop, "failed", str(fault) or repr(fault))

    def _put(self, entry: store.Entry) -> Outcome:
        with self.database.transaction() as db:
            store.check_model(db, self.embedder.name, entry.vectors.shape[1])
            before = store.kept(db, entry.sop.id)
            taken = self._taken(entry.sop, before)  # another process may have been faster
            if taken:
                return taken
            store.put(db, entry, self.threshold)
        return _outcome(entry.sop, "updated" if before else "added")


def embed(embedder: Embedder, items: list[list[Element]]) -> list[tuple[Vectors, bytes]]:
    """The vectors of each item's elements and, if the model gives them, the tokens of its passages.

    Every text is read once, all in one call.
    """
    every = [element for elements in items for element in elements]
    if not every:
        return []
    model = token_embedder(embedder)
    read = tokens.read(model, every) if model else {}
    texts = list(dict.fromkeys(element.spoken for element in every if element.spoken not in read))
    vectors = dict(zip(texts, embedder.embed(texts), strict=True)) | {text: one.vector for text, one in read.items()}
    return [
        (np.stack([vectors[element.spoken] for element in elements]), tokens.pack(elements, read) if model else b"")
        for elements in items
    ]


def again(db: sqlite3.Connection, embedder: Embedder, items: list[tuple[Sop, Views]]) -> list[store.Entry]:
    """Entries of SOPs that are in the index already, with new vectors."""
    elements = [elements_of(sop, views) for sop, views in items]
    entries = []
    for (sop, views), own, (rows, packed) in zip(items, elements, embed(embedder, elements), strict=True):
        store.check_model(db, embedder.name, rows.shape[1])
        kept = store.kept(db, sop.id)
        assert kept is not None
        entries.append(store.Entry(sop, views, own, rows, kept.edition, kept.source, packed))
    return entries


def _outcome(sop: Sop, event: Event, reason: str = "") -> Outcome:
    return Outcome(sop=sop.id, title=sop.title, event=event, reason=reason)
