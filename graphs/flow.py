"""The guided run: one procedure, step by step, with a person (present, ask, take; propose, approve, act).

    present -> ask -> take -> present ...        until the procedure has ended, or something was asked aside
               take -> approve -> act -> present  when a tool of the step is to be used

`ask` and `approve` only interrupt. State: `flow` is the run as JSON, pinned to the SOP's hash; `asking` what a person
is asked; `call` a tool call that waits for approval. To begin, give `procedure`, the id of an SOP.
"""

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

from graphs.flow_desk import FlowDesk, note
from tools.actions.action import Call
from tools.errors import UsageError
from tools.flow.asking import changed_request, next_request, request
from tools.flow.bindings import fill, reference
from tools.flow.commands import Command
from tools.flow.cursor import Cursor, Move
from tools.flow.editions import carry
from tools.flow.plan import lines_key
from tools.flow.quantities import Quantity
from tools.flow.replies import Decision, command_of, read_decision
from tools.flow.run import FlowRun
from tools.flow.summary import closing
from tools.history import StepFailure
from tools.protocols import Result
from tools.sop import digest

Json = dict[str, Any]
RECURSION_LIMIT = 50  # a reply takes three supersteps


class Begin(TypedDict):
    """What comes in: the id of an SOP to begin, or a run to go on with."""

    messages: Annotated[list[AnyMessage], add_messages]
    procedure: NotRequired[str]
    flow: NotRequired[Json | None]


class Shown(TypedDict):
    """What goes out: messages to the operator, and the run."""

    messages: Annotated[list[AnyMessage], add_messages]
    flow: Json | None


class Guided(TypedDict):
    """The state."""

    messages: Annotated[list[AnyMessage], add_messages]
    procedure: NotRequired[str]
    flow: NotRequired[Json | None]
    asking: NotRequired[Json | None]
    decision: NotRequired[Json | None]
    call: NotRequired[Json | None]


