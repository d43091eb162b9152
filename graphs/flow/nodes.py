"""The nodes of the guided run: each reads the run, does one thing and says which node comes next.

`ask` and `approve` only interrupt: a node that interrupts runs again from its first line when the answer comes.
"""

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import HumanMessage
from langgraph.graph import END
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
from soprag.tools.flow.edge_choice import named
from soprag.tools.flow.opening import opening
from soprag.tools.flow.replies import command_of, spoken
from soprag.tools.flow.request_builder import changed_request, next_request
from soprag.tools.flow.requests import StepArguments
from soprag.tools.flow.required_readings import for_variant
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.run_questions import answer, meant
from soprag.tools.flow.summary import closing
from soprag.tools.flow.versions import carry
from soprag.tools.history import StepFailure

Update = dict[str, Any]
Replied = Go[Literal["prepare", "present", "approve", "use_tool"]]
NOTHING_ASKED: Update = {"asking": None, "call": None}
_DEEPEST = 5  # procedures opened from one another


@dataclass(frozen=True)
class FlowNodes:
    """The nodes; `exit` is where a run goes that has ended or that a question was asked in: the end of the graph, or a
    node of the graph that these nodes were added to.
    """

    exit: str = END

    async def prepare(self, state: FlowState, runtime: Runtime[GuideContext]) -> Go[Any]:
        """A run at the first step when there is none, and its steps bound to who carries them out.

        A message to a run that waits is the reply to what it waits for.
        """
        guide, sent = runtime.context, state.get("flow")
        stored: FlowRun | None = FlowRun.model_validate(sent) if sent else None  # a client sends a run as JSON
        latest, waits = state["messages"][-1:], state.get("asking") or state.get("call")
        if stored and waits and latest and isinstance(latest[0], HumanMessage):
            changes, goto = answered_by_message(guide, state, str(latest[0].text))
            return Go(update=changes, goto=goto)
        try:
            run = await asyncio.to_thread(_begin, guide, state.get("procedure", "")) if stored is None else stored
            await guide.bind(run)
        except UsageError as error:
            await asyncio.to_thread(FlowRecord(guide, thread_of(runtime)).gone, stored, str(error))
            stopped = stored and stored.model_copy(update={"status": "stopped", "parent": None})
            said = [note("error", str(error))]
            return Go(update={**NOTHING_ASKED, "flow": stopped, "messages": said}, goto=self.exit)
        fresh = run.model_copy(update={"question": "", "problem": ""})
        call = state.get("call")
        said = guide.announced(call.request()) if call else []
        return Go(update={"flow": fresh, "messages": said}, goto="approve" if call else "present")

    async def present(self, state: FlowState, runtime: Runtime[GuideContext]) -> Go[Any]:
        """What a person is to be asked next, its step bound to who carries it out; the exit when the run has ended."""
        run, replies = _run(state), GuidedReplies(runtime.context, thread_of(runtime))
        await runtime.context.bind(run)
        again = bool(state.get("asking")) and not isinstance(state["messages"][-1], HumanMessage)
        update = await asyncio.to_thread(replies.present, run, again=again)
        return Go(update=update, goto="ask" if update["asking"] else self.exit)

    def ask(self, state: FlowState) -> Update:
        """A person answers."""
        return {"decision": read_decision(interrupt(state["asking"]))}

    def take(self, state: FlowState, runtime: Runtime[GuideContext]) -> Go[Any]:
        """The answer moves the run, or is refused with the reason."""
        [request] = read_request(state["asking"])
        replies = GuidedReplies(runtime.context, thread_of(runtime), asks_aside=self.exit != END)
        taken = replies.take(_run(state), _decision(state), request.name)
        heard = runtime.context.heard(state["messages"], _decision(state))
        after = taken.update if isinstance(taken.update, dict) else {}
        messages = [*heard, *after.get("messages", [])]
        return Go(update={"asking": None, **after, "messages": messages}, goto=taken.goto or self.exit)

    def approve(self, state: FlowState) -> Update:
        """A person approves a tool call, changes it, or refuses it."""
        return {"decision": read_decision(interrupt(_call(state).request()))}

    async def use_tool(self, state: FlowState, runtime: Runtime[GuideContext]) -> Go[Literal["approve", "present"]]:
        """The tool is called with what was approved; a refusal goes back with its reason."""
        await runtime.context.connect()
        calls, call, run = ToolCalls(runtime.context, thread_of(runtime)), _call(state), _run(state)
        if call.needed:
            agreed = await asyncio.to_thread(calls.consent, call, _decision(state))
            if isinstance(agreed, CallRefused):
                update = {"declined": (*run.declined, agreed.reason), "problem": agreed.reason}
                return Go(update={"flow": run.model_copy(update=update), "call": None}, goto="present")
            if not agreed.ready:
                said = runtime.context.announced(agreed.request())
                return Go(update={"call": agreed, "messages": said}, goto="approve")
            call = agreed
        outcome = await calls.make(call)
        after = await asyncio.to_thread(calls.made, call, run, outcome)
        message = note("error", outcome.message) if isinstance(outcome, StepFailure) else note("note", outcome.text)
        return Go(update={"flow": after, "call": None, "messages": [message]}, goto="present")


