"""The web as a document source: assembles the crawler's collaborators and summarises the crawl."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soprag.agents.archivist import Archivist
from soprag.agents.collecting.coverage import Coverage, estimate
from soprag.agents.collecting.crawl import Crawl
from soprag.agents.collecting.frontier import Frontier
from soprag.agents.collecting.left_out import write_left_out
from soprag.agents.collecting.page_filter import PageFilter
from soprag.agents.collecting.queries import KINDS, QueryPlanner
from soprag.agents.collecting.selection import CollectedDocument, Selection
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
from soprag.tools.web.feeds import FeedLimits
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
    include: tuple[str, ...] = ()  # URLs or SHA-256 of left-out documents that are accepted all the same; or "all"
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
            judge = PageFilter(
                Topic(topic, means.embedder),
                means.archivist,
                means.llm,
                budget,
                reader,
                settings,
                FeedLimits(max_links=self.web.max_feed_links, max_bytes=self.web.max_body),
            )
            crawl = Crawl(
                journal, budget, fetcher, judge,
                QueryPlanner(means.llm, topic, engines, settings), Frontier(judge.topic, settings), settings,
                window=self.web.concurrency, note=note,
            )  # fmt: skip
            selection = await crawl.run()
            accepted = (*selection.accepted, *(d for d in selection.left_out if self._included(d)))
            left_out = [document for document in selection.left_out if not self._included(document)]
            write_left_out(self.folder / "left_out", left_out, journal)
            listings = [self._found(document, journal) for document in accepted[: settings.limit]]
            spent: dict[str, float] = {name: round(budget.spent(name), 1) for name in RESOURCES}
            summary = _summary(topic, crawl, selection, journal, spent)
        if not listings:
            raise NothingFound(_explain(summary, left_out, self.folder / "left_out"))
        return listings, summary

    def _included(self, document: CollectedDocument) -> bool:
        """Whether the user asked for this document although the topic model left it out."""
        keys = {document.reading.final_url, document.lead.url, document.reading.sha256[:12], document.reading.sha256}
        return bool(document.chance) and ("all" in self.include or bool(keys & set(self.include)))

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
            referrer=first.referrer or None, url=document.lead.url, title=reading.title,
            sha256=reading.sha256, fetched=journal.when(document.lead.key), headers=page.headers if page else {},
        )  # fmt: skip
        journal.keep_document(reading.sha256, document.lead.key, provenance)
        return FoundDocument(reading.name, provenance)


def _summary(
    topic: str, crawl: Crawl, selection: Selection, journal: Journal, spent: dict[str, float]
) -> CollectionSummary:
    readings = crawl.readings + Counter({"kept": len(selection.accepted)})
    readings["left out"] = len(selection.left_out)
    readings.pop("document", None)
    return CollectionSummary(
        topic=topic, queries=crawl.asking.queries, pages=journal.kinds(), readings=dict(sorted((+readings).items())),
        spent=spent, coverage=estimate([document.lead for document in selection.accepted]), stopped=crawl.stopped,
        faults=[str(error) for error in crawl.faults],
    )  # fmt: skip


def _explain(summary: CollectionSummary, left_out: Sequence[CollectedDocument], folder: Path) -> str:
    pages = ", ".join(f"{count} {kind}" for kind, count in summary.readings.items()) or "none"
    reason = f" {summary.stopped}" if summary.stopped else ""
    if left_out:
        return (
            f"{len(left_out)} procedures were fetched, and none of them seems to be about {summary.topic!r}: "
            f"{len(summary.queries)} searches, pages: {pages}.{reason} They lie in {str(folder)!r} with the reasons; "
            "accept them with --include all or --include URL, or try other words for the topic."
        )
    return (
        f"The web gave no procedure on the topic {summary.topic!r}: {len(summary.queries)} searches, pages: {pages}."
        f"{reason} Try other words, a larger budget, or your own files with --source."
    )
