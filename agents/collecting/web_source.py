"""The web as a document source: assembles the crawler's collaborators and summarises the crawl."""

from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soprag.agents.archivist import Archivist
from soprag.agents.collecting.coverage import Coverage, estimate
from soprag.agents.collecting.crawl import CollectedDocument, Crawl
from soprag.agents.collecting.frontier import Frontier
from soprag.agents.collecting.page_filter import PageFilter
from soprag.agents.collecting.queries import KINDS, QueryPlanner
from soprag.agents.collecting.topic_similarity import Topic
from soprag.configs.settings import CollectSettings, WebSettings
from soprag.tools.embedding import Embedder
from soprag.tools.errors import ConfigError, NothingFound, StorageError
from soprag.tools.llm import Llm
from soprag.tools.search import FoundDocument
from soprag.tools.search.engine import SearchEngine
from soprag.tools.search.registry import ReadyEngines
from soprag.tools.sop import Frozen, Provenance, digest
from soprag.tools.web.budget import RESOURCES, BudgetLimits
from soprag.tools.web.fetcher import open_fetcher
from soprag.tools.web.guard import Resolver
from soprag.tools.web.html_reader import open_html_reader
from soprag.tools.web.journal import Journal, open_journal

Note = Callable[[dict[str, Any]], None]


class CollectionSummary(Frozen):
    """What a collection did: searches asked, pages by outcome and by judgement, what was spent, how much is covered."""

    topic: str
    queries: list[str]
    pages: dict[str, int]
    readings: dict[str, int]
    spent: dict[str, float]
    coverage: Coverage
    stopped: str
    faults: list[str]


@dataclass(frozen=True)
class Means:
    """What a collection works with; `allow` and `resolver` are for tests and intranets."""

    llm: Llm
    embedder: Embedder
    archivist: Archivist
    engines: ReadyEngines
    allow: tuple[str, ...] = ()
    resolver: Resolver | None = None


@dataclass(frozen=True)
class WebSource:
    """Pages of the web on a topic; everything asked and received is kept in `folder`, and never asked for again."""

    folder: Path
    means: Means
    web: WebSettings
    collect: CollectSettings
    limits: BudgetLimits
    description: str = "the web"

    async def gather(self, topic: str, note: Note) -> tuple[list[FoundDocument], CollectionSummary]:
        """Documents on the topic, best first; raises `NothingFound`, or what kept every search from an answer."""
        engines = self._engines()
        async with AsyncExitStack() as stack:
            journal = stack.enter_context(open_journal(self.folder))
            budget = journal.budget(self.limits)
            fetcher = await stack.enter_async_context(
                open_fetcher(
                    self.web, allow=self.means.allow, resolver=self.means.resolver, budget=budget, robots=journal
                )
            )
            reader = await stack.enter_async_context(open_html_reader(self.web))
            means, settings = self.means, self.collect
            judge = PageFilter(Topic(topic, means.embedder), means.archivist, means.llm, budget, reader, settings)
            crawl = Crawl(
                journal, budget, fetcher, judge,
                QueryPlanner(means.llm, topic, engines, settings), Frontier(judge.topic, settings), settings,
                window=self.web.concurrency, note=note,
            )  # fmt: skip
            documents = await crawl.run()
            listings = [
                self._found(document, journal)
                for document in sorted(documents, key=lambda document: -document.reading.close)
            ]
            spent: dict[str, float] = {name: round(budget.spent(name), 1) for name in RESOURCES}
            summary = _summary(topic, crawl, documents, journal, spent)
        if not listings:
            raise NothingFound(_explain(summary))
        return listings, summary

    def read(self, listing: FoundDocument) -> bytes:
        """The bytes of a document that was found."""
        sha256 = listing.provenance.sha256 or ""
        file = self.folder / sha256[:2] / sha256
        try:
            data = file.read_bytes()
        except OSError as error:
            raise StorageError(f"Cannot read {str(file)!r}: {error.strerror}.") from error
        if digest(data) != sha256:
            raise StorageError(f"{str(file)!r} is damaged; start a new run.")
        return data

    def _engines(self) -> tuple[SearchEngine, ...]:
        web = self.means.engines.for_kind("web")
        engines = (web,) if web else tuple(engine for kind in KINDS if (engine := self.means.engines.for_kind(kind)))
        if not engines:
            raise ConfigError(
                "There is no search engine: set SERPAPI_API_KEY, or name the free ones by --search keyless."
            )
        return engines

    def _found(self, document: CollectedDocument, journal: Journal) -> FoundDocument:
        reading, first = document.reading, document.lead.first
        page = journal.fetched(document.lead.key)
        origin = next((sighting for sighting in document.lead.sightings if sighting.searched), first)
        provenance = Provenance(
            origin="web", location=reading.final_url, licence=reading.licence or None, query=origin.query or None,
            score=round(reading.close, 3), engine=origin.engine or None, rank=origin.rank or None,
            referrer=first.referrer or None, url=document.lead.url, title=reading.title, sha256=reading.sha256,
            fetched=journal.when(document.lead.key), headers=page.headers if page else {},
        )  # fmt: skip
        journal.keep_document(reading.sha256, document.lead.key, provenance)
        return FoundDocument(reading.name, provenance)


def _summary(
    topic: str, crawl: Crawl, documents: list[CollectedDocument], journal: Journal, spent: dict[str, float]
) -> CollectionSummary:
    readings = crawl.readings + Counter({"kept": len(documents)})
    readings["left out"] = readings.pop("document", 0) - len(documents)
    return CollectionSummary(
        topic=topic, queries=crawl.asking.queries, pages=journal.kinds(), readings=dict(sorted((+readings).items())),
        spent=spent, coverage=estimate([document.lead for document in documents]), stopped=crawl.stopped,
        faults=[str(error) for error in crawl.faults],
    )  # fmt: skip


def _explain(summary: CollectionSummary) -> str:
    pages = ", ".join(f"{count} {kind}" for kind, count in summary.readings.items()) or "none"
    reason = f" {summary.stopped}" if summary.stopped else ""
    return (
        f"The web gave no procedure on the topic {summary.topic!r}: {len(summary.queries)} searches, pages: {pages}."
        f"{reason} Try other words, a larger budget, or your own files with --source."
    )
