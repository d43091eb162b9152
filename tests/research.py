"""Research without a network: scripted engines, pages and models, and a study put together from them."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soprag.agents.auditor import Auditor
from soprag.agents.deepsearch.capabilities import capabilities
from soprag.agents.deepsearch.image import PictureReader
from soprag.agents.deepsearch.judge import Judge, RubricJudge
from soprag.agents.deepsearch.local_procedures import LocalProcedures
from soprag.agents.deepsearch.planner import Planner
from soprag.agents.deepsearch.procedure_shelf import ProcedureShelf
from soprag.agents.deepsearch.searcher import SearchingAgent
from soprag.agents.deepsearch.selector import Selector
from soprag.agents.deepsearch.source_reader import PageReader, SourceReader
from soprag.agents.deepsearch.writer import Writer
from soprag.configs.settings import load
from soprag.graphs.deepsearch.context import ResearchContext
from soprag.tools.embedding import Embedder
from soprag.tools.llm import Llm
from soprag.tools.parsing import ParsedDocument
from soprag.tools.research.budgeted import BudgetedLlm
from soprag.tools.research.records import ResearchManifest
from soprag.tools.research.search_log import Searches
from soprag.tools.research.sources import Sources
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.registry import ReadyEngines
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.web.budget import BudgetLimits, RunBudget
from soprag.tools.web.outcome import Fetched
from tests.words import WordEmbedder

EVERY: frozenset[Kind] = frozenset({"web", "images", "scholar", "patents", "wiki"})
PLENTY = BudgetLimits(credits=100, fetches=1000, bytes=10**9, seconds=600, tokens=10**6)


@dataclass
class FakeWeb:
    """Pages by address, each found by the words of its text; every request is written down."""

    pages: dict[str, str]
    budget: RunBudget | None = None
    delay: float = 0.0
    meet: Callable[[str], Any] | None = None  # awaited with the query, before an answer is given
    fails: Mapping[str, Exception] = field(default_factory=dict)  # by a word of the query
    name: str = "serpapi:fake"
    kinds: frozenset[Kind] = EVERY
    queries: list[SearchQuery] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)

    async def search(self, query: SearchQuery) -> ResultPage:
        self.queries.append(query)
        await asyncio.sleep(self.delay)
        if self.meet:
            await self.meet(query.text)
        for word, fault in self.fails.items():
            if word in query.text:
                raise fault
        words = set(query.text.casefold().split())
        scores = {url: len(words & set(text.casefold().split())) for url, text in self.pages.items()}
        best = sorted((url for url in scores if scores[url]), key=lambda url: -scores[url])[:5]
        hits = [
            SearchHit(
                url=url,
                title=url.rpartition("/")[2],
                snippet=self.pages[url].rpartition("\n\n")[2][:120],
                rank=rank,
                engine=self.name,
            )
            for rank, url in enumerate(best, 1)
        ]
        return ResultPage(hits=tuple(hits), credits=1)

    async def fetch(self, url: str) -> Fetched:
        self.fetched.append(url)
        await asyncio.sleep(self.delay)
        if self.budget:
            self.budget.take(fetches=1)
        if url not in self.pages:
            return Fetched(url=url, kind="http", status=404, reason="It is not there (404).")
        return Fetched(url=url, kind="ok", final_url=url, status=200, suffix=".md", data=self.pages[url].encode())


class PlainParser:
    """Text is its own Markdown."""

    async def parse(self, source: bytes, name: str) -> ParsedDocument:
        return ParsedDocument(markdown=source.decode(), engine="text", version="1", tier="", pages=0)


def subtask(id: str, query: str, *needs: str) -> dict[str, Any]:
    """One drafted subtask."""
    return {"id": id, "query": query, "instructions": "Web pages, manuals and guides.", "depends_on": list(needs)}


def open_folder(folder: Path, question: str) -> RunFolder:
    """A run folder with a manifest, new or as it is."""
    run = RunFolder(folder)
    if not run.has("", "research"):
        manifest = ResearchManifest(
            run=run.id,
            created="2026-01-01T00:00:00+00:00",
            question=question,
            profile="offline",
            version="0",
            settings={},
        )
        run.write("", "research", manifest)
    return run


def make_shelf(folder: Path, embedder: Embedder) -> ProcedureShelf:
    """An index of pages that leaves nothing out, since the confidence is calibrated for another embedding."""
    settings = load("offline", environment={})
    rules = RulesLlm()
    return ProcedureShelf(
        open_index=lambda: Index.open(folder, embedder, settings.index),
        auditor=Auditor(rules),
        extraction=Extraction("test", Extractor(rules).extract),
        router=rules,
        settings=settings.retriever,
        least=0.0,
    )


def make_study(
    folder: Path,
    question: str,
    web: FakeWeb,
    *,
    llm: Llm | None = None,
    judges: tuple[Judge, ...] | None = None,
    human: bool = False,
    limits: BudgetLimits = PLENTY,
    embedder: Embedder | None = None,
    local: tuple[LocalProcedures, ...] = (),
    **research: Any,
) -> ResearchContext:
    """A study on a fake web; `research` are settings of that section."""
    person = {"judges": ["human"]} if human else {}
    settings = load("offline", {"research": research | person}, {}).research
    judges = () if human else judges
    run, embedder = open_folder(folder, question), embedder or WordEmbedder()
    budget = web.budget = RunBudget(limits)
    door = BudgetedLlm(llm or RulesLlm(), budget, RulesLlm())
    searches, sources = Searches(run, ReadyEngines((web,)), budget), Sources(run, web, PlainParser())
    agents = {}
    shelf = make_shelf(folder / "procedures", embedder)
    for one in capabilities():
        reader: SourceReader = (
            PictureReader(door, sources, settings.images) if one.name == "image" else PageReader(sources)
        )
        agents[one.name] = SearchingAgent(one, door, embedder, searches, reader, sources, shelf, settings, local)
    return ResearchContext(
        run=run,
        question=question,
        llm=door,
        planner=Planner(door, settings.subtasks),
        selector=Selector(embedder, settings.floor, settings.margin),
        agents=agents,
        writer=Writer(door, settings.facts),
        judges=(RubricJudge("rules", RulesLlm(), settings.weights),) if judges is None else judges,
        budget=budget,
        settings=settings,
        searched="",
        page="now",
    )
