"""A small plant for the troubleshooter: an index of a few procedures, and conversations that a test can watch."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from soprag.agents.experts.flow import Flow
from soprag.agents.experts.quote import QuoteExpert
from soprag.agents.experts.retrieval import Retrieval
from soprag.agents.meta import Meta
from soprag.agents.reflection import Reflection
from soprag.agents.responder import Responder
from soprag.apps.compose import services
from soprag.apps.compose.index import extraction
from soprag.apps.compose.settings import open_settings
from soprag.configs.settings import Settings
from soprag.graphs.flow.context import GuideContext
from soprag.graphs.troubleshoot.context import AgentContext
from soprag.graphs.troubleshoot.graph import Troubleshooter, create_troubleshooter
from soprag.tools.history import StepRecord
from soprag.tools.protocols import Expert
from soprag.tools.retriever.answer.answer import Answerer
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.task import Llm
from tests.tools.rules.reading import sop

PUMP = """# Restart the coolant pump P-101

The coolant pump trips when its suction pressure is low.

> **WARNING:** The coupling starts without notice. Keep hands away.

1. Close the discharge valve V-12.
2. Read the suction pressure. It must be between 1.5 and 3.0 bar.
3. Is the strainer dirty?
   - If yes, go to step 4.
   - If no, go to step 5.
4. Clean the strainer S-7.
5. Press START on the local panel.
6. Send an e-mail to the shift lead that P-101 runs again.
"""
TYPE = """# Reset the exhaust fan, type {letter}

The exhaust fan of type {letter} stops on a thermal trip.

> **CAUTION:** The housing of fan {letter} is hot.

1. Open the cover of fan {letter}.
2. Press RESET for {seconds} s.
3. Close the cover of fan {letter}.
"""
PROCEDURES = {
    "pump": ("Restart the coolant pump P-101", PUMP),
    "fan-a": ("Reset the exhaust fan, type A", TYPE.format(letter="A", seconds=5)),
    "fan-b": ("Reset the exhaust fan, type B", TYPE.format(letter="B", seconds=9)),
}


def fill(folder: Path, procedures: Mapping[str, tuple[str, str]] = PROCEDURES) -> Settings:
    """An index of the procedures in `folder`, and the settings that name it."""
    options = {"index": {"folder": str(folder / "index")}, "run": {"cache": str(folder / "cache")}}
    settings = open_settings("offline", options)

    async def add() -> None:
        index = Index.open(Path(settings.index.folder), services.open_embedder(settings), settings.index)
        sops = [sop(body, title).model_copy(update={"id": id}) for id, (title, body) in procedures.items()]
        async for _ in index.add(sops, extraction(settings, RulesLlm())):
            pass
        index.close()

    asyncio.run(add())
    return settings


@dataclass
class Talk:
    """One thread; `said` is every message of the assistant, `events` the custom events."""

    graph: Troubleshooter
    thread: str = "one"
    events: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)

    @property
    def config(self) -> Any:
        return {"configurable": {"thread_id": self.thread}}

    async def say(self, text: str) -> dict[str, Any]:
        """A message; the structured part of the last answer, or the request that waits."""
        return await self._run({"messages": [HumanMessage(text)]})

    async def reply(self, message: str) -> dict[str, Any]:
        """A reply to a step in the small language."""
        return await self.decide({"type": "respond", "message": message})

    async def decide(self, decision: dict[str, Any]) -> dict[str, Any]:
        return await self._run(Command(resume={"decisions": [decision]}))

    async def values(self) -> dict[str, Any]:
        return dict((await self.graph.aget_state(self.config)).values)

    async def history(self) -> list[StepRecord]:
        return list((await self.values())["history"])

    async def texts(self) -> list[str]:
        return [str(message.text) for message in (await self.values())["messages"]]

    async def resume(self, value: Any) -> dict[str, Any]:
        """Whatever a client may send back."""
        return await self._run(Command(resume=value))

    async def waiting(self) -> dict[str, Any] | None:
        state = await self.graph.aget_state(self.config)
        [action] = [one.value["action_requests"][0] for one in state.interrupts] or [None]
        return action and {**action, "args": action.get("soprag") or action["args"]}

    async def _run(self, given: Any) -> dict[str, Any]:
        self.events, self.nodes = [], []
        async for part in self.graph.astream(given, self.config, stream_mode=["custom", "updates"], version="v2"):
            if part["type"] == "custom":
                self.events.append(part["data"])
            else:
                self.nodes += [name for name in part["data"] if not name.startswith("__")]
        waiting = await self.waiting()
        if waiting:
            return waiting
        last = (await self.values())["messages"][-1]
        return dict(last.additional_kwargs.get("soprag", {}))


@dataclass
class Plant:
    """An open index; conversations on it share everything but their thread."""

    settings: Settings
    sessions: Path
    index: Index
    desk: GuideContext

    def crew(
        self, llm: Llm, experts: Iterable[Expert] = (), approved: Iterable[str] = (), **limits: Any
    ) -> AgentContext:
        llm = services.with_fallback(llm)
        retriever = Retriever.open(self.index, llm, self.settings.retriever)
        retrieval = Retrieval(retriever.search_aside, Answerer(retriever, self.index, llm))
        allowed = self.settings.troubleshoot.model_copy(update=limits)
        embed, score = self.index.embedder.embed, allowed.passage_score
        quote = QuoteExpert(self.index.sop, self.desk.cursor, embed, score, lambda said: said.startswith("it is "))
        own = (retrieval, quote, Flow(self.desk.cursor))
        every: dict[str, Expert] = {expert.protocol.name: expert for expert in (*own, *experts)}
        return AgentContext(
            **dict(self.desk),
            llm=llm,
            meta=Meta(llm, tuple(one.protocol for one in every.values())),
            reflection=Reflection(llm, every, allowed.repairs_per_step, allowed.repairs),
            responder=Responder(retrieval),
            experts=every,
            limits=allowed,
            approved=frozenset(approved),
        )

    def talk(
        self, crew: AgentContext | None = None, thread: str = "one", saver: BaseCheckpointSaver[Any] | None = None
    ) -> Talk:
        made = crew or self.crew(RulesLlm())
        return Talk(create_troubleshooter(context=made, checkpointer=saver or InMemorySaver()), thread)
