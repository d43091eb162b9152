"""The guided run: one procedure, step by step, with a person.

prepare -> present -> ask -> take -> present ...   until the procedure ends, or something is asked aside
                             take -> approve -> act -> present   when a tool of the step is to be used
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
    leave_after_reply: bool = False,
    name: str = "flow",
) -> GuidedRun:
    """The compiled graph of guided runs.

    Args:
        context: The collaborators of runs that bring none; without it every call needs `context=`.
        checkpointer: Keeps the runs between replies; needed, for every step interrupts. None for a graph that another
            one or a server runs, which bring their own.
        leave_after_reply: End the graph after every reply in place of asking the next step. For a graph that this one
            is mounted in: it then sees where the run is, and enters the graph again.
        name: The name of the graph in traces and drawings.

    Returns:
        A graph that takes the id of an SOP (`procedure`) or a run (`flow`) and interrupts with a `HITLRequest`; resume
        it with a `HITLResponse`.
    """
    nodes = FlowNodes(leave_after_reply)
    graph = StateGraph(
        FlowState, context_schema=schema_of(GuideContext, context), input_schema=FlowInput, output_schema=FlowOutput
    )
    graph.add_node("prepare", with_default(nodes.prepare, context))
    graph.add_node("present", with_default(nodes.present, context))
    graph.add_node("ask", nodes.ask)
    graph.add_node("take", with_default(nodes.take, context))
    graph.add_node("approve", nodes.approve)
    graph.add_node("act", with_default(nodes.act, context))
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("present", lambda state: "ask" if state.get("asking") else END, ["ask", END])
    graph.add_edge("ask", "take")
    graph.add_edge("approve", "act")
    compiled = graph.compile(checkpointer=checkpointer, name=name)
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)
