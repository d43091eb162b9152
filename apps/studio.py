"""The graphs as LangGraph Studio and `langgraph dev` load them, and the one place that gives them their context.

A client of the server can send JSON only, so each graph is compiled with a default context of this process. The index
is opened with the first run and stays open; drawings and schemas need none. Without an index the example library is
searched, as in the chat.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import RunnableConfig
from langgraph_sdk.runtime import ServerRuntime

from soprag.apps import process
from soprag.apps.compose import guided_run, troubleshooter
from soprag.apps.compose import research as studies
from soprag.apps.compose.benchmark import start_run, studio_workshop
from soprag.apps.compose.example_index import choose_index
from soprag.apps.compose.index import open_index
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.configs.settings import Settings
from soprag.graphs.benchmark.graph import BenchmarkInput, BenchmarkNodes, compile_graph
from soprag.graphs.deepsearch import graph as research
from soprag.graphs.procedure import ProcedureContext

if TYPE_CHECKING:
    from soprag.graphs.flow.graph import GuidedRun
    from soprag.graphs.procedure.graph import ProcedureGraph
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.graphs.troubleshoot.graph import Troubleshooter

_log = logging.getLogger(__name__)


def _start(request: BenchmarkInput) -> Path:
    process.prepare()
    profile = choose_profile(None)
    settings = open_settings(profile, {})
    return start_run(request["topic"], request.get("source", ""), profile, settings).path


def _start_research(question: str) -> Path:
    process.prepare()
    profile = choose_profile(None)
    return studies.start_research(question, profile, open_settings(profile, {})).path


benchmark = compile_graph(BenchmarkNodes(studio_workshop, _start))
deepsearch = research.compile_graph(research.DeepSearchNodes(studies.studio_study, _start_research))


@dataclass
class ServedIndex:
    """The context over the index of this process, opened once."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    context: "AgentContext | None" = None

    async def open(self) -> "AgentContext":
        """The context, on the index that the settings name or on that of the example library."""
        async with self.lock:
            if self.context is None:
                settings = await asyncio.to_thread(_settings_with_index)
                index = await asyncio.to_thread(open_index, settings)
                self.context = await troubleshooter.open_agent(settings, index, Path(settings.chat.folder))
            return self.context


SERVED = ServedIndex()


def _settings() -> Settings:
    process.prepare()
    return open_settings(choose_profile(None), {})


def _settings_with_index() -> Settings:
    """The settings with an index that exists; that of the example library is made where it is missing."""
    return choose_index(_settings(), _log.warning, lambda event: None)


@asynccontextmanager
async def troubleshoot(runtime: "ServerRuntime[Any]") -> "AsyncIterator[Troubleshooter]":
    """The troubleshooter; only a run needs its index."""
    from soprag.graphs.troubleshoot import create_troubleshooter

    yield create_troubleshooter(context=await SERVED.open() if runtime.execution_runtime else None)


@asynccontextmanager
async def flow(runtime: "ServerRuntime[Any]") -> "AsyncIterator[GuidedRun]":
    """The guided run of any SOP of the index."""
    from soprag.graphs.flow import create_guided_run

    yield create_guided_run(context=await SERVED.open() if runtime.execution_runtime else None)


@asynccontextmanager
async def procedure(config: RunnableConfig) -> "AsyncIterator[ProcedureGraph]":
    """One SOP as a graph: the one that the context of the assistant or of the run names."""
    from soprag.graphs.procedure import create_procedure

    chosen = ProcedureContext.model_validate(config.get("configurable", {}))
    settings = await asyncio.to_thread(_settings)
    yield create_procedure(plan=await asyncio.to_thread(guided_run.open_plan, settings, chosen.procedure))
