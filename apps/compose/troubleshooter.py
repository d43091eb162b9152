"""The troubleshooter composed: settings and an index become the context of its graph, with a folder a session.

async with open_conversation(settings, folder) as session:
    await session.graph.ainvoke({"messages": [HumanMessage("the pump tripped")]}, session.config)
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.compose import guided_run, services
from soprag.apps.compose.index import open_index
from soprag.apps.compose.knowledge import lazily_asked
from soprag.apps.compose.settings import answer_window, cache_folder
from soprag.configs.settings import Settings

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from soprag.graphs.flow.context import GuideContext
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.graphs.troubleshoot.graph import Troubleshooter
    from soprag.tools.llm import Llm
    from soprag.tools.protocols import Expert
    from soprag.tools.retriever.index.index import Index

CHECKPOINTS = "checkpoint.sqlite"


@dataclass(frozen=True)
class Session:
    """One thread of the graph with its session folder; its id is the folder's name."""

    graph: "Troubleshooter"
    context: "AgentContext"
    index: "Index"
    folder: Path

    @property
    def config(self) -> "RunnableConfig":
        """What names the thread to LangGraph."""
        return {"configurable": {"thread_id": self.folder.name}}


@asynccontextmanager
async def open_conversation(settings: Settings, folder: Path) -> "AsyncIterator[Session]":
    """The conversation kept in `folder`, begun or gone on with; the index is that of the settings."""
    from soprag.graphs.checkpoints import open_checkpoints
    from soprag.graphs.flow.state import FlowState
    from soprag.graphs.troubleshoot import create_troubleshooter
    from soprag.graphs.troubleshoot.state import TroubleshootState

    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    with closing(await asyncio.to_thread(open_index, settings)) as index:
        context = await open_agent(settings, index, folder.parent)
        async with open_checkpoints(folder / CHECKPOINTS, TroubleshootState, FlowState) as saver:
            yield Session(create_troubleshooter(context=context, checkpointer=saver), context, index, folder)


async def open_agent(
    settings: Settings, index: "Index", sessions: Path | None, llm: "Llm | None" = None
) -> "AgentContext":
    """The context of all conversations on one index.

    `sessions` is the folder where the logbook and the drafts of each thread are kept; `llm` replaces the model that the
    settings name.
    """
    guide = await guided_run.open_guide(settings, index, sessions)
    return await asyncio.to_thread(_agent, settings, index, guide, llm)


def _agent(settings: Settings, index: "Index", guide: "GuideContext", llm: "Llm | None") -> "AgentContext":
    from soprag.agents.experts import search
    from soprag.agents.experts.flow import Flow
    from soprag.agents.experts.knowledge import KnowledgeExpert
    from soprag.agents.experts.quote import QuoteExpert
    from soprag.agents.experts.retrieval import Retrieval
    from soprag.agents.meta import Meta
    from soprag.agents.reflection import Reflection
    from soprag.agents.responder import Responder
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.tools.retriever.answer.answer import Answerer
    from soprag.tools.retriever.query.retriever import Retriever

    model = llm or services.open_llm(settings)
    llm = services.rules_first(services.with_fallback(model))
    calculating = _calculating(settings, services.rules_first(model))  # they report a failed model
    retriever = Retriever.open(index, llm, settings.retriever)
    retrieval = Retrieval(retriever.search_aside, Answerer(retriever, index, llm, answer_window(settings)))
    score = settings.troubleshoot.passage_score
    quote = QuoteExpert(index.sop, guide.cursor, index.embedder.embed, score, _reports(index))
    across = KnowledgeExpert(lazily_asked(settings, index))
    plant: tuple[Expert, ...] = (retrieval, quote, across, Flow(guide.cursor))
    every = (*plant, *calculating, *_searching(settings))
    experts = {expert.protocol.name: expert for expert in every}
    limits = settings.troubleshoot
    return AgentContext(
        **dict(guide),
        llm=llm,
        meta=Meta(llm, tuple(expert.protocol for expert in experts.values())),
        reflection=Reflection(llm, experts, limits.repairs_per_step, limits.repairs),
        responder=Responder(retrieval),
        experts=experts,
        limits=limits,
        approved=frozenset({search.NAME} if limits.search == "ask" else ()),
    )


def _reports(index: "Index") -> Callable[[str], bool]:
    """Whether a message reports a state; with another embedding than the fitted one nothing is taken for a report."""
    from soprag.tools.retriever.query.purpose import FITTED_TO, fitted_purpose

    if index.model_name != FITTED_TO:
        return lambda message: False
    return lambda message: fitted_purpose().is_report(message, index.embedder.embed([message])[0])


def _calculating(settings: Settings, llm: "Llm") -> "tuple[Expert, ...]":
    """The experts of mathematics and of code; without a model nobody writes programs."""
    from soprag.agents.experts.code import CodeExpert
    from soprag.agents.experts.math import MathExpert
    from soprag.tools.knowledge.toolbox_skeletons import describe_functions
    from soprag.tools.math.toolbox import host_tools
    from soprag.tools.sandbox import open_sandbox

    sandbox = open_sandbox(settings.sandbox, cache_folder(settings), host_tools())
    math = MathExpert(llm, sandbox, reads_failures=llm.name != "rules")
    return (math,) if llm.name == "rules" else (math, CodeExpert(llm, sandbox, describe_functions))


def _searching(settings: Settings) -> "tuple[Expert, ...]":
    """The web, where it is allowed and there is an engine for it."""
    from soprag.agents.experts.search import Search
    from soprag.tools.search.registry import open_engines

    if settings.troubleshoot.search == "off":
        return ()
    engine = open_engines(settings.search, cache_folder(settings)).for_kind("web")
    return (Search(engine),) if engine else ()
