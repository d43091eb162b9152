"""What a guided run writes into the record of its thread, and under which keys, so that nothing is written twice."""

from dataclasses import dataclass
from typing import Any

from soprag.graphs.flow.context import GuideContext
from soprag.tools.approval import HumanDecision
from soprag.tools.flow.cursor import Cursor, Transition
from soprag.tools.flow.requests import StepArguments
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.plan import FlowPlan, lines_key

_SHOWN = {"sop", "node", "number", "label", "lines", "text", "warnings"}


@dataclass(frozen=True)
class FlowRecord:
    """The record of guided runs on one thread."""

    guide: GuideContext
    thread: str

    def begun(self, run: FlowRun, plan: FlowPlan) -> None:
        """A run began; who bound its steps is part of the entry."""
        facts = {"sop": run.sop, "title": run.title, "sha256": run.digest, "graph": run.graph, "run": run.id}
        facts["bindings"] = self.guide.edition
        self.guide.log(self.thread, "flow begun", key=f"{run.id}/begun", steps=len(plan.steps), **facts)

    def shown(self, run: FlowRun, name: str, step: StepArguments) -> None:
        """A warning or a step was put before the operator."""
        kind = f"{name} shown"
        facts = step.model_dump(mode="json", include=_SHOWN)
        self.guide.log(self.thread, kind, by="soprag", key=f"{_serial(run)}/{kind}", **facts)

    def replied(self, cursor: Cursor, run: FlowRun, move: Transition, decision: HumanDecision) -> None:
        """The reply to what `run` asked, and what came of it."""
        facts: dict[str, Any] = {"sop": run.sop, "node": run.at, "number": cursor.plan.by_id[run.at].number}
        facts["reply"] = decision.message or decision.type
        if move.event in ("done", "skipped"):
            facts |= move.run.trail[-1].model_dump(mode="json", exclude={"words"})
        elif move.event == "acknowledged":
            facts["warnings"] = [lines_key(warning) for warning in cursor.warnings(run)]
        elif move.text:
            facts["text"] = move.text
        if move.run.readings != run.readings:
            facts["readings"] = move.run.readings[-1:]
        kind = "not taken" if move.event == "refused" else move.event  # a call that was refused is another thing
        self.answered(run, kind, decision, facts)

    def answered(self, run: FlowRun, kind: str, decision: HumanDecision, facts: dict[str, Any]) -> None:
        """An entry at the position of the reply to what the run asks; every reply is recorded there, of any kind."""
        key = f"{_serial(run)}/reply"
        self.guide.log(self.thread, kind, by=decision.approver, key=key, answer=decision.model_dump(), **facts)

    def edition(self, run: FlowRun, plan: FlowPlan, decision: HumanDecision) -> None:
        """The SOP changed during the run, and the operator agreed to the new edition or not."""
        agreed = decision.type == "approve"
        facts = {"was": run.digest, "is": plan.digest, "agreed": agreed, "sop": run.sop}
        key = f"{_serial(run)}/reply"
        self.guide.log(self.thread, "edition", by=decision.approver, key=key, answer=agreed, **facts)

    def ended(self, run: FlowRun, text: str) -> None:
        """A run has finished or was stopped."""
        self.guide.log(self.thread, f"flow {run.status}", key=f"{_serial(run)}/end", sop=run.sop, text=text)

    def gone(self, run: FlowRun | None, reason: str) -> None:
        """The run and those it was opened from end, for the SOP is not there any more."""
        while run:
            self.ended(run.model_copy(update={"status": "stopped"}), reason)
            run = run.parent


def _serial(run: FlowRun) -> str:
    """A run and the number of its replies so far."""
    return f"{run.id}/{run.turn}"
