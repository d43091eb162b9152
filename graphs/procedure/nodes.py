"""A step of an SOP as a node: it asks the operator with one interrupt and follows the answer."""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.graph import END
from langgraph.types import Command as Go
from langgraph.types import interrupt

from soprag.graphs.procedure.state import ProcedureState
from soprag.tools.approval import read_decision, read_request
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.replies import command_of, spoken
from soprag.tools.flow.request_builder import next_request
from soprag.tools.flow.summary import closing


@dataclass(frozen=True)
class StepNode:
    """One step of a plan; `names` maps the nodes of the flow graph to those of the LangGraph graph. No side effects."""

    cursor: Cursor
    names: dict[str, str]

    def __call__(self, state: ProcedureState) -> Go[Any]:
        """Ask about the warnings or the step, and go where the answer leads."""
        run = state.get("flow") or self.cursor.begin()
        request = next_request(self.cursor, run, [], {})
        decision = read_decision(interrupt(request))
        suggested = self.cursor.suggested(run) if decision.type == "approve" and not self.cursor.warnings(run) else None
        if suggested:
            ways = [*self.cursor.plan.ways(run.at)]
            move = self.cursor.choose(run, str(ways.index(suggested.edge) + 1), means="reading")
        else:
            [action] = read_request(request)
            move = self.cursor.reply(run, command_of(spoken(decision), action.name))
        after = move.run
        update: dict[str, Any] = {"flow": after, "trail": list(after.trail[len(run.trail) :])}
        if after.status != "running":
            return Go(update={**update, "messages": [AIMessage(closing(self.cursor.plan, after))]}, goto=END)
        if move.event in ("why", "lines"):
            update["messages"] = [AIMessage(move.text)]
        return Go(update=update, goto=self.names[after.at])
