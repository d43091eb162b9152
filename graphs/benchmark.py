"""The benchmark builder: collect, archive*, merge, audit*, sample, examine*, publish (* = one task per item).

The state holds ids only. Every result is a file of the run folder, and a task whose file is there does nothing: that is
how a run goes on after any interruption. So the lists below are sets: to add an id again changes nothing.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from graphs import stages
from graphs.workshop import Workshop

RECURSION_LIMIT = 25  # seven supersteps are needed; more would be a loop


class Request(TypedDict):
    """What a person asks for; without `run`, a new run folder is made."""

    topic: str
    source: NotRequired[str]
    run: NotRequired[str]


class Result(TypedDict):
    """Where the benchmark is, and what is in it."""

    run: str
    summary: dict[str, Any]


def _union(old: list[str], new: list[str]) -> list[str]:
    return sorted({*old, *new})


class Build(TypedDict):
    """The state: ids of documents and SOPs, never their contents."""

    topic: str
    source: NotRequired[str]
    run: NotRequired[str]
    documents: list[str]
    parsed: Annotated[list[str], _union]
    merged: list[str]
    kept: Annotated[list[str], _union]
    sampled: list[str]
    examined: Annotated[list[str], _union]
    summary: dict[str, Any]


class Task(TypedDict):
    """The input of one fanned-out task: which run, which item."""

    run: str
    id: str


Open = Callable[[str], Workshop]
Start = Callable[[Request], Path]


def build(open_workshop: Open, start: Start) -> StateGraph[Build, None, Request, Result]:
    """The graph, not yet compiled; `open_workshop` gives the collaborators of a run, `start` makes a new run."""

    async def collect(state: Build) -> dict[str, Any]:
        request = Request(topic=state["topic"], source=state.get("source", ""))
        run = state.get("run") or str(await asyncio.to_thread(start, request))
        shop = await asyncio.to_thread(open_workshop, run)
        documents = await stages.collect(shop, state["topic"], get_stream_writer())
        return {"run": run, "documents": _announce("archive", documents)}

    async def archive(task: Task) -> dict[str, Any]:
        return {"parsed": await _one(stages.archive, task)}

    async def merge(state: Build) -> dict[str, Any]:
        shop = await asyncio.to_thread(open_workshop, state["run"])
        merged = await asyncio.to_thread(stages.merge, shop, state.get("parsed", []))
        return {"merged": _announce("audit", merged)}

    async def audit(task: Task) -> dict[str, Any]:
        return {"kept": await _one(stages.audit, task)}

    async def sample(state: Build) -> dict[str, Any]:
        shop = await asyncio.to_thread(open_workshop, state["run"])
        sampled = await asyncio.to_thread(stages.sample, shop, state.get("kept", []))
        return {"sampled": _announce("examine", sampled)}

    async def examine(task: Task) -> dict[str, Any]:
        return {"examined": await _one(stages.examine, task)}

    async def publish(state: Build) -> dict[str, Any]:
        shop = await asyncio.to_thread(open_workshop, state["run"])
        return {"summary": await asyncio.to_thread(stages.publish, shop)}

    async def _one(work: stages.Work, task: Task) -> list[str]:
        shop = await asyncio.to_thread(open_workshop, task["run"])
        return await work(shop, task["id"], get_stream_writer())

    graph = StateGraph(Build, input_schema=Request, output_schema=Result)
    graph.add_node("collect", collect)
    graph.add_node("archive", archive, input_schema=Task)
    graph.add_node("merge", merge)
    graph.add_node("audit", audit, input_schema=Task)
    graph.add_node("sample", sample)
    graph.add_node("examine", examine, input_schema=Task)
    graph.add_node("publish", publish)
    graph.add_edge(START, "collect")
    graph.add_conditional_edges("collect", _fan_out("archive", "documents"), ["archive"])
    graph.add_edge("archive", "merge")
    graph.add_conditional_edges("merge", _fan_out("audit", "merged"), ["audit"])
    graph.add_edge("audit", "sample")
    graph.add_conditional_edges("sample", _fan_out("examine", "sampled"), ["examine"])
    graph.add_edge("examine", "publish")
    graph.add_edge("publish", END)
    return graph


def _announce(stage: str, ids: list[str]) -> list[str]:
    """Tell whoever watches how many items the next stage has."""
    get_stream_writer()({"stage": stage, "total": len(ids)})
    return ids


def _fan_out(node: str, ids: Literal["documents", "merged", "sampled"]) -> Callable[[Build], list[Send]]:
    # No list is ever empty here: the stage before raises NothingFound instead, with the reason.
    def route(state: Build) -> list[Send]:
        return [Send(node, Task(run=state["run"], id=id)) for id in state[ids]]

    return route


def compile_graph(
    open_workshop: Open, start: Start, checkpointer: Any = None
) -> "CompiledStateGraph[Build, None, Request, Result]":
    """The runnable graph; without a checkpointer for LangGraph Studio, which brings its own."""
    compiled = build(open_workshop, start).compile(checkpointer=checkpointer, name="benchmark")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)
