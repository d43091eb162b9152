"""One SOP as a LangGraph graph: a node per step, an edge per branch; it can be drawn, run and traced.

A node asks a person with one `interrupt`, in the shape of `graphs/flow`: first the warnings of its step, then the
step. It can only be left along the edges of the SOP.
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from soprag.graphs.procedure.context import ProcedureContext
from soprag.graphs.procedure.nodes import StepNode
from soprag.graphs.procedure.state import ProcedureInput, ProcedureState
from soprag.tools.flow.cursor import Cursor
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.text.sanitize import one_line

ProcedureGraph = CompiledStateGraph[ProcedureState, ProcedureContext, ProcedureInput, ProcedureState]
_NAME = 40  # characters of a step in the name of its node


def create_procedure(
    *, plan: FlowPlan, checkpointer: BaseCheckpointSaver[Any] | None = None, name: str = ""
) -> ProcedureGraph:
    """The compiled graph of one SOP.

    Args:
        plan: The steps of the SOP with its branches; `soprag.tools.procedure.plan.plan` makes it.
        checkpointer: Keeps the run between steps; needed to run the graph, not to draw it.
        name: The name of the graph in traces and drawings; the title of the SOP when it is empty.

    Returns:
        A graph whose nodes are named by number and first words of the steps; it interrupts with a `HITLRequest` at
        every step.
    """
    names = node_names(plan)
    cursor = Cursor(plan)
    graph = StateGraph(
        ProcedureState, context_schema=ProcedureContext, input_schema=ProcedureInput, output_schema=ProcedureState
    )
    for step in plan.by_id.values():
        targets = [names.get(edge.to, END) for edge in plan.ways(step.id)] or [END]
        # Back, stop and a reply that is not taken stay possible; only the ways of the SOP are drawn.
        graph.add_node(names[step.id], StepNode(cursor, names), destinations=_drawn(plan, step, targets))
    graph.add_edge(START, names[plan.start] if plan.start else END)
    compiled = graph.compile(checkpointer=checkpointer, name=name or one_line(plan.title, 80))
    return compiled.with_config(recursion_limit=max(50, 4 * len(plan.steps)))


def node_names(plan: FlowPlan) -> dict[str, str]:
    """Node of the flow graph -> name in the LangGraph graph: its number and its first words."""
    return {step.id: f"{step.number}. {_words(step)}" for step in plan.by_id.values()}


def _words(step: ShownStep) -> str:
    """The first words of a step without what LangGraph reserves in names."""
    plain = "".join(" " if character in '|:#*`\\"[]{}()<>' else character for character in one_line(step.text))
    return one_line(plain, _NAME) or step.id


def _drawn(plan: FlowPlan, step: ShownStep, targets: list[str]) -> dict[str, str]:
    """Target node -> edge label."""
    edges = plan.ways(step.id)
    labels: dict[str, list[str]] = {}
    for target, edge in zip(targets, edges or [None], strict=True):
        labels.setdefault(target, []).append(one_line(edge.condition, 50) if edge else "")
    return {target: "; ".join(filter(None, conditions)) for target, conditions in labels.items()}
