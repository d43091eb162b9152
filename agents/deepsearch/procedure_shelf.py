"""The procedures and sections of the sources of one run, split by the Auditor and found by the product's retriever."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise

from soprag.agents.auditor import Auditor
from soprag.configs.settings import RetrieverSettings
from soprag.tools.llm import Llm
from soprag.tools.markdown.page import read
from soprag.tools.research.records import WebSourceRecord
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.sop import Document, Provenance, Sop, Span, digest

_SECTIONS = 24  # sections of a source that is no procedure
_SHORT = 300  # characters; a shorter section is joined to the next


@dataclass(frozen=True)
class LocatedProcedure:
    """A procedure or section of a source, its lines there, and how well it fits a query (0 to 1)."""

    source: WebSourceRecord
    title: str
    lines: Span
    preamble: tuple[Span, ...] = ()
    confidence: float = 0.0


@dataclass
class ProcedureShelf:
    """An index of its own for the sources of a run; each source is split and indexed once.

    `auditor`, `extraction` and `router` need no chat model: a page of the web is worth no request before it is chosen.
    """

    open_index: Callable[[], Index]
    auditor: Auditor
    extraction: Extraction
    router: Llm
    settings: RetrieverSettings
    least: float
    _parts: dict[str, dict[str, LocatedProcedure]] = field(default_factory=dict)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self, query: str, sources: Sequence[WebSourceRecord], keep: int) -> list[LocatedProcedure]:
        """At most `keep` procedures of these sources, best first, with a confidence of at least `least`."""
        async with self._lock:
            for source in sources:
                if source.id not in self._parts:
                    self._parts[source.id] = await self._add(source)
            parts = {id: part for source in sources for id, part in self._parts[source.id].items()}
            return await asyncio.to_thread(self._search, query, parts, keep) if parts else []

    def _search(self, query: str, parts: dict[str, LocatedProcedure], keep: int) -> list[LocatedProcedure]:
        with closing(self.open_index()) as index:
            ranking = Retriever.open(index, self.router, self.settings).find(query, keep=max(keep, index.size))
        located = [
            LocatedProcedure(part.source, part.title, part.lines, part.preamble, hit.confidence)
            for hit in ranking.hits
            if (part := parts.get(hit.sop)) and hit.confidence >= self.least
        ]
        return located[:keep]

    async def _add(self, source: WebSourceRecord) -> dict[str, LocatedProcedure]:
        sops = await self._split(source)
        await asyncio.to_thread(self._index, sops, source.url)
        return {sop.id: LocatedProcedure(source, sop.title, sop.span, sop.preamble) for sop in sops}

    async def _split(self, source: WebSourceRecord) -> list[Sop]:
        """The SOPs that the Auditor cuts; the sections of a page that it takes for no procedure."""
        provenance = Provenance(origin="web", location=source.url)
        document = Document(
            id=source.id, name=source.title, suffix=source.suffix, size=len(source.text), provenance=provenance
        )
        if source.read == "page":
            audited = await self.auditor.audit(document, source.text)
            if audited.sops:
                return list(audited.sops)
        return await asyncio.to_thread(_sections, source)

    def _index(self, sops: Sequence[Sop], location: str) -> None:
        async def add() -> None:
            with closing(self.open_index()) as index:
                async for _ in index.add(sops, self.extraction, location):
                    pass

        asyncio.run(add())


def _sections(source: WebSourceRecord) -> list[Sop]:
    """The sections of a source as texts of their own, each under the titles above it."""
    page = read(source.text)
    starts = [heading.lines.start for heading in page.headings]
    if not starts or starts[0] > 1:
        starts.insert(0, 1)
    titles = {section.lines.start: " / ".join([*section.above, section.title]) for section in page.sections}
    spans = _joined(
        [Span(start=start, end=end - 1) for start, end in pairwise([*starts, len(page.lines) + 1])], page.text
    )
    return [
        Sop(
            id=f"{digest(source.id)[:12]}-{span.start}",
            title=(titles.get(span.start) or source.title)[:300],
            text=page.text(span),
            document=source.id,
            span=span,
        )
        for span in spans[:_SECTIONS]
        if page.text(span).strip()
    ]


def _joined(spans: Iterable[Span], text: Callable[[Span], str]) -> list[Span]:
    """The spans, with those of few characters joined to the next one."""
    joined: list[Span] = []
    for span in spans:
        short = bool(joined) and len(text(joined[-1])) < _SHORT
        joined.append(Span(start=joined.pop().start, end=span.end) if short else span)
    return joined
