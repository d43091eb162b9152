"""One SOP as a LangGraph graph: a node per step, an edge per branch; it can be drawn, run and traced.

A node asks a person with one `interrupt`, in the shape of `graphs/flow`: first the warnings of its step, then the
step. It can only be left along the edges of the SOP. State: `trail`, the steps as they were left.
"""

import operator
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command as Go
from langgraph.types import interrupt

from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.replies import command_of, read_decision
from soprag.tools.flow.requests import next_request
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.summary import closing
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.text.sanitize import one_line

Compiled = CompiledStateGraph["ProcedureState", None, "ProcedureInput", "ProcedureState"]
_NAME = 40  # characters of a step in the name of its node


class ProcedureInput(TypedDict):
    """What comes in: nothing has to be given."""

    messages: NotRequired[Annotated[list[AnyMessage], add_messages]]


class ProcedureState(TypedDict):
    """The state: the run as JSON, and the marks of the steps in order."""

    messages: Annotated[list[AnyMessage], add_messages]
    flow: NotRequired[dict[str, Any]]
    trail: Annotated[list[dict[str, Any]], operator.add]


@dataclass(frozen=True)
class StepNode:
    """One step of a plan as a node: interrupts for the operator and follows the answer; no side effects."""

    cursor: Cursor
    names: dict[str, str]

    def __call__(self, state: ProcedureState) -> Go[Any]:
        """Ask about the warnings or the step, and go where the answer leads."""
        stored = state.get("flow")
        run = FlowRun.model_validate(stored) if stored else self.cursor.begin()
        asking = next_request(self.cursor, run, [], {})
        decision = read_decision(interrupt(asking))
        command = command_of(decision, asking["action_requests"][0]["name"])
        suggested = self.cursor.suggested(run) if decision.type == "approve" and not self.cursor.warnings(run) else None
        if suggested:
            ways = [*self.cursor.plan.ways(run.at)]
            move = self.cursor.choose(run, str(ways.index(suggested.edge) + 1), means="reading")
        else:
            move = self.cursor.reply(run, command)
        after = move.run
        marks = [mark.model_dump(mode="json") for mark in after.trail[len(run.trail) :]]
        update: dict[str, Any] = {"flow": after.model_dump(mode="json"), "trail": marks}
        if after.status != "running":
            return Go(update={**update, "messages": [AIMessage(closing(self.cursor.plan, after))]}, goto=END)
        if move.event == "why":
            update["messages"] = [AIMessage(move.text)]
        return Go(update=update, goto=self.names[after.at])


def build(plan: FlowPlan) -> StateGraph[ProcedureState, None, ProcedureInput, ProcedureState]:
    """The graph of a plan, not yet compiled; the names of its nodes are the words of the steps."""
    names = node_names(plan)
    cursor = Cursor(plan)
    graph = StateGraph(ProcedureState, input_schema=ProcedureInput, output_schema=ProcedureState)
    for step in plan.steps:
        targets = [names[edge.to] if edge.to else END for edge in plan.ways(step.id)] or [END]
        # Back, stop and a reply that is not taken stay possible; only the ways of the SOP are drawn.
        graph.add_node(names[step.id], StepNode(cursor, names), destinations=_drawn(plan, step, targets))
    graph.add_edge(START, names[plan.steps[0].id] if plan.steps else END)
    return graph


def compile_plan(plan: FlowPlan, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Compiled:
    """The runnable graph of an SOP; a checkpointer is needed to run it, not to draw it."""
    compiled = build(plan).compile(checkpointer=checkpointer, name=one_line(plan.title, 80))
    return compiled.with_config(recursion_limit=max(50, 4 * len(plan.steps)))


def node_names(plan: FlowPlan) -> dict[str, str]:
    """Node of the flow graph -> name in the LangGraph graph: its number and its first words."""
    return {step.id: f"{step.number}. {_words(step)}" for step in plan.steps}


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
