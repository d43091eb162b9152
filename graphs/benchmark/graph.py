"""The benchmark builder: collect, archive*, merge, audit*, sample, examine*, measure, publish (* = one task per item).

Every result is a file of the run folder, and a task whose file exists does nothing, so an interrupted run can be
resumed.
"""

from collections.abc import Callable
from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from soprag.graphs.benchmark import nodes
from soprag.graphs.benchmark.context import BenchmarkContext
from soprag.graphs.benchmark.state import BenchmarkInput, BenchmarkItem, BenchmarkOutput, BenchmarkState
from soprag.graphs.context import schema_of, with_default

RECURSION_LIMIT = 25  # eight supersteps are needed; more would be a loop

BenchmarkBuilder = CompiledStateGraph[BenchmarkState, BenchmarkContext, BenchmarkInput, BenchmarkOutput]


def create_benchmark_builder(
    *,
    context: BenchmarkContext | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "benchmark",
) -> BenchmarkBuilder:
    """The compiled graph that builds a retrieval benchmark of SOPs.

    Args:
        context: The collaborators of runs that bring none: whoever starts and opens run folders, and the profile of new
            ones. Without it every call needs `context=`.
        checkpointer: Keeps the state between supersteps. None for a graph that another one or a server runs, and where
            the run folder alone is to be resumed from: give its path as `run`.
        name: The name of the graph in traces and drawings.

    Returns:
        A graph that takes a topic, and a folder of documents if they are not to be searched for; its output is the run
        folder and the counts of the run.
    """
    graph = StateGraph(
        BenchmarkState,
        context_schema=schema_of(BenchmarkContext, context),
        input_schema=BenchmarkInput,
        output_schema=BenchmarkOutput,
    )
    graph.add_node("collect", with_default(nodes.collect, context))
    graph.add_node("archive", with_default(nodes.archive, context), input_schema=BenchmarkItem)
    graph.add_node("merge", with_default(nodes.merge, context))
    graph.add_node("audit", with_default(nodes.audit, context), input_schema=BenchmarkItem)
    graph.add_node("sample", with_default(nodes.sample, context))
    graph.add_node("examine", with_default(nodes.examine, context), input_schema=BenchmarkItem)
    graph.add_node("measure", with_default(nodes.measure, context))
    graph.add_node("publish", with_default(nodes.publish, context))
    graph.add_edge(START, "collect")
    graph.add_conditional_edges("collect", _fan_out("archive", "documents"), ["archive"])
    graph.add_edge("archive", "merge")
    graph.add_conditional_edges("merge", _fan_out("audit", "merged"), ["audit"])
    graph.add_edge("audit", "sample")
    graph.add_conditional_edges("sample", _fan_out("examine", "sampled"), ["examine"])
    graph.add_edge("examine", "measure")
    graph.add_edge("measure", "publish")
    graph.add_edge("publish", END)
    return graph.compile(checkpointer=checkpointer, name=name).with_config(recursion_limit=RECURSION_LIMIT)


def _fan_out(node: str, ids: Literal["documents", "merged", "sampled"]) -> Callable[[BenchmarkState], list[Send]]:
    # No list is ever empty here: the stage before raises an error instead, with the reason.
    def route(state: BenchmarkState) -> list[Send]:
        return [Send(node, BenchmarkItem(run=state["run"], id=id)) for id in state[ids]]

    return route