@dataclass(frozen=True)
class Nodes:
    """The nodes, over the desk."""

    desk: FlowDesk

    def present(self, state: Guided, config: RunnableConfig) -> Json:
        """What a person is to be asked next; nothing when the run has ended."""
        held = state.get("flow")
        try:
            run = FlowRun.model_validate(held) if held else self._begin(state.get("procedure", ""))
            return self._present(run.model_copy(update={"question": ""}), config)
        except UsageError as gone:
            return {
                "asking": None,
                "flow": held and {**held, "status": "stopped"},
                "messages": [note("error", str(gone))],
            }

    def ask(self, state: Guided) -> Json:
        """A person answers."""
        return {"decision": read_decision(interrupt(state["asking"])).model_dump()}

    def take(self, state: Guided, config: RunnableConfig) -> Go[Literal["present", "approve", "act", "__end__"]]:
        """The answer moves the run, or is refused with the reason."""
        run = FlowRun.model_validate(state["flow"])
        decision = Decision.model_validate(state["decision"])
        asked = (state["asking"] or {})["action_requests"][0]["name"]
        cursor = self.desk.cursor(run.sop)
        if asked == "changed" or not cursor.fits(run):
            return self._changed(cursor, run, decision, asked, config)
        command = command_of(decision, asked)
        if command.verb == "use":
            return self._use(cursor, run, command, config)
        if command.verb == "open":
            return self._open(cursor, run, command, config)
        move = self._move(cursor, run, command, decision)
        self._log(config, cursor, run, move, decision)
        said = [note("note", move.said)] if move.event == "why" else []
        goto: Literal["present", "__end__"] = "__end__" if move.event == "asked" else "present"
        return Go(update={"flow": move.run.model_dump(mode="json"), "messages": said, "asking": None}, goto=goto)

    def approve(self, state: Guided) -> Json:
        """A person approves a tool call, changes it, or refuses it."""
        call = state["call"] or {}
        allowed = ["approve", "edit", "reject"]
        said = f"{call['purpose']}\n{call['reference']}\nNothing is done unless you approve."
        if call["problem"]:
            said = f"{call['problem']}\n\n{said}"
        return {"decision": read_decision(interrupt(request(call["tool"], call["args"], said, allowed))).model_dump()}

    async def act(self, state: Guided, config: RunnableConfig) -> Go[Literal["approve", "present"]]:
        """The tool is called with what was approved; a refusal goes back with its reason."""
        import asyncio

        call = dict(state["call"] or {})
        run = FlowRun.model_validate(state["flow"])
        if call["needed"]:
            decision = Decision.model_validate(state["decision"])
            refused = await asyncio.to_thread(self._consent, call, decision, config)
            if refused is not None:
                run = run.model_copy(update={"declined": (*run.declined, refused), "problem": refused})
                return Go(update={"flow": run.model_dump(mode="json"), "call": None}, goto="present")
            if len(call["approvers"]) < call["needed"] or call["problem"]:
                return Go(update={"call": call}, goto="approve")
        outcome = await self._carry_out(call, config)
        return await asyncio.to_thread(self._acted, call, run, outcome, config)

    # beginning and ending -------------------------------------------------------------------------------------------

    def _begin(self, procedure: str) -> FlowRun:
        if not procedure:
            raise UsageError("No procedure was named; give the id of an SOP.")
        return self.desk.cursor(procedure).begin()

    def _present(self, run: FlowRun, config: RunnableConfig) -> Json:
        cursor = self.desk.cursor(run.sop)
        if run.status != "running":
            return self._ended(cursor, run, config)
        if not cursor.fits(run):
            return {"asking": changed_request(cursor, run), "flow": run.model_dump(mode="json")}
        if not run.turn:
            facts = {"sop": run.sop, "title": run.title, "sha256": run.digest, "graph": run.graph, "run": run.id}
            self.desk.log(config, "flow begun", key=f"{run.id}/begun", steps=len(cursor.plan.steps), **facts)
        tools = self._tools(cursor, run)
        asking = next_request(cursor, run, tools, self.desk.others(cursor.plan, run))
        self._log_shown(config, run, asking)
        return {"asking": asking, "flow": run.model_dump(mode="json")}

    def _ended(self, cursor: Cursor, run: FlowRun, config: RunnableConfig) -> Json:
        words = closing(cursor.plan, run)
        self.desk.log(config, f"flow {run.status}", key=f"{_serial(run)}/end", sop=run.sop, text=words)
        if run.parent:
            shown = self._present(run.parent, config)
            return {**shown, "messages": [note("note", f"{words}\nBack to {run.parent.title!r}.")]}
        return {"asking": None, "flow": run.model_dump(mode="json"), "messages": [note("note", words)]}

    def _changed(
        self, cursor: Cursor, run: FlowRun, decision: Decision, asked: str, config: RunnableConfig
    ) -> Go[Literal["present", "approve", "act", "__end__"]]:
        """The SOP is another than when the run began: nothing is taken before the operator agreed to the new one."""
        if asked != "changed" or decision.type not in ("approve", "reject"):
            problem = "" if asked == "changed" else "The SOP was changed meanwhile; this reply was not taken."
            update = {"problem": problem, "turn": run.turn + 1}
            return Go(update={"flow": run.model_copy(update=update).model_dump(mode="json")}, goto="present")
        agreed = decision.type == "approve"
        after = carry(run, cursor.plan) if agreed else run.model_copy(update={"status": "stopped"})
        after = after.model_copy(update={"turn": run.turn + 1})
        facts = {"was": run.digest, "is": cursor.plan.digest, "agreed": agreed, "sop": run.sop}
        self.desk.log(config, "edition", by=decision.approver, key=f"{_serial(run)}/edition", **facts)
        return Go(update={"flow": after.model_dump(mode="json")}, goto="present")

    # replies --------------------------------------------------------------------------------------------------------

    def _move(self, cursor: Cursor, run: FlowRun, command: Command, decision: Decision) -> Move:
        if decision.fault:
            update = {"problem": decision.fault, "turn": run.turn + 1}
            return Move(run.model_copy(update=update), "refused", decision.fault)
        suggested = cursor.suggested(run) if decision.type == "approve" and not cursor.warnings(run) else None
        if suggested and command.verb == "done":
            way = [*cursor.plan.ways(run.at)].index(suggested.edge) + 1
            fresh = run.model_copy(update={"turn": run.turn + 1, "problem": ""})
            return cursor.choose(fresh, str(way), means="reading")
        return cursor.reply(run, command)

    def _tools(self, cursor: Cursor, run: FlowRun) -> list[str]:
        """Only what the present step is bound to."""
        binding = self.desk.bind(cursor.plan).of(run.at)
        return self.desk.toolbox.offered([binding.tool]) if binding.kind == "tool" else []

    def _use(
        self, cursor: Cursor, run: FlowRun, command: Command, config: RunnableConfig
    ) -> Go[Literal["present", "approve", "act", "__end__"]]:
        tools = self._tools(cursor, run)
        name = command.text.strip() or (tools[0] if tools else "")
        run = run.model_copy(update={"turn": run.turn + 1, "problem": ""})
        if cursor.warnings(run):
            problem = "The warnings come first: reply `ack` when you have read them."
        elif name not in tools:
            problem = f"This step offers {', '.join(tools) or 'no tool'}."
        else:
            problem = ""
        if problem:
            run = run.model_copy(update={"problem": problem})
            return Go(update={"flow": run.model_dump(mode="json")}, goto="present")
        call = self._call(cursor, run, name, config)
        goto: Literal["approve", "act"] = "approve" if call["needed"] else "act"
        return Go(update={"flow": run.model_dump(mode="json"), "call": call}, goto=goto)

    def _call(self, cursor: Cursor, run: FlowRun, name: str, config: RunnableConfig) -> Json:
        binding = self.desk.bind(cursor.plan).of(run.at)
        args = fill(binding, cursor.plan, run, self.desk.who(config))
        key = digest(f"{config.get('configurable', {}).get('thread_id', '')}/{_serial(run)}/{name}")[:32]
        return {
            "tool": name,
            "args": args,
            "purpose": self.desk.toolbox.actions[name].protocol.purpose,
            "reference": reference(cursor.plan, cursor.plan.by_id[run.at]),
            "needed": self.desk.toolbox.approvals(name),
            "approvers": [],
            "proposed": args,
            "problem": "",
            "key": key,
        }

    def _consent(self, call: Json, decision: Decision, config: RunnableConfig) -> str | None:
        """Take one decision about a call, changing it; the reason when it was refused."""
        who = decision.approver or self.desk.who(config)
        call["problem"] = ""
        name = call["tool"]
        if decision.type not in ("approve", "edit"):
            reason = decision.message or decision.fault or "no reason was given"
            self.desk.log(
                config, "refused", by=who, key=f"{call['key']}/no", tool=name, args=call["args"], reason=reason
            )
            return f"{name} was refused: {reason}"
        if decision.type == "edit" and decision.tool not in ("", name):
            call["problem"] = f"An edit changes the arguments of {name!r}, not the tool."
            return None
        args = call["args"] if decision.type == "approve" else {**call["args"], **(decision.arguments or {})}
        fine = self.desk.toolbox.check(name, args)
        if isinstance(fine, StepFailure):
            call["problem"] = fine.message
            return None
        separate = self.desk.toolbox.policy(name).separate_approver
        if separate and who in call["approvers"]:
            call["problem"] = f"The second approval must be another person's than {who!r}."
            return None
        if args != call["args"]:
            call["approvers"] = []  # what was approved before was another call
        call["args"] = fine
        call["approvers"] = [*call["approvers"], who]
        count = len(call["approvers"])
        facts = {"tool": name, "before": call["proposed"], "after": fine, "approval": count, "of": call["needed"]}
        self.desk.log(config, "approved", by=who, key=f"{call['key']}/yes/{digest(str(fine))[:8]}/{count}", **facts)
        return None

    async def _carry_out(self, call: Json, config: RunnableConfig) -> Result | StepFailure:
        """Call the tool once: an attempt that a crash cut off is not repeated, for nobody knows what it did."""
        import asyncio

        began = await asyncio.to_thread(self._announce, call, config)
        if not began:
            return StepFailure(
                kind="precondition",
                message=f"{call['tool']} was begun before and cut off; see what it did before you use it again.",
            )
        folder = self.desk.folder(config)
        approved = Call(
            key=call["key"],
            folder=(folder or self.desk.scratch()) / "drafts",
            operator=self.desk.who(config),
            approvers=tuple(call["approvers"]),
            reference=call["reference"],
        )
        return await self.desk.toolbox.act(call["tool"], call["args"], approved)

    def _announce(self, call: Json, config: RunnableConfig) -> bool:
        return self.desk.once(config, "calling", f"{call['key']}/calling", tool=call["tool"], args=call["args"])

    def _acted(
        self, call: Json, run: FlowRun, outcome: Result | StepFailure, config: RunnableConfig
    ) -> Go[Literal["approve", "present"]]:
        failed = isinstance(outcome, StepFailure)
        facts = {"tool": call["tool"], "outcome": outcome, "sop": run.sop, "node": run.at}
        self.desk.log(config, "failed" if failed else "acted", key=f"{call['key']}/outcome", **facts)
        words = outcome.message if isinstance(outcome, StepFailure) else outcome.text
        update: Json = {"problem": words if failed else ""}
        value = None if isinstance(outcome, StepFailure) else _reading(outcome)
        moved = run.model_copy(update=update)
        if value:
            moved = self.desk.cursor(run.sop).measured(moved, value, source="tool")
        said = [note("error" if failed else "note", words)]
        return Go(update={"flow": moved.model_dump(mode="json"), "call": None, "messages": said}, goto="present")

    def _open(
        self, cursor: Cursor, run: FlowRun, command: Command, config: RunnableConfig
    ) -> Go[Literal["present", "approve", "act", "__end__"]]:
        """Follow a reference into another SOP; this run waits until that one has ended."""
        others = [*self.desk.others(cursor.plan, run).values()]
        number = int(command.text) if command.text.isdigit() else 0
        sop = others[number - 1] if 0 < number <= len(others) else ""
        run = run.model_copy(update={"turn": run.turn + 1, "problem": ""})
        above, depth = run, 0
        while above.parent:
            above, depth = above.parent, depth + 1
        if not sop or depth >= 5:
            problem = "Procedures are nested too deep." if sop else "That procedure is not in the index."
            return Go(
                update={"flow": run.model_copy(update={"problem": problem}).model_dump(mode="json")}, goto="present"
            )
        child = self._begin(sop).model_copy(update={"parent": run})
        return Go(update={"flow": child.model_dump(mode="json")}, goto="present")

    # the logbook ----------------------------------------------------------------------------------------------------

    def _log_shown(self, config: RunnableConfig, run: FlowRun, asking: Json) -> None:
        args = asking["action_requests"][0]["args"]
        facts = {name: args[name] for name in ("sop", "node", "number", "label", "lines", "text", "warnings")}
        kind = "warning shown" if asking["action_requests"][0]["name"] == "warning" else "step shown"
        self.desk.log(config, kind, by="soprag", key=f"{_serial(run)}/{kind}", **facts)

    def _log(self, config: RunnableConfig, cursor: Cursor, run: FlowRun, move: Move, decision: Decision) -> None:
        step = cursor.plan.by_id[run.at]
        facts: Json = {
            "sop": run.sop,
            "node": run.at,
            "number": step.number,
            "reply": decision.message or decision.type,
        }
        if move.event in ("done", "skipped"):
            facts |= move.run.trail[-1].model_dump(mode="json", exclude={"words"})
        elif move.event == "acknowledged":
            facts["warnings"] = [lines_key(one) for one in cursor.warnings(run)]
        elif move.said:
            facts["text"] = move.said
        if move.run.readings != run.readings:
            facts["readings"] = move.run.readings[-1:]
        self.desk.log(config, move.event, by=decision.approver, key=f"{_serial(run)}/{move.event}", **facts)


