"""Calls of operator tools in a guided run: proposed at a step, let through by a person, made once."""

import asyncio
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from pydantic import Field

from soprag.graphs.flow.context import GuideContext
from soprag.tools.actions.action import ToolCall
from soprag.tools.actions.identity import count_people
from soprag.tools.flow.bindings import fill, reference
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.replies import StepDecision
from soprag.tools.flow.requests import Request, request
from soprag.tools.flow.run import FlowRun
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult
from soprag.tools.sop import Frozen, digest
from soprag.tools.units.reading import ReadingValue


class Proposal(Frozen):
    """A call that waits: what was proposed, what is to be done now, and who has approved that."""

    tool: str
    purpose: str
    reference: str
    proposed: dict[str, Any]
    args: dict[str, Any]
    needed: int
    approvers: tuple[str, ...] = ()
    problem: str = ""
    key: str
    decisions: int = Field(default=0, description="decisions that were recorded about the call so far")

    @property
    def ready(self) -> bool:
        """Whether it has its approvals."""
        return len(self.approvers) >= self.needed and not self.problem

    def request(self) -> Request:
        """What a person is asked."""
        count = f" (approval {len(self.approvers) + 1} of {self.needed})" if self.needed > 1 else ""
        description = f"{self.purpose}\n{self.reference}\nNothing is done unless you approve{count}."
        description = f"{self.problem}\n\n{description}" if self.problem else description
        return request(self.tool, self.args, description, ["approve", "edit", "reject"])


@dataclass(frozen=True)
class CallRefused:
    """A person said no, for a reason."""

    reason: str


@dataclass(frozen=True)
class CallNodes:
    """The calls at the steps of a run."""

    desk: GuideContext

    def offered(self, cursor: Cursor, run: FlowRun) -> list[str]:
        """Only what the present step is bound to."""
        binding = self.desk.binding(cursor.plan, run.at)
        return self.desk.toolbox.offered([binding.tool]) if binding.kind == "tool" else []

    def propose(self, cursor: Cursor, run: FlowRun, name: str, config: RunnableConfig) -> Proposal | str:
        """The call of a tool of this step, or why there is none."""
        tools = self.offered(cursor, run)
        name = name or (tools[0] if tools else "")
        if cursor.warnings(run):
            return "The warnings come first: reply `ack` when you have read them."
        if name not in tools:
            return f"This step offers {', '.join(tools) or 'no tool'}."
        args = fill(self.desk.binding(cursor.plan, run.at), cursor.plan, run, self.desk.who(config))
        return Proposal(
            tool=name,
            purpose=self.desk.toolbox.actions[name].protocol.purpose,
            reference=reference(cursor.plan, cursor.plan.by_id[run.at]),
            proposed=args,
            args=args,
            needed=self.desk.toolbox.approvals(name),
            key=digest(f"{run.id}/{run.turn}/{name}")[:32],
        )

    def consent(self, call: Proposal, decision: StepDecision, config: RunnableConfig) -> Proposal | CallRefused:
        """Take one decision about a call."""
        approver = decision.approver or self.desk.who(config)
        if decision.type not in ("approve", "edit"):
            reason = decision.message or decision.error or "no reason was given"
            facts = {"tool": call.tool, "args": call.args, "reason": reason}
            self._log(config, "refused", call, decision, approver, facts)
            return CallRefused(f"{call.tool} was refused: {reason}")
        args = call.args if decision.type == "approve" else {**call.args, **(decision.arguments or {})}
        checked_args = self.desk.toolbox.check(call.tool, args)
        problem = self._objection(call, decision, approver, checked_args)
        if problem or isinstance(checked_args, StepFailure):
            facts = {"tool": call.tool, "args": args, "reason": problem}
            self._log(config, "not counted", call, decision, approver, facts)
            return call.model_copy(update={"problem": problem, "decisions": call.decisions + 1})
        approvers = call.approvers if args == call.args else ()  # what was approved before was another call
        operator = self.desk.who(config)
        counted: dict[str, Any] = {"approval": len(approvers) + 1, "needed": call.needed, "operator": operator}
        facts = {**counted, "tool": call.tool, "before": call.proposed, "after": checked_args}
        self._log(config, "approved", call, decision, approver, facts)
        update = {"args": checked_args, "approvers": (*approvers, approver), "decisions": call.decisions + 1}
        return call.model_copy(update={**update, "problem": ""})

    def _log(
        self,
        config: RunnableConfig,
        kind: str,
        call: Proposal,
        decision: StepDecision,
        approver: str,
        facts: dict[str, Any],
    ) -> None:
        """Record one decision; another one about the same call in the same state is a fork of the thread."""
        answer = {**decision.model_dump(), "approver": approver}
        self.desk.log(config, kind, by=approver, key=f"{call.key}/{call.decisions}", answer=answer, **facts)

    def _objection(self, call: Proposal, decision: StepDecision, approver: str, checked: object) -> str:
        """Why an approval does not count; empty when it does."""
        if decision.type == "edit" and decision.tool not in ("", call.tool):
            return f"An edit changes the arguments of {call.tool!r}, not the tool."
        if isinstance(checked, StepFailure):
            return checked.message
        separate = self.desk.toolbox.policy(call.tool).separate_approver
        if separate and count_people((*call.approvers, approver)) <= len(call.approvers):
            return f"The next approval must be another person's than {approver!r}."
        return ""

    async def make(self, call: Proposal, config: RunnableConfig) -> ExpertResult | StepFailure:
        """Make the call once: an attempt that a crash cut off is not repeated, for nobody knows what it did."""
        facts = {"tool": call.tool, "args": call.args}
        first = await asyncio.to_thread(self.desk.once, config, "calling", f"{call.key}/calling", **facts)
        if not first:
            message = f"{call.tool} was begun before and cut off; see what it did before you use it again."
            return StepFailure(kind="precondition", message=message)
        folder = self.desk.folder(config) or self.desk.scratch()
        approved = ToolCall(
            key=call.key,
            folder=folder / "drafts",
            operator=self.desk.who(config),
            approvers=call.approvers,
            reference=call.reference,
        )
        return await self.desk.toolbox.act(call.tool, call.args, approved)

    def made(
        self, call: Proposal, run: FlowRun, outcome: ExpertResult | StepFailure, config: RunnableConfig
    ) -> FlowRun:
        """The run after the call: a reading that came of it is kept, a failure is its problem."""
        kind = "failed" if isinstance(outcome, StepFailure) else "acted"
        where = {"sop": run.sop, "node": run.at}
        self.desk.log(config, kind, key=f"{call.key}/outcome", tool=call.tool, outcome=outcome, **where)
        if isinstance(outcome, StepFailure):
            return run.model_copy(update={"problem": outcome.message})
        value = _reading(outcome)
        run = run.model_copy(update={"problem": ""})
        return self.desk.cursor(run.sop).measured(run, value, source="tool") if value else run


def _reading(result: ExpertResult) -> ReadingValue | None:
    """The reading that a tool gave, when it gave one."""
    output = result.output
    if isinstance(output, dict) and isinstance(output.get("value"), int | float):
        return ReadingValue(value=float(str(output["value"])), unit=str(output.get("unit") or ""))
    return None
