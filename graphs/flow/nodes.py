"""The nodes of the guided run: each reads the run, does one thing and says which node comes next.

`ask` and `approve` only interrupt: a node that interrupts runs again from its first line when the answer comes.
"""

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command as Go
from langgraph.types import interrupt

from soprag.graphs.context import thread_of
from soprag.graphs.flow.context import GuideContext, note
from soprag.graphs.flow.record import FlowRecord
from soprag.graphs.flow.state import FlowState, ToolProposal
from soprag.graphs.flow.tool_calls import CallRefused, ToolCalls
from soprag.tools.approval import HumanDecision, read_decision, read_request
from soprag.tools.errors import UsageError
from soprag.tools.flow.commands import StepReply
from soprag.tools.flow.cursor import Cursor, Transition
from soprag.tools.flow.opening import opening
from soprag.tools.flow.replies import command_of
from soprag.tools.flow.requests import changed_request, next_request
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.summary import closing
from soprag.tools.flow.versions import carry
from soprag.tools.history import StepFailure

Update = dict[str, Any]
Replied = Go[Literal["prepare", "present", "approve", "act", "__end__"]]
_DEEPEST = 5  # procedures opened from one another


@dataclass(frozen=True)
class FlowNodes:
    """The nodes; with `leave_after_reply` the graph ends after every reply, for a graph that it is mounted in."""

    leave_after_reply: bool = False

    async def prepare(self, state: FlowState, runtime: Runtime[GuideContext]) -> Go[Literal["present", "__end__"]]:
        """A run at the first step when there is none, and its steps bound to who carries them out."""
        guide, sent = runtime.context, state.get("flow")
        stored: FlowRun | None = FlowRun.model_validate(sent) if sent else None  # a client sends a run as JSON
        try:
            run = await asyncio.to_thread(_begin, guide, state.get("procedure", "")) if stored is None else stored
            await guide.bind(run)
        except UsageError as error:
            await asyncio.to_thread(FlowRecord(guide, thread_of(runtime)).gone, stored, str(error))
            stopped = stored and stored.model_copy(update={"status": "stopped", "parent": None})
            return Go(update={"flow": stopped, "asking": None, "messages": [note("error", str(error))]}, goto="__end__")
        return Go(update={"flow": run.model_copy(update={"question": ""})}, goto="present")

    async def present(self, state: FlowState, runtime: Runtime[GuideContext]) -> Update:
        """What a person is to be asked next, its step bound to who carries it out; nothing when the run has ended."""
        run, replies = _run(state), GuidedReplies(runtime.context, thread_of(runtime))
        await runtime.context.bind(run)
        return await asyncio.to_thread(replies.present, run)

    def ask(self, state: FlowState) -> Update:
        """A person answers."""
        return {"decision": read_decision(interrupt(state["asking"]))}

    def take(self, state: FlowState, runtime: Runtime[GuideContext]) -> Replied:
        """The answer moves the run, or is refused with the reason."""
        [request] = read_request(state["asking"])
        replies = GuidedReplies(runtime.context, thread_of(runtime))
        return self._out(replies.take(_run(state), state["decision"], request.name))

    def approve(self, state: FlowState) -> Update:
        """A person approves a tool call, changes it, or refuses it."""
        return {"decision": read_decision(interrupt(_call(state).request()))}

    async def act(
        self, state: FlowState, runtime: Runtime[GuideContext]
    ) -> Go[Literal["approve", "present", "__end__"]]:
        """The tool is called with what was approved; a refusal goes back with its reason."""
        calls, call, run = ToolCalls(runtime.context, thread_of(runtime)), _call(state), _run(state)
        if call.needed:
            agreed = await asyncio.to_thread(calls.consent, call, state["decision"])
            if isinstance(agreed, CallRefused):
                update = {"declined": (*run.declined, agreed.reason), "problem": agreed.reason}
                return self._out(Go(update={"flow": run.model_copy(update=update), "call": None}, goto="present"))
            if not agreed.ready:
                return Go(update={"call": agreed}, goto="approve")
            call = agreed
        outcome = await calls.make(call)
        after = await asyncio.to_thread(calls.made, call, run, outcome)
        message = note("error", outcome.message) if isinstance(outcome, StepFailure) else note("note", outcome.text)
        return self._out(Go(update={"flow": after, "call": None, "messages": [message]}, goto="present"))

    def _out(self, go: "Go[Any]") -> "Go[Any]":
        """Out of a mounted graph in place of the next request; a run that has ended is still closed here."""
        update = go.update if isinstance(go.update, dict) else {}
        run = update.get("flow")
        if self.leave_after_reply and go.goto == "present" and run and run.status == "running":
            return Go(update={**update, "asking": None}, goto="__end__")
        return go