def answered_by_message(
    guide: GuideContext, state: FlowState, text: str
) -> tuple[Update, Literal["prepare", "take", "use_tool", "approve"]]:
    """A chat message as the answer to what a run waits for, with the node that takes it; no message approves a call."""
    call = state.get("call")
    if call is None:
        said = HumanDecision(type="respond", message=text)
        return {"decision": said}, "take" if state.get("asking") else "prepare"
    answer = call.as_message(text)
    if isinstance(answer, HumanDecision):
        return {"decision": answer}, "use_tool"
    return {"call": answer, "messages": guide.announced(answer.request())}, "approve"


@dataclass(frozen=True)
class GuidedReplies:
    """What is asked at the steps of a thread's runs, and what each reply does to its run."""

    guide: GuideContext
    thread: str
    asks_aside: bool = False  # whether the graph answers questions that are asked during a run

    @property
    def record(self) -> FlowRecord:
        """The record of the thread."""
        return FlowRecord(self.guide, self.thread)

    @property
    def calls(self) -> ToolCalls:
        """The tool calls of the thread."""
        return ToolCalls(self.guide, self.thread)

    def present(self, run: FlowRun, *, again: bool = False) -> Update:
        """The next request of a run, or the end of it; `again`: it stands in the thread already."""
        cursor = self.guide.cursor(run.sop)
        if run.status != "running":
            return self._ended(cursor, run)
        if not cursor.fits(run):
            return {"asking": changed_request(cursor, run), "flow": run, "messages": []}
        words = ""
        if not run.turn and not again:
            self.record.begun(run, cursor.plan)
            words = opening(cursor.plan, run.chosen.values())
        request = next_request(cursor, run, self.calls.offered(cursor, run), self.guide.others(cursor.plan, run))
        [action] = read_request(request)
        step = StepArguments.model_validate(action.structured)
        self.record.shown(run, action.name, step)
        messages = [note("note", words)] if words else []
        messages += [] if again else self.guide.shown(action.name, step)
        return {"asking": request, "flow": run, "messages": messages}

    def _ended(self, cursor: Cursor, run: FlowRun) -> Update:
        text = closing(cursor.plan, run) if cursor.fits(run) else f"{run.title!r} was stopped."
        self.record.ended(run, text)
        if run.parent:
            back = note("note", f"{text}\nBack to {run.parent.title!r}.")
            onward = self.present(run.parent)
            return {**onward, "messages": [back, *onward["messages"]]}
        return {"asking": None, "flow": run, "messages": [note("note", text)]}

    def take(self, run: FlowRun, decided: HumanDecision, request_name: str) -> Replied:
        """What a decision about the request of that name does; without a `goto` the run is left for a while."""
        cursor, decision = self.guide.cursor(run.sop), spoken(decided)
        if request_name == "changed" or not cursor.fits(run):
            return self._changed(cursor, run, decision, request_name)
        command = command_of(decision, request_name)
        if command.verb == "unknown" and not decision.error:
            return self._in_words(cursor, run, command.text, decision)
        if command.verb == "use":
            return self._use(cursor, run, command, decision)
        if command.verb == "open":
            return self._open(cursor, run, command, decision)
        return self._replied(cursor, run, _move(cursor, run, command, decision), decision)

    def _in_words(self, cursor: Cursor, run: FlowRun, words: str, decision: HumanDecision) -> Replied:
        """A reply that is no command: the words of a way, something about the run itself, or a question."""
        edge = None if cursor.question(run) or cursor.warnings(run) else named(cursor.plan.ways(run.at), words)
        if edge:
            choice = StepReply("choose", str([*cursor.plan.ways(run.at)].index(edge) + 1))
            return self._replied(cursor, run, _move(cursor, run, choice, decision), decision)
        varied = for_variant(cursor.plan, run, words)
        if varied:
            told = f"{varied.variant}: from here on its limits are those that count."
            return self._replied(cursor, run, Transition(_turned(varied), "told", told), decision)
        told = meant(cursor, run, words) or answer(cursor, run, self.guide.intent(words))
        if told:
            return self._replied(cursor, run, Transition(_turned(run), "told", told), decision)
        question = StepReply("ask" if self.asks_aside else "unknown", words)
        return self._replied(cursor, run, _move(cursor, run, question, decision), decision)

    def _replied(self, cursor: Cursor, run: FlowRun, move: Transition, decision: HumanDecision) -> Replied:
        """Record what a reply did, and go on from there."""
        self.record.replied(cursor, run, move, decision)
        messages = [note("note", move.text)] if move.event in ("why", "lines", "told") else []
        messages += [note("note", "Noted for the handover.")] if move.event == "note" else []
        return Go(update={"flow": move.run, "messages": messages}, goto=() if move.event == "asked" else "present")

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
        said = self.guide.announced(call.request()) if call.needed else []
        return Go(update={"flow": after, "call": call, "messages": said}, goto="approve" if call.needed else "use_tool")

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


def _decision(state: FlowState) -> HumanDecision:
    return state.get("decision") or HumanDecision(type="respond")


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
