"""Research composed: settings become engines, agents and judges, with a run folder the context of a run."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.compose import services
from soprag.apps.compose.settings import cache_folder, input_window
from soprag.apps.runs import new_run
from soprag.configs.settings import Settings
from soprag.tools.errors import ConfigError
from soprag.tools.research.records import ResearchManifest
from soprag.tools.store.run_folder import RunFolder

if TYPE_CHECKING:
    from soprag.agents.deepsearch.judge import Judge
    from soprag.agents.deepsearch.searcher import SearchingAgent
    from soprag.graphs.deepsearch.context import ResearchContext
    from soprag.tools.embedding import Embedder
    from soprag.tools.research.budgeted import BudgetedLlm
    from soprag.tools.research.records import AgentName
    from soprag.tools.research.search_log import EngineChoice, Searches
    from soprag.tools.research.sources import Fetches, Sources
    from soprag.tools.web.budget import RunBudget
    from soprag.tools.web.guard import Resolver
    from soprag.tools.web.outcome import Fetched

OFFLINE = (
    "No web search was made: the embedded library was searched. For the web, set SERPAPI_API_KEY, or use "
    "--search keyless."
)


def start_research(question: str, profile: str, settings: Settings, folder: Path | None = None) -> RunFolder:
    """A new run folder with its manifest: `folder`, or one named after question and time below `run.folder`."""
    run = new_run(f"research {question}", Path(settings.run.folder), folder)
    manifest = ResearchManifest(
        run=run.id,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        question=question,
        profile=profile,
        version=version("soprag"),
        settings=settings.model_dump(mode="json"),
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

    async with AsyncExitStack() as stack:
        budget = _budget(run, settings)
        fetcher = None
        if _is_online(settings):
            fetcher = await stack.enter_async_context(open_fetcher(settings.web, resolver=resolver, budget=budget))
        yield _research(run, settings, budget, fetcher)


def standing_research(run: RunFolder) -> "ResearchContext":
    """The collaborators of a run in a process that serves many: its connections stay open as long as the process."""
    settings = Settings.model_validate(run.read("", "research", ResearchManifest).settings)
    budget = _budget(run, settings, behind=True)
    return _research(run, settings, budget, StandingFetcher(settings, budget) if _is_online(settings) else None)


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


def _is_online(settings: Settings) -> bool:
    from soprag.tools.search.registry import which

    return which(settings.search) != "none"


def _research(run: RunFolder, settings: Settings, budget: "RunBudget", fetcher: "Fetches | None") -> "ResearchContext":
    """Everything put together; without a fetcher the embedded library is searched."""
    from soprag.agents.archivist import Archivist
    from soprag.agents.deepsearch.planner import Planner
    from soprag.agents.deepsearch.selector import Selector
    from soprag.agents.deepsearch.writer import Writer
    from soprag.graphs.deepsearch.context import ResearchContext
    from soprag.tools.research.budgeted import BudgetedLlm
    from soprag.tools.research.library import LibraryFetcher
    from soprag.tools.research.search_log import Searches
    from soprag.tools.research.sources import Sources

    folder = cache_folder(settings)
    embedder = services.open_embedder(settings)
    llm = BudgetedLlm(services.open_llm(settings), budget, services.open_rules())
    searches = Searches(run, _engines(settings, embedder, fetcher is not None), budget)
    sources = Sources(run, fetcher or LibraryFetcher(), Archivist(settings.parsing, folder))
    research = settings.research
    return ResearchContext(
        run=run,
        question=run.read("", "research", ResearchManifest).question,
        llm=llm,
        planner=Planner(llm, research.subtasks),
        selector=Selector(embedder, research.floor, research.margin),
        agents=_agents(settings, llm, embedder, searches, sources),
        writer=Writer(llm, research.facts),
        judges=_judges(settings, llm, budget),
        budget=budget,
        settings=research,
        searched="" if fetcher else OFFLINE,
        began=f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}",
    )


def _engines(settings: Settings, embedder: "Embedder", online: bool) -> "EngineChoice":
    from soprag.tools.research.library import LibraryEngine
    from soprag.tools.search.registry import ReadyEngines, open_engines

    if online:
        return open_engines(settings.search, cache_folder(settings))
    return ReadyEngines((LibraryEngine(embedder),))


_WHOLE_PAGES = 20_000  # characters of whole pages that one summary is written from, about 5,000 tokens


def _agents(
    settings: Settings, llm: "BudgetedLlm", embedder: "Embedder", searches: "Searches", sources: "Sources"
) -> "dict[AgentName, SearchingAgent]":
    from soprag.agents.deepsearch.capabilities import capabilities
    from soprag.agents.deepsearch.image import PictureReader
    from soprag.agents.deepsearch.searcher import SearchingAgent
    from soprag.agents.deepsearch.source_reader import PageReader, SourceReader

    room = min(_WHOLE_PAGES, input_window(settings))
    sees = settings.research.images and settings.llm.model != "rules"
    agents: dict[AgentName, SearchingAgent] = {}
    for capability in capabilities():
        reader: SourceReader = PictureReader(llm, sources, sees) if capability.name == "image" else PageReader(sources)
        agents[capability.name] = SearchingAgent(capability, llm, embedder, searches, reader, settings.research, room)
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
