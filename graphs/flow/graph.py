"""The guided run: one procedure, step by step, with a person.

prepare -> present -> ask -> take -> present ...   until the procedure ends, or something is asked aside
                             take -> approve -> use_tool -> present   when a tool of the step is to be used
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from soprag.graphs.context import schema_of, with_default
from soprag.graphs.flow.context import GuideContext
from soprag.graphs.flow.nodes import FlowNodes
from soprag.graphs.flow.state import FlowInput, FlowOutput, FlowState

GuidedRun = CompiledStateGraph[FlowState, GuideContext, FlowInput, FlowOutput]
RECURSION_LIMIT = 50  # a reply takes four supersteps


def create_guided_run(
    *,
    context: GuideContext | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "flow",
) -> GuidedRun:
    """The compiled graph of guided runs.

    Args:
        context: The collaborators of runs that bring none; without it every call needs `context=`.
        checkpointer: Keeps the runs between replies; needed, for every step interrupts. None for a graph that another
            one or a server runs, which bring their own.
        name: The name of the graph in traces and drawings.

    Returns:
        A graph that takes the id of an SOP (`procedure`) or a run (`flow`) and interrupts with a `HITLRequest`; resume
        it with a `HITLResponse`. A human message to a waiting run is the reply to its step.
    """
    graph = StateGraph(
        FlowState, context_schema=schema_of(GuideContext, context), input_schema=FlowInput, output_schema=FlowOutput
    )
    add_guided_run(graph, context=context)
    graph.add_edge(START, "prepare")
    compiled = graph.compile(checkpointer=checkpointer, name=name)
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)


def add_guided_run(graph: StateGraph[Any, Any, Any, Any], *, context: GuideContext | None, exit: str = END) -> None:
    """Add the nodes of a guided run to a graph.

    They are entered at `prepare` (a run begins or is asked anew) and left to `exit`. They are nodes of the graph itself
    and no subgraph, so that a client sees each message and the run while a person is asked.

    Args:
        graph: A graph whose state has the channels `messages` and `flow`.
        context: As in `create_guided_run`.
        exit: The node that follows when the run has ended, or when something was asked aside (`flow.question`).
    """
    nodes = FlowNodes(exit)
    begun = ("present", "take", "use_tool", "approve", exit)
    graph.add_node("prepare", with_default(nodes.prepare, context), input_schema=FlowState, destinations=begun)
    graph.add_node("present", with_default(nodes.present, context), input_schema=FlowState, destinations=("ask", exit))
    graph.add_node("ask", nodes.ask, input_schema=FlowState)
    taken = ("prepare", "present", "approve", "use_tool", exit)
    graph.add_node("take", with_default(nodes.take, context), input_schema=FlowState, destinations=taken)
    graph.add_node("approve", nodes.approve, input_schema=FlowState)
    graph.add_node("use_tool", with_default(nodes.use_tool, context), input_schema=FlowState)
    graph.add_edge("ask", "take")
    graph.add_edge("approve", "use_tool")
