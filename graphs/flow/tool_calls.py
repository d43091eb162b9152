"""Calls of operator tools in a guided run: proposed at a step, let through by a person, made once."""

import asyncio
from dataclasses import dataclass
from typing import Any

from soprag.graphs.flow.context import GuideContext
from soprag.graphs.flow.state import ToolProposal
from soprag.tools.actions.action import ToolCall
from soprag.tools.approval import HumanDecision
from soprag.tools.flow.bindings import fill, reference
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.run import FlowRun
from soprag.tools.history import StepFailure
from soprag.tools.observe.spans import mark
from soprag.tools.protocols import ExpertResult
from soprag.tools.sop import digest
from soprag.tools.text.identity import count_people
from soprag.tools.units.quantity import Quantity


@dataclass(frozen=True)
class CallRefused:
    """A person said no, for a reason."""

    reason: str


@dataclass(frozen=True)
class ToolCalls:
    """The tool calls of guided runs on one thread."""

    guide: GuideContext
    thread: str

    def offered(self, cursor: Cursor, run: FlowRun) -> list[str]:
        """Only what the present step is bound to."""
        binding = self.guide.binding(cursor.plan, run.at)
        return self.guide.toolbox.offered([binding.tool]) if binding.kind == "tool" else []

    def propose(self, cursor: Cursor, run: FlowRun, name: str) -> ToolProposal | str:
        """The call of a tool of this step, or why there is none."""
        tools = self.offered(cursor, run)
        name = name or (tools[0] if tools else "")
        if cursor.warnings(run):
            return "The warnings come first: reply `ack` when you have read them."
        if name not in tools:
            return f"This step offers {', '.join(tools) or 'no tool'}."
        args = fill(self.guide.binding(cursor.plan, run.at), cursor.plan, run, self.guide.operator)
        return ToolProposal(
            tool=name,
            purpose=self.guide.toolbox.actions[name].protocol.purpose,
            reference=reference(cursor.plan, cursor.plan.by_id[run.at]),
            proposed=dict(args),
            args=dict(args),
            needed=self.guide.toolbox.approvals(name),
            key=digest(f"{run.id}/{run.turn}/{name}")[:32],
        )

    def consent(self, call: ToolProposal, decision: HumanDecision) -> ToolProposal | CallRefused:
        """Take one decision about a call."""
        approver = decision.approver or self.guide.operator
        if not decision.agrees:
            facts = {"tool": call.tool, "args": call.args, "reason": decision.reason}
            self._log("refused", call, decision, approver, facts)
            return CallRefused(f"{call.tool} was refused: {decision.reason}")
        args = call.args if decision.type == "approve" else decision.edited(call.args)
        checked_args = self.guide.toolbox.check(call.tool, args)
        problem = self._objection(call, decision, approver, checked_args)
        if problem or isinstance(checked_args, StepFailure):
            facts = {"tool": call.tool, "args": args, "reason": problem}
            self._log("not counted", call, decision, approver, facts)
            return call.model_copy(update={"problem": problem, "decisions": call.decisions + 1})
        approvers = call.approvers if args == call.args else ()  # what was approved before was another call
        operator = self.guide.operator
        counted: dict[str, Any] = {"approval": len(approvers) + 1, "needed": call.needed, "operator": operator}
        facts = {**counted, "tool": call.tool, "before": call.proposed, "after": checked_args}
        self._log("approved", call, decision, approver, facts)
        update = {"args": checked_args, "approvers": (*approvers, approver), "decisions": call.decisions + 1}
        return call.model_copy(update={**update, "problem": ""})

    def _log(
        self, kind: str, call: ToolProposal, decision: HumanDecision, approver: str, facts: dict[str, Any]
    ) -> None:
        """Record one decision; another one about the same call in the same state is a fork of the thread."""
        mark("approval", tool=call.tool, decision=kind)
        answer = {**decision.model_dump(), "approver": approver}
        self.guide.log(self.thread, kind, by=approver, key=f"{call.key}/{call.decisions}", answer=answer, **facts)

    def _objection(self, call: ToolProposal, decision: HumanDecision, approver: str, checked: object) -> str:
        """Why an approval does not count; empty when it does."""
        if decision.type == "edit" and decision.tool not in ("", call.tool):
            return f"An edit changes the arguments of {call.tool!r}, not the tool."
        if isinstance(checked, StepFailure):
            return checked.message
        separate = self.guide.toolbox.policy(call.tool).separate_approver
        if separate and count_people((*call.approvers, approver)) <= len(call.approvers):
            return f"The next approval must be another person's than {approver!r}."
        return ""

    async def make(self, call: ToolProposal) -> ExpertResult | StepFailure:
        """Make the call once: an attempt that a crash cut off is not repeated, for nobody knows what it did."""
        facts = {"tool": call.tool, "args": call.args}
        first = await asyncio.to_thread(self.guide.once, self.thread, "calling", f"{call.key}/calling", **facts)
        if not first:
            message = f"{call.tool} was begun before and cut off; see what it did before you use it again."
            return StepFailure(kind="precondition", message=message)
        folder = self.guide.folder(self.thread) or self.guide.scratch()
        approved = ToolCall(
            key=call.key,
            folder=folder / "drafts",
            operator=self.guide.operator,
            approvers=call.approvers,
            reference=call.reference,
        )
        return await self.guide.toolbox.act(call.tool, call.args, approved)

    def made(self, call: ToolProposal, run: FlowRun, outcome: ExpertResult | StepFailure) -> FlowRun:
        """The run after the call: a reading that came of it is kept, a failure is its problem."""
        kind = "failed" if isinstance(outcome, StepFailure) else "acted"
        where = {"sop": run.sop, "node": run.at}
        self.guide.log(self.thread, kind, key=f"{call.key}/outcome", tool=call.tool, outcome=outcome, **where)
        if isinstance(outcome, StepFailure):
            return run.model_copy(update={"problem": outcome.message})
        value = _reading(outcome)
        run = run.model_copy(update={"problem": ""})
        return self.guide.cursor(run.sop).measured(run, value, source="tool") if value else run


def _reading(result: ExpertResult) -> Quantity | None:
    """The reading that a tool gave, when it gave one."""
    output = result.output
    if isinstance(output, dict) and isinstance(output.get("value"), int | float):
        return Quantity(value=float(str(output["value"])), unit=str(output.get("unit") or ""))
    return None
