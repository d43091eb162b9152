"""The graphs as LangGraph Studio and `langgraph dev` load them: compiled, without a checkpointer of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.runnables import RunnableConfig

from apps import compose, guiding, process, studies, troubleshooting
from graphs import deepsearch as research
from graphs.benchmark import Nodes, Request, compile_graph

if TYPE_CHECKING:
    from graphs.flow import Compiled as Guided
    from graphs.procedure import Compiled as Procedure
    from graphs.troubleshoot import Compiled


def _start(request: Request) -> Path:
    process.prepare()
    profile = compose.choose_profile(None)
    settings = compose.open_settings(profile, {})
    return compose.start_run(request["topic"], request.get("source", ""), profile, settings).path


def _start_research(question: str) -> Path:
    process.prepare()
    profile = compose.choose_profile(None)
    return studies.start_research(question, profile, compose.open_settings(profile, {})).path


benchmark = compile_graph(Nodes(compose.studio_workshop, _start))
deepsearch = research.compile_graph(research.Nodes(studies.studio_study, _start_research))


@asynccontextmanager
async def troubleshoot() -> "AsyncIterator[Compiled]":
    """The troubleshooter on the index that the settings name; it is opened when the graph is first asked for."""
    yield await asyncio.to_thread(troubleshooting.studio_graph)


@asynccontextmanager
async def flow() -> "AsyncIterator[Guided]":
    """The guided run of any SOP of the index; its input is the id of the SOP."""
    yield await asyncio.to_thread(guiding.studio_graph)


@asynccontextmanager
async def procedure(config: RunnableConfig) -> "AsyncIterator[Procedure]":
    """One SOP as a graph: the one that `configurable.procedure` names, else the first of the index, else an example."""
    id = str(config.get("configurable", {}).get("procedure") or "")
    yield await asyncio.to_thread(guiding.studio_procedure, id)