def build(desk: FlowDesk) -> StateGraph[Guided, None, Begin, Shown]:
    """The graph, not yet compiled."""
    nodes = Nodes(desk)
    graph = StateGraph(Guided, input_schema=Begin, output_schema=Shown)
    graph.add_node("present", nodes.present)
    graph.add_node("ask", nodes.ask)
    graph.add_node("take", nodes.take)
    graph.add_node("approve", nodes.approve)
    graph.add_node("act", nodes.act)
    graph.add_edge(START, "present")
    graph.add_conditional_edges("present", lambda state: "ask" if state.get("asking") else END, ["ask", END])
    graph.add_edge("ask", "take")
    graph.add_edge("approve", "act")
    return graph


def compile_graph(
    desk: FlowDesk, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> CompiledStateGraph[Guided, None, Begin, Shown]:
    """The runnable graph; without a checkpointer to be mounted in another graph, or for LangGraph Studio."""
    compiled = build(desk).compile(checkpointer=checkpointer, name="flow")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)


def _serial(run: FlowRun) -> str:
    """A run and the reply it stands at, for keys of the logbook."""
    return f"{run.id}/{run.turn}"


def _reading(result: Result) -> Quantity | None:
    """The reading that a tool gave, when it gave one."""
    output = result.output
    if isinstance(output, dict) and isinstance(output.get("value"), int | float):
        return Quantity(value=float(str(output["value"])), unit=str(output.get("unit") or ""))
    return None
