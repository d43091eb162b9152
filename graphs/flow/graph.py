"""The guided run: one procedure, step by step, with a person.

    prepare -> present -> ask -> take -> present ...   until the procedure ends, or something is asked aside
                                 take -> approve -> act -> present   when a tool of the step is to be used

`ask` and `approve` only interrupt. State: `flow` is the run as JSON, pinned to the SOP's hash; `asking` what a person
is asked; `call` a tool call that waits for approval. To begin, give `procedure`, the id of an SOP; to go on, `flow`.
"""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command as Go
from langgraph.types import interrupt

from soprag.graphs.flow.context import GuideContext, note
from soprag.graphs.flow.tool_calls import CallNodes, CallRefused, Proposal
from soprag.tools.errors import UsageError
from soprag.tools.flow.commands import StepReply
from soprag.tools.flow.cursor import Cursor, Transition
from soprag.tools.flow.replies import StepDecision, command_of, read_decision
from soprag.tools.flow.requests import changed_request, next_request
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.summary import closing
from soprag.tools.flow.versions import carry
from soprag.tools.history import StepFailure
from soprag.tools.procedure.plan import lines_key

Json = dict[str, Any]
Taken = Go[Literal["prepare", "present", "approve", "act", "__end__"]]
Compiled = CompiledStateGraph["FlowState", None, "FlowInput", "FlowOutput"]
RECURSION_LIMIT = 50  # a reply takes four supersteps
_DEEPEST = 5  # procedures opened from one another


class FlowInput(TypedDict):
    """What comes in: the id of an SOP to begin, or a run to go on with."""

    messages: Annotated[list[AnyMessage], add_messages]
    procedure: NotRequired[str]
    flow: NotRequired[Json | None]


class FlowOutput(TypedDict):
    """What goes out: messages to the operator, and the run."""

    messages: Annotated[list[AnyMessage], add_messages]
    flow: Json | None


class FlowState(TypedDict):
    """The state."""

    messages: Annotated[list[AnyMessage], add_messages]
    procedure: NotRequired[str]
    flow: NotRequired[Json | None]
    asking: NotRequired[Json | None]
    decision: NotRequired[Json | None]
    call: NotRequired[Json | None]


