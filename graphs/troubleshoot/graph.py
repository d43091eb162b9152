"""The troubleshooter: meta, act, expert, reflect, respond (PEOA), with guided runs and approvals.

    meta     reads what the operator said                  expert   one expert does one step
    act      decides on the next action, or the end        reflect  finds what to do again after a failure
    confirm  waits for a person's approval                 respond  shows what was found out
    prepare, present, ask, take, approve, use_tool: the guided run of a procedure (graphs/flow)
    leave    the run has ended, or a question was asked on the way

The history h is a list of step records that is only added to.
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from soprag.graphs.context import schema_of, with_default
from soprag.graphs.flow.graph import add_guided_run
from soprag.graphs.troubleshoot import nodes
from soprag.graphs.troubleshoot.context import AgentContext
from soprag.graphs.troubleshoot.state import TroubleshootInput, TroubleshootOutput, TroubleshootState

RECURSION_LIMIT = 400  # supersteps of one turn, its guided run included; more would be a loop

Troubleshooter = CompiledStateGraph[TroubleshootState, AgentContext, TroubleshootInput, TroubleshootOutput]


def create_troubleshooter(
    *,
    context: AgentContext | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "troubleshoot",
) -> Troubleshooter:
    """The compiled graph of a conversation with the troubleshooter.

    Args:
        context: The collaborators of runs that bring none; without it every call needs `context=`.
        checkpointer: Keeps the conversation between turns and approvals. None for a graph that another one or a server
            runs, which bring their own.
        name: The name of the graph in traces and drawings.

    Returns:
        A graph that takes one human message a turn; while a guided run waits, a message is the reply to its step or a
        question about it. It interrupts with a `HITLRequest` at every step of a guided run
        and before every action that needs approval; resume it with a `HITLResponse`.
    """
    graph = StateGraph(
        TroubleshootState,
        context_schema=schema_of(AgentContext, context),
        input_schema=TroubleshootInput,
        output_schema=TroubleshootOutput,
    )
    graph.add_node("meta", with_default(nodes.meta, context))
    graph.add_node("act", with_default(nodes.act, context))
    graph.add_node("confirm", nodes.confirm)
    graph.add_node("expert", with_default(nodes.expert, context))
    graph.add_node("reflect", with_default(nodes.reflect, context))
    graph.add_node("respond", with_default(nodes.respond, context))
    add_guided_run(graph, context=context, exit="leave")
    graph.add_node("leave", nodes.leave)
    graph.add_edge(START, "meta")
    return graph.compile(checkpointer=checkpointer, name=name).with_config(recursion_limit=RECURSION_LIMIT)
