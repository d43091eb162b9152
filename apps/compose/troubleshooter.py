"""The troubleshooter composed: settings and an index become a crew, a crew and a session folder a conversation.

chat, ask and LangGraph Studio all come through here:

    async with open_conversation(settings, folder) as conversation:
        async for part in conversation.stream(HumanMessage("the pump tripped")): ...
        conversation.waiting                     # the request a person has to decide, or None
        async for part in conversation.resume({"decisions": [{"type": "approve"}]}): ...
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soprag.apps.compose import components, guided_run
from soprag.configs.settings import Settings

if TYPE_CHECKING:
    from langchain_core.messages import HumanMessage

    from soprag.graphs.flow.context import GuideContext
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.graphs.troubleshoot.graph import Compiled
    from soprag.tools.llm import Llm
    from soprag.tools.protocols import Expert
    from soprag.tools.retriever.index.index import Index

CHECKPOINTS = "checkpoint.sqlite"


@dataclass(frozen=True)
class Session:
    """One thread of the graph with its session folder; its id is the folder's name."""

    graph: "Compiled"
    crew: "AgentContext"
    folder: Path

    @property
    def config(self) -> Any:  # noqa: ANN401 - a RunnableConfig, whose import takes a second
        """What names the thread to LangGraph."""
        return {"configurable": {"thread_id": self.folder.name}}

    def stream(self, message: "HumanMessage") -> "AsyncIterator[dict[str, Any]]":
        """A turn, as `{"type", "ns", "data"}` parts of the modes `custom` and `updates`."""
        return self._stream({"messages": [message]})

    def resume(self, decisions: dict[str, Any]) -> "AsyncIterator[dict[str, Any]]":
        """The turn goes on with what the person decided."""
        from langgraph.types import Command

        return self._stream(Command(resume=decisions))

    async def waiting(self) -> dict[str, Any] | None:
        """What a person has to decide before the turn goes on."""
        state = await self.graph.aget_state(self.config)
        return next((interrupt.value for interrupt in state.interrupts), None)

    async def values(self) -> dict[str, Any]:
        """The state as it is now."""
        return dict((await self.graph.aget_state(self.config)).values)

    def _stream(self, graph_input: Any) -> "AsyncIterator[dict[str, Any]]":  # noqa: ANN401 - a message or a Command
        # "exit": one checkpoint when the turn ends or waits, so that a session does not grow with every node.
        return self.graph.astream(  # type: ignore[return-value]
            graph_input, self.config, stream_mode=["custom", "updates"], version="v2", durability="exit"
        )


@asynccontextmanager
async def open_conversation(settings: Settings, folder: Path) -> "AsyncIterator[Session]":
    """The conversation kept in `folder`, begun or gone on with; the index is that of the settings."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    from soprag.graphs.flow.graph import compile_mounted
    from soprag.graphs.troubleshoot.graph import TroubleshootNodes, compile_graph

    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    index = await asyncio.to_thread(open_index, settings)
    try:
        desk = await guided_run.open_desk(settings, index, folder.parent)
        crew = await asyncio.to_thread(open_crew, settings, index, desk)
        async with AsyncSqliteSaver.from_conn_string(str(folder / CHECKPOINTS)) as saver:
            graph = compile_graph(TroubleshootNodes(lambda: crew), compile_mounted(desk), saver)
            yield Session(graph, crew, folder)
    finally:
        index.close()


def open_index(settings: Settings) -> "Index":
    """The index of these settings; raises `UsageError` when there is none."""
    from soprag.tools.retriever.index.index import Index

    embedder = components.open_embedder(settings)
    return Index.open(Path(settings.index.folder), embedder, settings.index, create=False)


def open_crew(settings: Settings, index: "Index", desk: "GuideContext", llm: "Llm | None" = None) -> "AgentContext":
    """The collaborators of all conversations on one index; `llm` in place of the one the settings name."""
    from soprag.agents.experts import search
    from soprag.agents.experts.flow import Flow
    from soprag.agents.experts.retrieval import Retrieval
    from soprag.agents.meta import Meta
    from soprag.agents.reflection import Reflection
    from soprag.agents.responder import Responder
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.tools.retriever.answer.answer import Answerer
    from soprag.tools.retriever.query.retriever import Retriever

    model = llm or components.open_llm(settings)
    llm = components.with_fallback(model)  # the experts of calculation report a failed model instead
    window = 0 if settings.llm.model == "rules" else settings.llm.max_input_characters
    retriever = Retriever.open(index, llm, settings.retriever)
    retrieval = Retrieval(retriever.search_aside, Answerer(retriever, index, llm, window))
    every: tuple[Expert, ...] = (retrieval, Flow(desk.cursor), *_calculating(settings, model), *_searching(settings))
    experts = {expert.protocol.name: expert for expert in every}
    limits = settings.troubleshoot
    return AgentContext(
        llm=llm,
        meta=Meta(llm, tuple(expert.protocol for expert in experts.values())),
        reflection=Reflection(llm, experts, limits.repairs_per_step, limits.repairs),
        responder=Responder(retrieval),
        experts=experts,
        limits=limits,
        log=desk.log,
        approved=frozenset({search.NAME} if limits.search == "ask" else ()),
    )


def _calculating(settings: Settings, llm: "Llm") -> "tuple[Expert, ...]":
    """The experts of mathematics and of code; without a model nobody writes programs."""
    from soprag.agents.experts.code import CodeExpert
    from soprag.agents.experts.math import MathExpert
    from soprag.tools.math.toolbox import host_tools
    from soprag.tools.sandbox import open_sandbox

    sandbox = open_sandbox(settings.sandbox, components.cache_folder(settings), host_tools())
    math = MathExpert(llm, sandbox)
    return (math,) if llm.name == "rules" else (math, CodeExpert(llm, sandbox))


def _searching(settings: Settings) -> "tuple[Expert, ...]":
    """The web, where it is allowed and there is an engine for it."""
    from soprag.agents.experts.search import Search
    from soprag.tools.search.registry import open_engines

    if settings.troubleshoot.search == "off":
        return ()
    engine = open_engines(settings.search, components.cache_folder(settings)).for_kind("web")
    return (Search(engine),) if engine else ()


@cache
def studio_graph() -> "Compiled":
    """The graph of this process (LangGraph Studio and its server), on the index of the environment's settings."""
    from soprag.apps import process
    from soprag.graphs.flow.graph import compile_mounted
    from soprag.graphs.troubleshoot.graph import TroubleshootNodes, compile_graph

    process.prepare()
    settings = components.open_settings(components.choose_profile(None), {})
    index = open_index(settings)
    desk = asyncio.run(guided_run.open_desk(settings, index, Path(settings.chat.folder)))
    crew = open_crew(settings, index, desk)
    return compile_graph(TroubleshootNodes(lambda: crew), compile_mounted(desk))
