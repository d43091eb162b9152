"""Research composed: settings become engines, agents and judges, with a run folder the context of a run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.compose import local_sources, services
from soprag.apps.compose.settings import cache_folder, input_window, recorded_settings
from soprag.apps.runs import new_run
from soprag.configs.settings import Settings
from soprag.tools.errors import ConfigError
from soprag.tools.research.records import ResearchManifest
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import ledger_page

if TYPE_CHECKING:
    from soprag.agents.deepsearch.judge import Judge
    from soprag.agents.deepsearch.local_procedures import LocalProcedures
    from soprag.agents.deepsearch.procedure_shelf import ProcedureShelf
    from soprag.agents.deepsearch.searcher import SearchingAgent
    from soprag.graphs.deepsearch.context import ResearchContext
    from soprag.tools.embedding import Embedder
    from soprag.tools.research.budgeted import BudgetedLlm
    from soprag.tools.research.records import AgentName
    from soprag.tools.research.search_log import EngineChoice, Searches
    from soprag.tools.research.sources import Fetches, Sources
    from soprag.tools.web.budget import RunBudget
    from soprag.tools.web.guard import Resolver
    from soprag.tools.web.html_reader import HtmlReader
    from soprag.tools.web.outcome import Fetched


def start_research(question: str, profile: str, settings: Settings, folder: Path | None = None) -> RunFolder:
    """A new run folder with its manifest: `folder`, or one named after question and time below `run.folder`."""
    run = new_run(f"research {question}", Path(settings.run.folder), folder)
    manifest = ResearchManifest(
        run=run.id,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        question=question,
        profile=profile,
        version=version("soprag"),
        settings=recorded_settings(settings),
    )
    run.write("", "research", manifest)
    return run


def check(settings: Settings) -> None:
    """Raise `ConfigError` for what would stop a run at its beginning, before there is a folder for it."""
    from soprag.tools.search.registry import open_engines

    open_engines(settings.search, cache_folder(settings))
    if "reward" in settings.research.judges and not settings.research.reward_url:
        raise ConfigError("A reward model is to judge: set research.reward_url to its server.")


@asynccontextmanager
async def open_research(
    run: RunFolder, settings: Settings, resolver: "Resolver | None" = None
) -> AsyncIterator["ResearchContext"]:
    """The collaborators of a run for as long as the block runs; its connections are closed after it.

    `resolver` replaces the system's name service.
    """
    from soprag.tools.web.fetcher import open_fetcher
    from soprag.tools.web.html_reader import open_html_reader

    async with AsyncExitStack() as stack:
        budget = _budget(run, settings)
        web = None
        if is_online(settings):
            fetcher = await stack.enter_async_context(open_fetcher(settings.web, resolver=resolver, budget=budget))
            web = WebReaders(fetcher, await stack.enter_async_context(open_html_reader(settings.web)))
        local = stack.enter_context(ExitStack())
        yield await asyncio.to_thread(_research, run, settings, budget, web, local)


def standing_research(run: RunFolder) -> "ResearchContext":
    """The collaborators of a run in a process that serves many: its connections stay open as long as the process."""
    settings = Settings.model_validate(run.read("", "research", ResearchManifest).settings)
    budget = _budget(run, settings, behind=True)
    web = WebReaders(StandingFetcher(settings, budget)) if is_online(settings) else None
    return _research(run, settings, budget, web, ExitStack())


@dataclass(frozen=True)
class WebReaders:
    """Who fetches pages and who reads their links; without the second, links are not followed."""

    fetcher: "Fetches"
    links: "HtmlReader | None" = None


class NoWeb:
    """The fetcher of a run without the web: nothing is fetched."""

    async def fetch(self, url: str) -> "Fetched":
        """A refusal."""
        from soprag.tools.web.outcome import Fetched

        return Fetched(url=url, kind="blocked", reason="This run does not use the web.")


@dataclass
class StandingFetcher:
    """Opens its connections with the first page, and keeps them as long as the process lives."""

    settings: Settings
    budget: "RunBudget"
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _fetcher: "Fetches | None" = None

    async def fetch(self, url: str) -> "Fetched":
        """The page, or why not."""
        from soprag.tools.web.fetcher import open_fetcher

        if self._fetcher is None:
            context: AbstractAsyncContextManager[Fetches] = open_fetcher(self.settings.web, budget=self.budget)
            self._fetcher = await self._stack.enter_async_context(context)
        return await self._fetcher.fetch(url)


def _budget(run: RunFolder, settings: Settings, behind: bool = False) -> "RunBudget":
    from soprag.tools.research.spending import open_budget
    from soprag.tools.web.budget import BudgetLimits

    return open_budget(BudgetLimits.model_validate(settings.budget.model_dump()), run.path / "budget.sqlite", behind)


def is_online(settings: Settings) -> bool:
    """Whether a run with these settings searches the web."""
    from soprag.tools.search.registry import which

    return which(settings.search) != "none"


def _research(
    run: RunFolder, settings: Settings, budget: "RunBudget", web: WebReaders | None, stack: ExitStack
) -> "ResearchContext":
    """Everything put together; `stack` closes the local indexes. Without `web` only these are searched."""
    from soprag.agents.archivist import Archivist
    from soprag.agents.deepsearch.planner import Planner
    from soprag.agents.deepsearch.selector import Selector
    from soprag.agents.deepsearch.writer import Writer
    from soprag.graphs.deepsearch.context import ResearchContext
    from soprag.tools.research.budgeted import BudgetedLlm
    from soprag.tools.research.search_log import Searches
    from soprag.tools.research.sources import Sources

    folder = cache_folder(settings)
    embedder = services.open_embedder(settings)
    llm = BudgetedLlm(services.open_llm(settings), budget, services.open_rules())
    searches = Searches(run, _engines(settings, web is not None), budget)
    fetcher: Fetches = web.fetcher if web else NoWeb()
    sources = Sources(run, fetcher, Archivist(settings.parsing, folder), web.links if web else None)
    local = local_sources.open_local(settings, web is not None, services.open_rules(), stack)
    shared = AgentSources(searches, sources, _shelf(run, settings, embedder), local)
    research = settings.research
    return ResearchContext(
        run=run,
        question=run.read("", "research", ResearchManifest).question,
        llm=llm,
        planner=Planner(llm, research.subtasks),
        selector=Selector(embedder, research.floor, research.margin, research.agents),
        agents=_agents(settings, llm, embedder, shared),
        writer=Writer(llm, research.facts),
        judges=_judges(settings, llm, budget),
        budget=budget,
        settings=research,
        searched=local_sources.searched(settings, web is not None),
        page=ledger_page(),
    )


def _engines(settings: Settings, online: bool) -> "EngineChoice":
    from soprag.tools.search.registry import ReadyEngines, open_engines

    return open_engines(settings.search, cache_folder(settings)) if online else ReadyEngines(())


def _shelf(run: RunFolder, settings: Settings, embedder: "Embedder") -> "ProcedureShelf":
    """The index of the pages of a run, in its folder; pages are split and read by rules."""
    from soprag.agents.deepsearch.procedure_shelf import ProcedureShelf
    from soprag.apps.compose.index import extraction
    from soprag.tools.retriever.index.index import Index

    rules = services.open_rules()
    return ProcedureShelf(
        open_index=lambda: Index.open(run.path / "procedures", embedder, settings.index),
        auditor=services.open_auditor(settings, services.open_rules(settings)),
        extraction=extraction(settings, rules),
        router=rules,
        settings=settings.retriever,
        least=settings.research.confidence,
    )


@dataclass(frozen=True)
class AgentSources:
    """What all agents of a run share: searches, pages, the index of these pages, and the local indexes."""

    searches: "Searches"
    pages: "Sources"
    shelf: "ProcedureShelf"
    local: "tuple[LocalProcedures, ...]"


_WHOLE_PAGES = 20_000  # characters of whole procedures that one summary is written from, about 5,000 tokens


def _agents(
    settings: Settings, llm: "BudgetedLlm", embedder: "Embedder", shared: AgentSources
) -> "dict[AgentName, SearchingAgent]":
    from soprag.agents.deepsearch.capabilities import capabilities
    from soprag.agents.deepsearch.image import PictureReader
    from soprag.agents.deepsearch.searcher import SearchingAgent
    from soprag.agents.deepsearch.source_reader import PageReader, SourceReader

    room = min(_WHOLE_PAGES, input_window(settings))
    sees = settings.research.images and settings.llm.model != "rules"
    agents: dict[AgentName, SearchingAgent] = {}
    for capability in capabilities():
        pictures = capability.name == "image"
        reader: SourceReader = PictureReader(llm, shared.pages, sees) if pictures else PageReader(shared.pages)
        agents[capability.name] = SearchingAgent(
            capability=capability,
            llm=llm,
            embedder=embedder,
            searches=shared.searches,
            reader=reader,
            sources=shared.pages,
            shelf=shared.shelf,
            settings=settings.research,
            local=shared.local,
            room=room,
        )
    return agents


def _judges(settings: Settings, llm: "BudgetedLlm", budget: "RunBudget") -> "tuple[Judge, ...]":
    """The judges of the settings but the person, who is asked by the graph."""
    from soprag.agents.deepsearch.judge import RewardJudge, RubricJudge
    from soprag.tools.research.budgeted import BudgetedLlm
    from soprag.tools.research.reward import RewardModel

    research = settings.research
    judges: list[Judge] = []
    for name in dict.fromkeys(research.judges):
        if name == "rules":
            judges.append(RubricJudge(name, services.open_rules(), research.weights))
        elif name == "model":
            gold = llm
            if research.judge_model:
                model = settings.llm.model_copy(update={"model": research.judge_model})
                judge = services.open_llm(settings.model_copy(update={"llm": model}))
                gold = BudgetedLlm(judge, budget, services.open_rules())
            judges.append(RubricJudge(gold.name, gold, research.weights))
        elif name == "reward":
            judges.append(
                RewardJudge(
                    RewardModel(research.reward_url, research.reward_model, settings.llm.timeout), research.weights
                )
            )
    return tuple(judges)
