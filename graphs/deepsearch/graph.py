"""DeepSearch (paper 001, Algorithm 1): plan, investigate*, write, judge, (confirm), decide, publish.

All subtasks start at once and each waits for its dependencies, so a subtask begins as soon as it can and not when the
slowest one of its level has ended.
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from soprag.graphs.context import schema_of, with_default
from soprag.graphs.deepsearch import nodes
from soprag.graphs.deepsearch.context import DeepSearchContext
from soprag.graphs.deepsearch.state import DeepSearchInput, DeepSearchOutput, DeepSearchState, SubtaskItem

_PER_VERSION = 5  # investigate, write, judge, confirm, decide
RECURSION_LIMIT = 10 + 20 * _PER_VERSION  # research.versions is at most 20

Researcher = CompiledStateGraph[DeepSearchState, DeepSearchContext, DeepSearchInput, DeepSearchOutput]


def create_researcher(
    *,
    context: DeepSearchContext | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "deepsearch",
) -> Researcher:
    """The compiled graph of DeepSearch, which researches a question on the web.

    Args:
        context: The collaborators of runs that bring none: whoever starts and opens run folders, and the profile of new
            ones. Without it every call needs `context=`.
        checkpointer: Keeps the state between supersteps; needed where a person is among the judges. None for a graph
            that another one or a server runs.
        name: The name of the graph in traces and drawings.

    Returns:
        A graph that takes a question; its output is the run folder and a report in which every sentence names its
        sources. Where a person judges, it interrupts with a `HITLRequest`; resume it with a `HITLResponse`.
    """
    graph = StateGraph(
        DeepSearchState,
        context_schema=schema_of(DeepSearchContext, context),
        input_schema=DeepSearchInput,
        output_schema=DeepSearchOutput,
    )
    graph.add_node("plan", with_default(nodes.plan, context))
    graph.add_node("investigate", with_default(nodes.investigate, context), input_schema=SubtaskItem)
    graph.add_node("write", with_default(nodes.write, context))
    graph.add_node("judge", with_default(nodes.judge, context))
    graph.add_node("confirm", nodes.confirm)
    graph.add_node("decide", with_default(nodes.decide, context))
    graph.add_node("publish", with_default(nodes.publish, context))
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", lambda state: nodes.send_out(state["run"], state["open"]), ["investigate"])
    graph.add_edge("investigate", "write")
    graph.add_edge("write", "judge")
    graph.add_edge("publish", END)
    return graph.compile(checkpointer=checkpointer, name=name).with_config(recursion_limit=RECURSION_LIMIT)
