"""The benchmark builder: collect, archive*, merge, audit*, sample, examine*, publish (* = one task per item).

The state holds ids only. Every result is a file of the run folder, and a task whose file exists does nothing, so an
interrupted run can be resumed. The lists below are merged as sets: adding an id again has no effect.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from soprag.graphs.benchmark import nodes as stages
from soprag.graphs.benchmark.context import BuildContext

RECURSION_LIMIT = 25  # seven supersteps are needed; more would be a loop


class BenchmarkInput(TypedDict):
    """The input; without `run`, a new run folder is created."""

    topic: str
    source: NotRequired[str]
    run: NotRequired[str]


class BenchmarkOutput(TypedDict):
    """The output: the run folder and its summary."""

    run: str
    summary: dict[str, Any]


def _union(old: list[str], new: list[str]) -> list[str]:
    return sorted({*old, *new})


class BenchmarkState(TypedDict):
    """The state: ids of documents and SOPs, never their contents."""

    topic: str
    source: NotRequired[str]
    run: NotRequired[str]
    documents: list[str]
    parsed: Annotated[list[str], _union]
    merged: list[str]
    audited: Annotated[list[str], _union]
    sampled: list[str]
    examined: Annotated[list[str], _union]
    summary: dict[str, Any]


class OneItem(TypedDict):
    """The input of one fanned-out task: which run, which item."""

    run: str
    id: str


Compiled = CompiledStateGraph[BenchmarkState, None, BenchmarkInput, BenchmarkOutput]


@dataclass(frozen=True)
class BenchmarkNodes:
    """The nodes; `open_workshop` gives the collaborators of a run, `start` makes the folder of a new one."""

    open_workshop: Callable[[str], BuildContext]
    start: Callable[[BenchmarkInput], Path]

    async def collect(self, state: BenchmarkState) -> dict[str, Any]:
        """Topic to raw files."""
        request = BenchmarkInput(topic=state["topic"], source=state.get("source", ""))
        run = state.get("run") or str(await asyncio.to_thread(self.start, request))
        shop = await self._shop(run)
        documents = await stages.collect(shop, state["topic"], get_stream_writer())
        return {"run": run, "documents": _announce("archive", documents)}

    async def archive(self, state: OneItem) -> dict[str, Any]:
        """One file to Markdown."""
        return {"parsed": await self._one(stages.archive, state)}

    async def merge(self, state: BenchmarkState) -> dict[str, Any]:
        """Files with the same words become one."""
        merged = await asyncio.to_thread(stages.merge, await self._shop(state["run"]), state.get("parsed", []))
        return {"merged": _announce("audit", merged)}

    async def audit(self, state: OneItem) -> dict[str, Any]:
        """Keep or reject one document, and split it into SOPs."""
        return {"audited": await self._one(stages.audit, state)}

    async def sample(self, state: BenchmarkState) -> dict[str, Any]:
        """Choose the SOPs that get questions."""
        sampled = await asyncio.to_thread(stages.sample, await self._shop(state["run"]), state.get("audited", []))
        return {"sampled": _announce("examine", sampled)}

    async def examine(self, state: OneItem) -> dict[str, Any]:
        """Questions for one SOP."""
        return {"examined": await self._one(stages.examine, state)}

    async def publish(self, state: BenchmarkState) -> dict[str, Any]:
        """The run becomes a benchmark folder."""
        return {"summary": await asyncio.to_thread(stages.publish, await self._shop(state["run"]))}

    async def _one(self, work: stages.Work, state: OneItem) -> list[str]:
        return await work(await self._shop(state["run"]), state["id"], get_stream_writer())

    async def _shop(self, run: str) -> BuildContext:
        return await asyncio.to_thread(self.open_workshop, run)


def build(nodes: BenchmarkNodes) -> StateGraph[BenchmarkState, None, BenchmarkInput, BenchmarkOutput]:
    """The graph, not yet compiled."""
    graph = StateGraph(BenchmarkState, input_schema=BenchmarkInput, output_schema=BenchmarkOutput)
    graph.add_node("collect", nodes.collect)
    graph.add_node("archive", nodes.archive, input_schema=OneItem)
    graph.add_node("merge", nodes.merge)
    graph.add_node("audit", nodes.audit, input_schema=OneItem)
    graph.add_node("sample", nodes.sample)
    graph.add_node("examine", nodes.examine, input_schema=OneItem)
    graph.add_node("publish", nodes.publish)
    graph.add_edge(START, "collect")
    graph.add_conditional_edges("collect", _fan_out("archive", "documents"), ["archive"])
    graph.add_edge("archive", "merge")
    graph.add_conditional_edges("merge", _fan_out("audit", "merged"), ["audit"])
    graph.add_edge("audit", "sample")
    graph.add_conditional_edges("sample", _fan_out("examine", "sampled"), ["examine"])
    graph.add_edge("examine", "publish")
    graph.add_edge("publish", END)
    return graph


def compile_graph(nodes: BenchmarkNodes, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Compiled:
    """The runnable graph; without a checkpointer for LangGraph Studio, which brings its own."""
    return (
        build(nodes).compile(checkpointer=checkpointer, name="benchmark").with_config(recursion_limit=RECURSION_LIMIT)
    )


def _announce(stage: str, ids: list[str]) -> list[str]:
    """Emit the number of items of the next stage as a progress event."""
    get_stream_writer()({"stage": stage, "total": len(ids)})
    return ids


def _fan_out(node: str, ids: Literal["documents", "merged", "sampled"]) -> Callable[[BenchmarkState], list[Send]]:
    # No list is ever empty here: the stage before raises an error instead, with the reason.
    def route(state: BenchmarkState) -> list[Send]:
        return [Send(node, OneItem(run=state["run"], id=id)) for id in state[ids]]

    return route