@dataclass(frozen=True)
class FlowNodes:
    """The nodes, over the desk."""

    desk: GuideContext

    async def prepare(self, state: FlowState, config: RunnableConfig) -> Go[Literal["present", "__end__"]]:
        """A run at the first step when there is none, and its steps bound to who carries them out."""
        stored = state.get("flow")
        try:
            run = FlowRun.model_validate(stored) if stored else await asyncio.to_thread(self._begin, state)
            await self.desk.prepare(run.sop)
        except UsageError as error:
            stopped = {**stored, "status": "stopped", "parent": None} if stored else None
            if stored:
                await asyncio.to_thread(self._log_gone, FlowRun.model_validate(stored), str(error), config)
            return Go(update={"flow": stopped, "asking": None, "messages": [note("error", str(error))]}, goto="__end__")
        return Go(update={"flow": _held(run.model_copy(update={"question": ""}))}, goto="present")

    def present(self, state: FlowState, config: RunnableConfig) -> Json:
        """What a person is to be asked next; nothing when the run has ended."""
        return self._present(FlowRun.model_validate(state["flow"]), config)

    def ask(self, state: FlowState) -> Json:
        """A person answers."""
        return {"decision": read_decision(interrupt(state["asking"])).model_dump()}

    def take(self, state: FlowState, config: RunnableConfig) -> Taken:
        """The answer moves the run, or is refused with the reason."""
        run = FlowRun.model_validate(state["flow"])
        decision = StepDecision.model_validate(state["decision"])
        question = (state["asking"] or {})["action_requests"][0]["name"]
        cursor = self.desk.cursor(run.sop)
        if question == "changed" or not cursor.fits(run):
            return self._changed(cursor, run, decision, question, config)
        command = command_of(decision, question)
        if command.verb == "use":
            return self._use(cursor, run, command, decision, config)
        if command.verb == "open":
            return self._open(cursor, run, command, decision, config)
        move = self._move(cursor, run, command, decision)
        self._log(config, cursor, run, move, decision)
        messages = [note("note", move.text)] if move.event == "why" else []
        goto: Literal["present", "__end__"] = "__end__" if move.event == "asked" else "present"
        return Go(update={"flow": _held(move.run), "messages": messages, "asking": None}, goto=goto)

    def approve(self, state: FlowState) -> Json:
        """A person approves a tool call, changes it, or refuses it."""
        return {"decision": read_decision(interrupt(Proposal.model_validate(state["call"]).request())).model_dump()}

    async def act(self, state: FlowState, config: RunnableConfig) -> Go[Literal["approve", "present"]]:
        """The tool is called with what was approved; a refusal goes back with its reason."""
        calls, call = CallNodes(self.desk), Proposal.model_validate(state["call"])
        run = FlowRun.model_validate(state["flow"])
        if call.needed:
            decision = StepDecision.model_validate(state["decision"])
            agreed = await asyncio.to_thread(calls.consent, call, decision, config)
            if isinstance(agreed, CallRefused):
                update = {"declined": (*run.declined, agreed.reason), "problem": agreed.reason}
                return Go(update={"flow": _held(run.model_copy(update=update)), "call": None}, goto="present")
            if not agreed.ready:
                return Go(update={"call": agreed.model_dump(mode="json")}, goto="approve")
            call = agreed
        outcome = await calls.make(call, config)
        after = await asyncio.to_thread(calls.made, call, run, outcome, config)
        message = note("error", outcome.message) if isinstance(outcome, StepFailure) else note("note", outcome.text)
        return Go(update={"flow": _held(after), "call": None, "messages": [message]}, goto="present")

    # beginning and ending -------------------------------------------------------------------------------------------

    def _begin(self, state: FlowState) -> FlowRun:
        procedure = state.get("procedure", "")
        if not procedure:
            raise UsageError("No procedure was named; give the id of an SOP.")
        return self.desk.cursor(procedure).begin()

    def _present(self, run: FlowRun, config: RunnableConfig) -> Json:
        cursor = self.desk.cursor(run.sop)
        if run.status != "running":
            return self._ended(cursor, run, config)
        if not cursor.fits(run):
            return {"asking": changed_request(cursor, run), "flow": _held(run)}
        if not run.turn:
            facts = {"sop": run.sop, "title": run.title, "sha256": run.digest, "graph": run.graph, "run": run.id}
            facts["bindings"] = self.desk.edition(cursor.plan)
            self.desk.log(config, "flow begun", key=f"{run.id}/begun", steps=len(cursor.plan.steps), **facts)
        tools, others = CallNodes(self.desk).offered(cursor, run), self.desk.others(cursor.plan, run)
        asking = next_request(cursor, run, tools, others)
        self._log_shown(config, run, asking)
        return {"asking": asking, "flow": _held(run)}

    def _ended(self, cursor: Cursor, run: FlowRun, config: RunnableConfig) -> Json:
        closing_text = closing(cursor.plan, run) if cursor.fits(run) else f"{run.title!r} was stopped."
        self.desk.log(config, f"flow {run.status}", key=f"{_serial(run)}/end", sop=run.sop, text=closing_text)
        if run.parent:
            parent_state = self._present(run.parent, config)
            return {**parent_state, "messages": [note("note", f"{closing_text}\nBack to {run.parent.title!r}.")]}
        return {"asking": None, "flow": _held(run), "messages": [note("note", closing_text)]}

    def _changed(
        self, cursor: Cursor, run: FlowRun, decision: StepDecision, question: str, config: RunnableConfig
    ) -> Taken:
        """The SOP is another than when the run began: nothing is taken before the operator agreed to the new one."""
        if question != "changed" or decision.type not in ("approve", "reject"):
            problem = "" if question == "changed" else "The SOP was changed meanwhile; this reply was not taken."
            update = {"problem": problem, "turn": run.turn + 1}
            return Go(update={"flow": _held(run.model_copy(update=update))}, goto="present")
        agreed = decision.type == "approve"
        after = carry(run, cursor.plan) if agreed else run.model_copy(update={"status": "stopped"})
        facts = {"was": run.digest, "is": cursor.plan.digest, "agreed": agreed, "sop": run.sop}
        self.desk.log(config, "edition", by=decision.approver, key=_reply_key(run), answer=agreed, **facts)
        return Go(update={"flow": _held(after.model_copy(update={"turn": run.turn + 1}))}, goto="prepare")

    # replies --------------------------------------------------------------------------------------------------------

    @staticmethod
    def _move(cursor: Cursor, run: FlowRun, command: StepReply, decision: StepDecision) -> Transition:
        if decision.error:
            update = {"problem": decision.error, "turn": run.turn + 1}
            return Transition(run.model_copy(update=update), "refused", decision.error)
        suggested = cursor.suggested(run) if decision.type == "approve" and not cursor.warnings(run) else None
        if suggested and command.verb == "done":
            choice = [*cursor.plan.ways(run.at)].index(suggested.edge) + 1
            return cursor.choose(_turned(run), str(choice), means="reading")
        return cursor.reply(run, command)

    def _use(
        self, cursor: Cursor, run: FlowRun, command: StepReply, decision: StepDecision, config: RunnableConfig
    ) -> Taken:
        key, run = _reply_key(run), _turned(run)
        call = CallNodes(self.desk).propose(cursor, run, command.text.strip(), config)
        facts: Json = {"text": call} if isinstance(call, str) else {"tool": call.tool, "args": call.args}
        kind = "not taken" if isinstance(call, str) else "proposed"
        facts |= {"sop": run.sop, "node": run.at, "number": cursor.plan.by_id[run.at].number}
        self.desk.log(config, kind, by=decision.approver, key=key, answer=decision.model_dump(), **facts)
        if isinstance(call, str):
            return Go(update={"flow": _held(run.model_copy(update={"problem": call}))}, goto="present")
        goto: Literal["approve", "act"] = "approve" if call.needed else "act"
        return Go(update={"flow": _held(run), "call": call.model_dump(mode="json")}, goto=goto)

    def _open(
        self, cursor: Cursor, run: FlowRun, command: StepReply, decision: StepDecision, config: RunnableConfig
    ) -> Taken:
        """Follow a reference into another SOP; this run waits until that one has ended."""
        others = [*self.desk.others(cursor.plan, run).values()]
        number = int(command.text) if command.text.isdigit() else 0
        sop = others[number - 1] if 0 < number <= len(others) else ""
        key, run = _reply_key(run), _turned(run)
        problem = "" if sop else "That procedure is not in the index."
        if sop and _depth(run) >= _DEEPEST:
            problem = "Procedures are nested too deep."
        facts = {"text": problem} if problem else {"opened": sop}
        facts |= {"sop": run.sop, "node": run.at}
        kind = "not taken" if problem else "opened"
        self.desk.log(config, kind, by=decision.approver, key=key, answer=decision.model_dump(), **facts)
        if problem:
            return Go(update={"flow": _held(run.model_copy(update={"problem": problem}))}, goto="present")
        child = self.desk.cursor(sop).begin().model_copy(update={"parent": run})
        return Go(update={"flow": _held(child)}, goto="prepare")

    # the logbook ----------------------------------------------------------------------------------------------------

    def _log_shown(self, config: RunnableConfig, run: FlowRun, asking: Json) -> None:
        args = asking["action_requests"][0]["args"]
        facts = {name: args[name] for name in ("sop", "node", "number", "label", "lines", "text", "warnings")}
        kind = "warning shown" if asking["action_requests"][0]["name"] == "warning" else "step shown"
        self.desk.log(config, kind, by="soprag", key=f"{_serial(run)}/{kind}", **facts)

    def _log(
        self, config: RunnableConfig, cursor: Cursor, run: FlowRun, move: Transition, decision: StepDecision
    ) -> None:
        step = cursor.plan.by_id[run.at]
        facts: Json = {"sop": run.sop, "node": run.at, "number": step.number}
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
        answer = decision.model_dump()
        self.desk.log(config, kind, by=decision.approver, key=_reply_key(run), answer=answer, **facts)

    def _log_gone(self, run: FlowRun, reason: str, config: RunnableConfig) -> None:
        """The run and those that it was opened from end, for the SOP is not there any more."""
        while True:
            self.desk.log(config, "flow stopped", key=f"{_serial(run)}/end", sop=run.sop, text=reason)
            if run.parent is None:
                return
            run = run.parent


