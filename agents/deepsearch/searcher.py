"""The searching agent: search phrases, hits, sources, fitting procedures, and claims that cite their lines.

Web, wiki, scholar and patent agents differ by their capability document and by what they search; the image agent also
by how it reads a hit (`image.py`). Paper 001, Algorithm 1, lines 10-11 and 15-47.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np

from soprag.agents.deepsearch.capabilities import Capability
from soprag.agents.deepsearch.evidence import EvidenceWriter
from soprag.agents.deepsearch.local_procedures import LocalProcedures
from soprag.agents.deepsearch.page_links import answering_links
from soprag.agents.deepsearch.procedure_shelf import LocatedProcedure, ProcedureShelf
from soprag.agents.deepsearch.source_reader import SourceReader
from soprag.configs.settings import ResearchSettings
from soprag.tools.embedding import Embedder
from soprag.tools.llm import Llm
from soprag.tools.research.records import Subtask, SubtaskEvidence, WebSourceRecord
from soprag.tools.research.search_log import Searches, SearchFindings
from soprag.tools.research.sources import Got, Sources
from soprag.tools.search.engine import Kind, SearchHit
from soprag.tools.sop import Span
from soprag.tools.tasks import deepsearch as tasks
from soprag.tools.text.language import detect
from soprag.tools.text.terms import terms

_TITLE = 0.5  # what it adds to the confidence when all words of the query stand in the title
_MARGIN = 0.2  # procedures so far behind the best one of the same source are not used

_WHOLE = ("page", "procedure")

Note = Callable[[str], None]


def _silent(standing: str) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Assignment:
    """What an agent is called with: instructions and query, which the subtask holds, and the context.

    `sources` are ids of those that subtasks it depends on have cited; `note` gets a few words about what the agent is
    doing.
    """

    subtask: Subtask
    context: str
    note: Note = _silent
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class CollectedProcedures:
    """The procedures that fit a subtask, what is worth saying about the search, and whether the budget cut it short."""

    procedures: list[LocatedProcedure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cut: bool = False


@dataclass(frozen=True)
class SearchingAgent:
    """One of the five; `reader` turns a hit into a source, `local` are indexes that are searched beside the web.

    `room` is the most characters of whole procedures that a summary is written from; 0 sets no limit.
    """

    capability: Capability
    llm: Llm
    embedder: Embedder
    searches: Searches
    reader: SourceReader
    sources: Sources
    shelf: ProcedureShelf
    settings: ResearchSettings
    local: tuple[LocalProcedures, ...] = ()
    room: int = 0

    async def investigate(self, assignment: Assignment) -> SubtaskEvidence:
        """Collect the evidence on a subtask; raises `SearchError` or `BudgetSpent` when every search failed."""
        local = await self._local(assignment)
        phrases: list[str] = []
        web = CollectedProcedures()
        if self.searches.can_search:
            phrases = await self._phrases(assignment)
            web = await self._web(phrases, assignment)
        procedures = _best(assignment.subtask.query, [*local, *web.procedures], self.settings.procedures)
        assignment.note(f"{len(procedures)} procedures and sections fit")
        writer = EvidenceWriter(self.llm, self.embedder, self.settings, self.room)
        name = f"{assignment.subtask.id}-{self.capability.name}"
        claims, notes = await writer.claims(name, assignment.subtask, assignment.context, procedures)
        used = {quote.source for claim in claims for quote in claim.quotes}
        return SubtaskEvidence(
            subtask=assignment.subtask.id,
            agent=self.capability.name,
            queries=tuple(phrases),
            sources=tuple(dict.fromkeys(one.source.id for one in procedures if one.source.id in used)),
            claims=claims,
            notes=tuple(dict.fromkeys([*web.notes, *notes])),
            pages=len({one.source.id for one in procedures if one.source.read in _WHOLE} & used),
            cut=web.cut,
        )

    async def _local(self, assignment: Assignment) -> list[LocatedProcedure]:
        located = []
        for library in self.local:
            assignment.note(f"searching {library.name}")
            for found in await library.find(assignment.subtask.query, self.settings.pages):
                source = await self.sources.procedure(found.hit, assignment.subtask.query, found.text)
                lines = Span(start=found.preamble + 1, end=found.text.count("\n") + 1)
                preamble = (Span(start=1, end=found.preamble),) if found.preamble else ()
                located.append(LocatedProcedure(source, found.hit.title, lines, preamble, found.confidence))
        return located

    async def _phrases(self, assignment: Assignment) -> list[str]:
        ask = tasks.PhrasesAsk(
            query=assignment.subtask.query,
            instructions=assignment.subtask.instructions,
            context=assignment.context,
            looking_for=self.capability.kind,
        )
        phrases = (await self.llm.ask(tasks.PHRASE_SEARCH, ask)).phrases
        return list(dict.fromkeys(" ".join(phrase.split()) for phrase in phrases))

    async def _web(self, phrases: list[str], assignment: Assignment) -> CollectedProcedures:
        """The procedures of the pages that were found, and of those that these point to."""
        query = assignment.subtask.query
        assignment.note(f"searching for {phrases[0]!r}")
        hits, notes = await self._search(phrases, assignment)
        readings: list[Got] = []
        read: set[str] = set()
        while missing := self._missing(readings, hits[len(read) :]):
            assignment.note(f"reading {len(missing)} pages")
            readings += await self._read(missing, query)
            read |= {hit.url for hit in missing}
        linked = await asyncio.to_thread(
            answering_links, query, _sources(readings), read, self.embedder, self.settings.links
        )
        if linked:
            assignment.note(f"following {len(linked)} links")
            readings += [got for got in await self._read(linked, query) if got.source and got.source.read == "page"]
        notes += [reading.note for reading in readings if reading.note]
        earlier = [Got(await self.sources.read(id)) for id in assignment.sources]
        sources = _sources([*readings, *earlier])
        assignment.note(f"splitting and indexing {len(sources)} sources")
        procedures = await self.shelf.find(query, sources, self.settings.pages * 2)
        return CollectedProcedures(procedures, notes, any(reading.budget for reading in readings))

    def _missing(self, readings: Sequence[Got], rest: Sequence[SearchHit]) -> Sequence[SearchHit]:
        """The next hits to read: as many as there are pages missing because others could not be read."""
        pages = sum(1 for reading in readings if reading.source and reading.source.read != "search result")
        spent = any(reading.budget for reading in readings)
        return [] if spent else rest[: max(self.settings.pages - pages, 0)]

    async def _read(self, hits: Sequence[SearchHit], query: str) -> list[Got]:
        return list(await asyncio.gather(*(self.reader.read(hit, query) for hit in hits)))

    async def _search(self, phrases: list[str], assignment: Assignment) -> tuple[list[SearchHit], list[str]]:
        """The nearest hits of all phrases; a phrase that fails after another brought hits is only a note."""
        outcomes = await self._outcomes(self.capability.kind, phrases, assignment)
        if self.capability.kind != "web" and not any(isinstance(one, SearchFindings) and one.hits for one in outcomes):
            assignment.note("nothing there; searching the web")
            outcomes += await self._outcomes("web", phrases, assignment)
        failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        notes = [outcome.note for outcome in outcomes if not isinstance(outcome, BaseException) and outcome.note]
        hits = {
            hit.url: hit
            for outcome in outcomes
            if not isinstance(outcome, BaseException)
            for hit in reversed(outcome.hits)
        }
        if failed and not hits and not self.local:
            raise failed[0]
        notes += [f"One search failed: {error}" for error in failed]
        return await asyncio.to_thread(self._nearest, list(hits.values()), assignment), notes

    async def _outcomes(
        self, kind: Kind, phrases: list[str], assignment: Assignment
    ) -> list[SearchFindings | BaseException]:
        language = detect(assignment.subtask.query)
        searches = (self.searches.find(kind, phrase, language) for phrase in phrases)
        outcomes = list(await asyncio.gather(*searches, return_exceptions=True))
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, Exception):
                raise outcome
        return outcomes

    def _nearest(self, hits: list[SearchHit], assignment: Assignment) -> list[SearchHit]:
        """The hits by the cosine of title and snippet; those of a site beyond `research.pages_per_host` come last."""
        if not hits:
            return []
        query_vector = self.embedder.embed([assignment.subtask.query])[0]
        nearness = self.embedder.embed([f"{hit.title}. {hit.snippet}" for hit in hits]) @ query_vector
        ranked = [hits[index] for index in np.argsort(-nearness, kind="stable")[: self.settings.results]]
        counts: Counter[str] = Counter()
        spread: list[SearchHit] = []
        rest: list[SearchHit] = []
        for hit in ranked:
            host = urlsplit(hit.url).netloc
            counts[host] += 1
            (spread if not host or counts[host] <= self.settings.pages_per_host else rest).append(hit)
        return [*spread, *rest]


def _sources(readings: Iterable[Got]) -> list[WebSourceRecord]:
    """The sources of these readings, each once."""
    return list({reading.source.id: reading.source for reading in readings if reading.source}.values())


def _best(query: str, located: list[LocatedProcedure], keep: int) -> list[LocatedProcedure]:
    """The best procedures by confidence and title; those of the best one's source must fit nearly as well.

    Whole pages come before what a search engine showed of one.
    """
    stems = set(terms(query))

    def fit(one: LocatedProcedure) -> float:
        return one.confidence + _TITLE * len(stems & set(terms(one.title))) / max(len(stems), 1)

    ranked = sorted(located, key=lambda one: (-fit(one), one.source.read == "search result"))
    chosen: dict[tuple[str, ...], LocatedProcedure] = {}
    for one in ranked:
        elsewhere = one.source.id != ranked[0].source.id  # another source may hold what the best one lacks
        if elsewhere or fit(one) >= fit(ranked[0]) - _MARGIN:
            chosen.setdefault(tuple(sorted(set(terms(one.title)))), one)
    return list(chosen.values())[:keep]
