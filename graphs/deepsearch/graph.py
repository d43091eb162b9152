"""DeepSearch (paper 001, Algorithm 1): plan, investigate*, write, judge, (confirm), decide, publish.

All subtasks start at once and each waits for its dependencies, so a subtask begins as soon as it can and not when the
slowest one of its level has ended. The state holds ids and numbers; results are files of the run folder.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Send, interrupt

from soprag.graphs.deepsearch import nodes as researching
from soprag.graphs.deepsearch.context import ResearchContext
from soprag.graphs.deepsearch.review import ReviewReply, heard, propose
from soprag.tools.publishing.research import publish_research

_PER_VERSION = 5  # investigate, write, judge, confirm, decide
RECURSION_LIMIT = 10 + 20 * _PER_VERSION  # research.versions is at most 20


class DeepSearchInput(TypedDict):
    """The input; without `run`, a new run folder is created."""

    question: str
    run: NotRequired[str]


class DeepSearchOutput(TypedDict):
    """The output: the run folder and the report."""

    run: str
    report: dict[str, Any]


class DeepSearchState(TypedDict):
    """The state: `open` are the subtasks to investigate, `version` counts reports from 1."""

    question: str
    run: NotRequired[str]
    open: list[str]
    version: int
    proposal: dict[str, Any]
    reply: dict[str, Any]
    report: dict[str, Any]


class OneSubtask(TypedDict):
    """The input of one fanned-out task."""

    run: str
    id: str


Compiled = CompiledStateGraph[DeepSearchState, None, DeepSearchInput, DeepSearchOutput]


@dataclass(frozen=True)
class DeepSearchNodes:
    """The nodes; `open_study` gives the collaborators of a run, `start` makes the folder of a new one."""

    open_study: Callable[[str], ResearchContext]
    start: Callable[[str], Path]

    async def plan(self, state: DeepSearchState) -> dict[str, Any]:
        """The question becomes subtasks."""
        run = state.get("run") or str(await asyncio.to_thread(self.start, state["question"]))
        study = await asyncio.to_thread(self.open_study, run)
        return {"run": run, "version": 1, "reply": {}, "open": await researching.plan(study, get_stream_writer())}

    async def investigate(self, state: OneSubtask) -> dict[str, Any]:
        """One subtask becomes evidence."""
        study = await asyncio.to_thread(self.open_study, state["run"])
        await researching.investigate(study, state["id"], get_stream_writer())
        return {}

    async def write(self, state: DeepSearchState) -> dict[str, Any]:
        """All evidence becomes a version of the report."""
        await researching.write(await self._study(state), state["version"])
        return {}

    async def judge(self, state: DeepSearchState) -> Command[Literal["confirm", "decide"]]:
        """The judges mark the version; a person among them is asked next."""
        study = await self._study(state)
        version = await researching.judge(study, state["version"], get_stream_writer())
        if "human" not in study.settings.judges or not version.sections or version.heard:
            return Command(goto="decide")
        return Command(goto="confirm", update={"proposal": propose(study.question, version)})

    def confirm(self, state: DeepSearchState) -> dict[str, Any]:
        """A person approves the version, or says what is missing. This node does nothing else: it is run again."""
        reply = interrupt(state["proposal"], response_schema=ReviewReply)
        return {"reply": ReviewReply.model_validate(reply).model_dump(mode="json")}

    async def decide(self, state: DeepSearchState) -> Command[Literal["investigate", "write", "publish"]]:
        """Publish a version that is good enough or the last; otherwise run new subtasks or write the next version."""
        study, number = await self._study(state), state["version"]
        if state.get("reply"):
            await researching.hear(study, number, heard(ReviewReply.model_validate(state["reply"])))
        if await asyncio.to_thread(researching.finished, study, number):
            return Command(goto="publish")
        added = await researching.extend(study, number, get_stream_writer())
        update = {"version": number + 1, "open": added, "reply": {}}
        return Command(goto=_sends(state["run"], added) or "write", update=update)

    async def publish(self, state: DeepSearchState) -> dict[str, Any]:
        """The best version becomes the report."""
        study = await self._study(state)
        await researching.keep_ledger(study)
        report = await asyncio.to_thread(publish_research, study.run, study.searched, study.llm.spent)
        return {"report": report.model_dump(mode="json")}

    async def _study(self, state: DeepSearchState) -> ResearchContext:
        return await asyncio.to_thread(self.open_study, state["run"])


def build(nodes: DeepSearchNodes) -> StateGraph[DeepSearchState, None, DeepSearchInput, DeepSearchOutput]:
    """The graph, not yet compiled."""
    graph = StateGraph(DeepSearchState, input_schema=DeepSearchInput, output_schema=DeepSearchOutput)
    graph.add_node("plan", nodes.plan)
    graph.add_node("investigate", nodes.investigate, input_schema=OneSubtask)
    graph.add_node("write", nodes.write)
    graph.add_node("judge", nodes.judge)
    graph.add_node("confirm", nodes.confirm)
    graph.add_node("decide", nodes.decide)
    graph.add_node("publish", nodes.publish)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", lambda state: _sends(state["run"], state["open"]), ["investigate"])
    graph.add_edge("investigate", "write")
    graph.add_edge("write", "judge")
    graph.add_edge("confirm", "decide")
    graph.add_edge("publish", END)
    return graph


def compile_graph(nodes: DeepSearchNodes, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Compiled:
    """The runnable graph; without a checkpointer for LangGraph Studio, which brings its own."""
    return (
        build(nodes).compile(checkpointer=checkpointer, name="deepsearch").with_config(recursion_limit=RECURSION_LIMIT)
    )


def _sends(run: str, ids: list[str]) -> list[Send]:
    return [Send("investigate", OneSubtask(run=run, id=id)) for id in ids]