@dataclass(frozen=True)
class MountedFlowNodes(FlowNodes):
    """The nodes inside another graph: they leave it after every reply, so that it knows where the run stands."""

    def take(self, state: FlowState, config: RunnableConfig) -> Taken:
        """As alone, and then out."""
        return _out(super().take(state, config))

    async def act(self, state: FlowState, config: RunnableConfig) -> Go[Literal["approve", "present", "__end__"]]:  # type: ignore[override]
        """As alone, and then out."""
        return _out(await super().act(state, config))


def _out(go: "Go[Any]") -> "Go[Any]":
    """To the end in place of the next request; a run that has ended is still closed here."""
    update = go.update if isinstance(go.update, dict) else {}
    if go.goto == "present" and (update.get("flow") or {}).get("status") == "running":
        return Go(update={**update, "asking": None}, goto="__end__")
    return go


def build(desk: GuideContext, nodes: FlowNodes | None = None) -> StateGraph[FlowState, None, FlowInput, FlowOutput]:
    """The graph, not yet compiled."""
    nodes = nodes or FlowNodes(desk)
    graph = StateGraph(FlowState, input_schema=FlowInput, output_schema=FlowOutput)
    graph.add_node("prepare", nodes.prepare)
    graph.add_node("present", nodes.present)
    graph.add_node("ask", nodes.ask)
    graph.add_node("take", nodes.take)
    graph.add_node("approve", nodes.approve)
    graph.add_node("act", nodes.act)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("present", lambda state: "ask" if state.get("asking") else END, ["ask", END])
    graph.add_edge("ask", "take")
    graph.add_edge("approve", "act")
    return graph


def compile_graph(desk: GuideContext, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Compiled:
    """The runnable graph; without a checkpointer for LangGraph Studio."""
    compiled = build(desk).compile(checkpointer=checkpointer, name="flow")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)


def compile_mounted(desk: GuideContext) -> Compiled:
    """The graph as a node of another, which is entered again for every reply."""
    return build(desk, MountedFlowNodes(desk)).compile(name="flow").with_config(recursion_limit=RECURSION_LIMIT)


def _held(run: FlowRun) -> Json:
    return run.model_dump(mode="json")


def _turned(run: FlowRun) -> FlowRun:
    """The run after one more reply."""
    return run.model_copy(update={"turn": run.turn + 1, "problem": ""})


def _depth(run: FlowRun) -> int:
    """How many runs wait for this one to end."""
    return 1 + _depth(run.parent) if run.parent else 0


def _reply_key(run: FlowRun) -> str:
    """The position of the reply to what the run asks now; every reply is recorded there, whatever it was."""
    return f"{_serial(run)}/reply"


def _serial(run: FlowRun) -> str:
    """A run and the reply it stands at, for keys of the logbook."""
    return f"{run.id}/{run.turn}"
