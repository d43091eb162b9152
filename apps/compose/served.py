"""What a server process opens once and keeps for all its clients: an index, and the run folders that were asked for."""

import asyncio
import logging
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from soprag.apps import process
from soprag.apps.compose import benchmark, knowledge, local_sources, research, troubleshooter
from soprag.apps.compose.example_index import build_example_index, choose_index, example_is_built, has_index
from soprag.apps.compose.index import open_index
from soprag.apps.compose.served_sessions import served_records
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.configs.settings import Settings
from soprag.tools.errors import UsageError
from soprag.tools.research.records import ResearchManifest
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.text import language

if TYPE_CHECKING:
    from soprag.graphs.benchmark.context import BuildContext
    from soprag.graphs.deepsearch.context import ResearchContext
    from soprag.graphs.knowledge.context import KnowledgeWork
    from soprag.graphs.troubleshoot.context import AgentContext

_log = logging.getLogger(__name__)


def served_settings(profile: str = "") -> Settings:
    """The settings of this process, of a profile that a client may name; it blocks."""
    _prepare()
    return open_settings(choose_profile(profile or None), {})


@dataclass
class ServedBuilds:
    """The run folders of the benchmark builder."""

    opened: "dict[str, BuildContext]" = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def start(self, topic: str, source: str, profile: str) -> Path:
        """Make the folder of a new run; raises `UsageError` when `source` is no folder."""
        if source and not Path(source).is_dir():
            raise UsageError(f"There is no folder {source!r}; give an existing one as `source`.")
        chosen = choose_profile(profile or None)
        return benchmark.start_run(topic, source, chosen, served_settings(profile)).path

    def open(self, run: str) -> "BuildContext":
        """The collaborators of a run."""
        with self.lock:
            if run not in self.opened:
                self.opened[run] = benchmark.open_build(_existing(run, "run.json"))
            return self.opened[run]


@dataclass(frozen=True)
class ServedReviews:
    """The run folders whose questions are reviewed."""

    def folder(self, run: str) -> RunFolder:
        """The folder of a run; raises `UsageError` when it is none."""
        return _existing(run, "run.json")


@dataclass
class ServedResearch:
    """The run folders of DeepSearch."""

    opened: "dict[str, ResearchContext]" = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def start(self, question: str, profile: str) -> Path:
        """Make the folder of a new run."""
        chosen = choose_profile(profile or None)
        return research.start_research(question, chosen, served_settings(profile)).path

    def open(self, run: str) -> "ResearchContext":
        """The collaborators of a run."""
        with self.lock:
            if run not in self.opened:
                folder = _existing(run, "research.json")
                _prepare_library(Settings.model_validate(folder.read("", "research", ResearchManifest).settings))
                self.opened[run] = research.standing_research(folder)
            return self.opened[run]


@dataclass
class ServedIndex:
    """The index that the settings name; where there is none, that of the example library, as in the chat."""

    context: "AgentContext | None" = None
    failed: bool = False  # the last time that the server tried to open it
    lock: Lock = field(default_factory=Lock)

    async def open(self) -> "AgentContext":
        """The context over the index; it is opened with the first run."""
        if self.context is not None:
            return self.context
        return await asyncio.to_thread(self._open)  # the server allows no blocking call in its loop

    def _open(self) -> "AgentContext":
        with self.lock:
            if self.context is None:
                settings = with_index(served_settings())
                index = open_index(settings)
                context = asyncio.run(troubleshooter.open_agent(settings, index, Path(settings.chat.folder)))
                served = {"form": "markdown", "pages": settings.chat.pages, "record": served_records(settings)}
                self.context = context.model_copy(update=served)
            return self.context


@dataclass
class ServedKnowledge:
    """The knowledge graph of that index."""

    work: "KnowledgeWork | None" = None
    lock: Lock = field(default_factory=Lock)

    def open(self) -> "KnowledgeWork":
        """The collaborators of the builder; the index is opened with the first run."""
        with self.lock:
            if self.work is None:
                settings = with_index(served_settings())
                self.work = knowledge.open_work(settings, knowledge.open_knowledge(settings, open_index(settings)))
            return self.work


def with_index(settings: Settings) -> Settings:
    """The settings with an index that exists.

    The index of the example library is made in a process of its own: the server allows no blocking call in any event
    loop of its process.
    """
    if has_index(settings) or example_is_built(settings):
        return choose_index(settings, _log.warning, _ignore)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(choose_index, settings, _log.warning, _ignore).result()


def _prepare_library(settings: Settings) -> None:
    """Index the example library, in a process of its own, where a run searches it and it is not indexed yet."""
    online = research.is_online(settings)
    if local_sources.LIBRARY in local_sources.local_names(settings, online) and not example_is_built(settings):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            pool.submit(build_example_index, settings, _ignore).result()


def _ignore(event: dict[str, Any]) -> None:
    """Progress of indexing, which no client of a server watches."""


def _prepare() -> None:
    """Prepare the process; what reads files at its first use is read here, in a thread."""
    process.prepare()
    language.load()


def _existing(run: str, manifest: str) -> RunFolder:
    _prepare()
    if not (Path(run) / manifest).is_file():
        raise UsageError(f"{run!r} is no run folder; leave `run` out to begin a new one.")
    return RunFolder(Path(run))
