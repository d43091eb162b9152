"""The graphs as LangGraph Studio and `langgraph dev` load them: compiled, without a checkpointer of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.runnables import RunnableConfig

from soprag.apps import process
from soprag.apps.compose import components, guided_run, troubleshooter
from soprag.apps.compose import research as studies
from soprag.graphs.benchmark.graph import BenchmarkInput, BenchmarkNodes, compile_graph
from soprag.graphs.deepsearch import graph as research

if TYPE_CHECKING:
    from soprag.graphs.flow.graph import Compiled as Guided
    from soprag.graphs.procedure.graph import Compiled as Procedure
    from soprag.graphs.troubleshoot.graph import Compiled


def _start(request: BenchmarkInput) -> Path:
    process.prepare()
    profile = components.choose_profile(None)
    settings = components.open_settings(profile, {})
    return components.start_run(request["topic"], request.get("source", ""), profile, settings).path


def _start_research(question: str) -> Path:
    process.prepare()
    profile = components.choose_profile(None)
    return studies.start_research(question, profile, components.open_settings(profile, {})).path


benchmark = compile_graph(BenchmarkNodes(components.studio_workshop, _start))
deepsearch = research.compile_graph(research.DeepSearchNodes(studies.studio_study, _start_research))


@asynccontextmanager
async def troubleshoot() -> "AsyncIterator[Compiled]":
    """The troubleshooter on the index that the settings name; it is opened when the graph is first asked for."""
    yield await asyncio.to_thread(troubleshooter.studio_graph)


@asynccontextmanager
async def flow() -> "AsyncIterator[Guided]":
    """The guided run of any SOP of the index; its input is the id of the SOP."""
    yield await asyncio.to_thread(guided_run.studio_graph)


@asynccontextmanager
async def procedure(config: RunnableConfig) -> "AsyncIterator[Procedure]":
    """One SOP as a graph: the one that `configurable.procedure` names, else the first of the index, else an example."""
    id = str(config.get("configurable", {}).get("procedure") or "")
    yield await asyncio.to_thread(guided_run.studio_procedure, id)