@dataclass(frozen=True)
class GuidedReplies:
    """What is asked at the steps of a thread's runs, and what each reply does to its run."""

    guide: GuideContext
    thread: str

    @property
    def record(self) -> FlowRecord:
        """The record of the thread."""
        return FlowRecord(self.guide, self.thread)

    @property
    def calls(self) -> ToolCalls:
        """The tool calls of the thread."""
        return ToolCalls(self.guide, self.thread)

    def present(self, run: FlowRun) -> Update:
        """The next request of a run, or the end of it."""
        cursor = self.guide.cursor(run.sop)
        if run.status != "running":
            return self._ended(cursor, run)
        if not cursor.fits(run):
            return {"asking": changed_request(cursor, run), "flow": run}
        first: Update = {}
        if not run.turn:
            self.record.begun(run, cursor.plan)
            words = opening(cursor.plan, run.chosen.values())
            first = {"messages": [note("note", words)]} if words else {}
        request = next_request(cursor, run, self.calls.offered(cursor, run), self.guide.others(cursor.plan, run))
        self.record.shown(run, request)
        return {**first, "asking": request, "flow": run}

    def _ended(self, cursor: Cursor, run: FlowRun) -> Update:
        text = closing(cursor.plan, run) if cursor.fits(run) else f"{run.title!r} was stopped."
        self.record.ended(run, text)
        if run.parent:
            back = note("note", f"{text}\nBack to {run.parent.title!r}.")
            return {**self.present(run.parent), "messages": [back]}
        return {"asking": None, "flow": run, "messages": [note("note", text)]}

    def take(self, run: FlowRun, decision: HumanDecision, request_name: str) -> Replied:
        """What a decision about the request of that name does."""
        cursor = self.guide.cursor(run.sop)
        if request_name == "changed" or not cursor.fits(run):
            return self._changed(cursor, run, decision, request_name)
        command = command_of(decision, request_name)
        if command.verb == "use":
            return self._use(cursor, run, command, decision)
        if command.verb == "open":
            return self._open(cursor, run, command, decision)
        move = _move(cursor, run, command, decision)
        self.record.replied(cursor, run, move, decision)
        messages = [note("note", move.text)] if move.event == "why" else []
        goto: Literal["present", "__end__"] = "__end__" if move.event == "asked" else "present"
        return Go(update={"flow": move.run, "messages": messages, "asking": None}, goto=goto)

    def _changed(self, cursor: Cursor, run: FlowRun, decision: HumanDecision, request_name: str) -> Replied:
        """The SOP is another than when the run began: nothing is taken before the operator agreed to the new one."""
        if request_name != "changed" or decision.type not in ("approve", "reject"):
            taken = request_name == "changed" or not decision.message
            problem = "" if taken else "The SOP was changed meanwhile; this reply was not taken."
            update = {"problem": problem, "turn": run.turn + 1}
            return Go(update={"flow": run.model_copy(update=update)}, goto="present")
        agreed = decision.type == "approve"
        after = carry(run, cursor.plan) if agreed else run.model_copy(update={"status": "stopped"})
        self.record.edition(run, cursor.plan, decision)
        return Go(update={"flow": after.model_copy(update={"turn": run.turn + 1})}, goto="prepare")

    def _use(self, cursor: Cursor, run: FlowRun, command: StepReply, decision: HumanDecision) -> Replied:
        """Propose the call of a tool of the step."""
        after = _turned(run)
        call = self.calls.propose(cursor, after, command.text.strip())
        facts: Update = {"text": call} if isinstance(call, str) else {"tool": call.tool, "args": call.args}
        facts |= {"sop": run.sop, "node": run.at, "number": cursor.plan.by_id[run.at].number}
        self.record.answered(run, "not taken" if isinstance(call, str) else "proposed", decision, facts)
        if isinstance(call, str):
            return Go(update={"flow": after.model_copy(update={"problem": call})}, goto="present")
        return Go(update={"flow": after, "call": call}, goto="approve" if call.needed else "act")

    def _open(self, cursor: Cursor, run: FlowRun, command: StepReply, decision: HumanDecision) -> Replied:
        """Follow a reference into another SOP; this run waits until that one has ended."""
        others = [*self.guide.others(cursor.plan, run).values()]
        number = int(command.text) if command.text.isdigit() else 0
        sop = others[number - 1] if 0 < number <= len(others) else ""
        problem = "" if sop else "That procedure is not in the index."
        if sop and _depth(run) >= _DEEPEST:
            problem = "Procedures are nested too deep."
        facts = {"text": problem} if problem else {"opened": sop}
        facts |= {"sop": run.sop, "node": run.at}
        self.record.answered(run, "not taken" if problem else "opened", decision, facts)
        after = _turned(run)
        if problem:
            return Go(update={"flow": after.model_copy(update={"problem": problem})}, goto="present")
        return Go(update={"flow": self.guide.cursor(sop).begin().model_copy(update={"parent": after})}, goto="prepare")


def _begin(guide: GuideContext, procedure: str) -> FlowRun:
    if not procedure:
        raise UsageError("No procedure was named; give the id of an SOP.")
    return guide.cursor(procedure).begin()


def _move(cursor: Cursor, run: FlowRun, command: StepReply, decision: HumanDecision) -> Transition:
    """The transition of a reply; an approval of a step with a suggested way takes that way."""
    if decision.error:
        update = {"problem": decision.error, "turn": run.turn + 1}
        return Transition(run.model_copy(update=update), "refused", decision.error)
    suggested = cursor.suggested(run) if decision.type == "approve" and not cursor.warnings(run) else None
    if suggested and command.verb == "done":
        choice = [*cursor.plan.ways(run.at)].index(suggested.edge) + 1
        return cursor.choose(_turned(run), str(choice), means="reading")
    return cursor.reply(run, command)


def _run(state: FlowState) -> FlowRun:
    run = state.get("flow")
    if run is None:
        raise UsageError("There is no guided run; give `procedure`, the id of an SOP.")
    return run


def _call(state: FlowState) -> ToolProposal:
    call = state.get("call")
    if call is None:
        raise UsageError("No tool call waits for approval.")
    return call


def _turned(run: FlowRun) -> FlowRun:
    """The run after one more reply."""
    return run.model_copy(update={"turn": run.turn + 1, "problem": ""})


def _depth(run: FlowRun) -> int:
    """How many runs wait for this one to end."""
    return 1 + _depth(run.parent) if run.parent else 0
