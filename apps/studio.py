"""The graphs as LangGraph Studio and `langgraph dev` load them, and the checkpointer that the server gives them.

This is the one place that gives the graphs of a server their context. A client can send JSON only, so each graph is
compiled with a default context over what this process keeps open (`apps/compose/served.py`), and a client sets single
fields of it, such as `operator`. Nothing is opened before a run needs it: schemas and drawings need nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph_sdk.runtime import ServerRuntime

from soprag.apps.compose import guided_run, served
from soprag.apps.compose.served_sessions import ServedTurns, served_database
from soprag.graphs.benchmark import BenchmarkContext, create_benchmark_builder
from soprag.graphs.benchmark.state import BenchmarkState
from soprag.graphs.checkpoints import open_served_checkpoints
from soprag.graphs.deepsearch import DeepSearchContext, create_researcher
from soprag.graphs.deepsearch.state import DeepSearchState
from soprag.graphs.flow import create_guided_run
from soprag.graphs.flow.graph import GuidedRun
from soprag.graphs.flow.state import FlowState
from soprag.graphs.knowledge import KnowledgeContext, create_knowledge_builder
from soprag.graphs.knowledge.state import KnowledgeState
from soprag.graphs.procedure import ProcedureContext, create_procedure
from soprag.graphs.procedure.graph import ProcedureGraph
from soprag.graphs.procedure.state import ProcedureState
from soprag.graphs.review import ReviewContext, create_question_review
from soprag.graphs.review.state import ReviewState
from soprag.graphs.run_states import RunStates
from soprag.graphs.troubleshoot import create_troubleshooter
from soprag.graphs.troubleshoot.graph import Troubleshooter
from soprag.graphs.troubleshoot.state import TroubleshootState
from soprag.tools.observe.spans import span

Graph = TypeVar("Graph")

benchmark = create_benchmark_builder(context=BenchmarkContext(runs=served.ServedBuilds()))
review = create_question_review(context=ReviewContext(runs=served.ServedReviews()))
deepsearch = create_researcher(context=DeepSearchContext(runs=served.ServedResearch()))
knowledge = create_knowledge_builder(context=KnowledgeContext(graph=served.ServedKnowledge()))

index = served.ServedIndex()
turns = ServedTurns()
_graphs: dict[str, object] = {}
_CHECKPOINTS = Path(".langgraph_api") / "checkpoints.sqlite"  # beside the threads that `langgraph dev` keeps


@asynccontextmanager
async def checkpoints() -> AsyncIterator[RunStates]:
    """The checkpoints of the server, from which only the types of our channels are restored."""
    await asyncio.to_thread(_CHECKPOINTS.parent.mkdir, exist_ok=True)
    database = served_database(await asyncio.to_thread(served.served_settings))
    states = (
        BenchmarkState,
        DeepSearchState,
        FlowState,
        KnowledgeState,
        ProcedureState,
        ReviewState,
        TroubleshootState,
    )
    async with open_served_checkpoints(database or _CHECKPOINTS, *states) as saver:
        yield saver


@asynccontextmanager
async def troubleshoot(runtime: ServerRuntime[Any], config: RunnableConfig) -> AsyncIterator[Troubleshooter]:
    """The troubleshooter on the index of this process."""
    if runtime.execution_runtime is None:
        yield _compiled("troubleshoot", create_troubleshooter)
        return
    context = await index.open()
    async with turns.hold(config, "troubleshoot"):
        with span("turn", client="server"):
            yield _compiled("troubleshoot at work", partial(create_troubleshooter, context=context))


@asynccontextmanager
async def flow(runtime: ServerRuntime[Any], config: RunnableConfig) -> AsyncIterator[GuidedRun]:
    """The guided run of any SOP of the index; its input is the id of the SOP."""
    if runtime.execution_runtime is None:
        yield _compiled("flow", create_guided_run)
        return
    context = await index.open()
    async with turns.hold(config, "flow"):
        with span("turn", client="server"):
            yield _compiled("flow at work", partial(create_guided_run, context=context))


def _compiled(name: str, create: Callable[[], Graph]) -> Graph:
    """A graph, compiled once for this process: it takes longer than many a turn."""
    if name not in _graphs:
        _graphs[name] = create()
    return cast(Graph, _graphs[name])


@asynccontextmanager
async def procedure(config: RunnableConfig) -> AsyncIterator[ProcedureGraph]:
    """One SOP as a graph; which one is in the context of the assistant or of the run, for its steps are the nodes."""
    chosen = ProcedureContext.model_validate(config.get("configurable", {}))
    settings = await asyncio.to_thread(served.served_settings)
    yield create_procedure(plan=await asyncio.to_thread(guided_run.open_plan, settings, chosen.procedure))
