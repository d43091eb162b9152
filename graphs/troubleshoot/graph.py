"""The troubleshooter: meta, act, expert, reflect, respond (PEOA), with guided runs and approvals.

    meta     reads what the operator said                  expert   one expert does one step
    act      decides on the next action, or the end        reflect  finds what to do again after a failure
    confirm  waits for a person's approval, nothing else   respond  shows what was found out
    guide    the guided run of a procedure (graphs/flow); leave: it has ended, or a question was asked on the way

The history h is a list of events that is only added to. A node that asks a person does nothing else, for it runs anew
from its first line when the answer comes.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_stream_writer
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Overwrite, interrupt

from soprag.agents import turn_reader
from soprag.agents.experts import retrieval
from soprag.agents.meta import Finish, Focus, NextAction, Turn
from soprag.agents.reflection import GiveUp, current
from soprag.agents.responder import Response
from soprag.graphs.flow.graph import FlowInput, FlowOutput, FlowState
from soprag.graphs.troubleshoot import state as talk
from soprag.graphs.troubleshoot.context import AgentContext, failed
from soprag.graphs.troubleshoot.state import KEY, Json, TroubleshootInput, TroubleshootOutput, TroubleshootState
from soprag.tools.flow import commands
from soprag.tools.flow.message_intent import resumes, says_nothing
from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.sop import digest
from soprag.tools.tasks.troubleshoot import GUIDE
from soprag.tools.text.sanitize import one_line

RECURSION_LIMIT = 400  # supersteps of one turn, its guided run included; more would be a loop
NOTHING_SAID = "Say what happened or what is to be done, such as 'coolant pump P-101 tripped' or 'change a filter'."
_OLDER_STEPS = 8  # steps of earlier turns that stay in the state

Compiled = CompiledStateGraph[TroubleshootState, None, TroubleshootInput, TroubleshootOutput]
Guide = CompiledStateGraph[FlowState, None, FlowInput, FlowOutput]


@dataclass(frozen=True)
class TroubleshootNodes:
    """The nodes; `open_crew` gives the collaborators, the same every time."""

    open_crew: Callable[[], AgentContext]

    async def meta(
        self, state: TroubleshootState, config: RunnableConfig
    ) -> Command[Literal["act", "expert", "respond", "guide"]]:
        """Begin a turn: read the question, and forget what only the logbook needs."""
        crew, flow = await self._crew(), state.get("flow")
        aside = str(flow.get("question") or "") if flow else ""
        message = aside or talk.asked_by(state["messages"])
        number, history = talk.next_number(state), state.get("history", [])
        budget = talk.TurnBudget(turn=talk.budget_of(state).turn + 1, first=number)
        reading = await turn_reader.read(crew.llm, message, None if aside else talk.pending_of(state))
        facts = {"text": message, "aside": bool(aside), "model": crew.llm.name, "editions": crew.asked}
        await self._log(crew, config, "question", str(budget.turn), answer=message, **facts)
        update: Json = {
            "messages": talk.forget(state["messages"], crew.limits.remembered),
            "history": Overwrite(history[-_OLDER_STEPS:]),
            "budget": budget.dump(),
            "question": reading.question,
            "pending": None,
            "agenda": [],
        }
        if flow and not aside and (resumes(message) or commands.parse(message).verb not in ("unknown", "ask")):
            return Command(update={**update, "flow": _replied(flow, message)}, goto="guide")
        about_plant = reading.sop or flow or talk.focus_of(state).sop or crew.llm.name != "rules"
        if not reading.question or (not about_plant and says_nothing(reading.question)):
            finish = Finish(notice=NOTHING_SAID)
            return Command(update={**update, "finish": finish.model_dump(mode="json")}, goto="respond")
        if not reading.sop:
            return Command(update=update, goto="act")
        chosen = NextAction(
            step=f"s{number}",
            tool=retrieval.NAME,
            task="Answer from the procedure that the operator chose.",
            arguments={"question": reading.question, "sop": reading.sop},
        )
        return Command(update={**update, "agenda": [chosen.model_dump(mode="json")]}, goto="expert")

    async def act(self, state: TroubleshootState) -> Command[Literal["act", "confirm", "expert", "respond"]]:
        """Decide what to do next (PEOA's action generator), or that it is enough."""
        crew, began = await self._crew(), perf_counter()
        events, budget = current(talk.events_of(state)), talk.budget_of(state)
        decided = self._spent(crew, events, budget) or await crew.meta.next(self._turn(state, crew, events))
        spent = {"budget": budget.after(perf_counter() - began)}
        if isinstance(decided, Finish):
            return Command(update={**spent, "finish": decided.model_dump(mode="json")}, goto="respond")
        checked = crew.meta.check(decided, events)
        if isinstance(checked, StepFailure):
            return Command(update={**spent, "history": [_held(failed(decided, checked))]}, goto="act")
        update = {**spent, "agenda": [checked.model_dump(mode="json")]}
        return Command(update=update, goto="confirm" if checked.tool in crew.approved else "expert")

    async def confirm(self, state: TroubleshootState) -> Command[Literal["expert"]]:
        """A person approves, edits or refuses the action; No unless they say yes."""
        action = NextAction.model_validate(state["agenda"][0])
        answered = interrupt(_request(action))
        return Command(update={"agenda": [{**state["agenda"][0], "decision": _decision(answered)}]}, goto="expert")

    async def expert(
        self, state: TroubleshootState, config: RunnableConfig
    ) -> Command[Literal["act", "expert", "reflect", "guide"]]:
        """The first action of the agenda, done by its expert."""
        crew, budget = await self._crew(), talk.budget_of(state)
        entry, *rest = state["agenda"]
        action = NextAction.model_validate({name: value for name, value in entry.items() if name != "decision"})
        ruled = _ruled(action, entry.get("decision"))
        _progress(action, "begin", action.task)
        if isinstance(ruled, StepFailure):
            event = failed(action, ruled)
        else:
            event = await crew.work(ruled, talk.events_of(state), max(crew.limits.seconds - budget.spent, 1.0))
        _progress(action, "end", event.failure.message if event.failure else event.text, event.seconds)
        key = f"{budget.turn}:{digest(state.get('question', ''))[:12]}:{event.step}:{event.version}"
        decision = entry.get("decision")
        await self._log(crew, config, "step", key, answer=decision, decision=decision, **_facts(event))
        update: Json = {"history": [_held(event)], "agenda": rest, "budget": budget.after(event.seconds)}
        if event.failure:
            return Command(update=update, goto="reflect")
        if event.tool == GUIDE and isinstance(event.output, dict):
            slim = event.model_copy(update={"output": {"kind": "run", "sop": event.output.get("sop")}})
            run = _begun(event.output, state.get("flow"))
            return Command(update={**update, "history": [_held(slim)], "flow": run}, goto="guide")
        return Command(update=update, goto="expert" if rest else "act")

    async def reflect(self, state: TroubleshootState, config: RunnableConfig) -> Command[Literal["act", "expert"]]:
        """Find the faulty step and do it again, with what builds on it; or leave the failure as it is."""
        crew, began, budget = await self._crew(), perf_counter(), talk.budget_of(state)
        history = talk.events_of(state)
        decided = await crew.reflection.repair(state.get("question", ""), history)
        spent = budget.after(perf_counter() - began)
        key = f"{budget.turn}:{digest(state.get('question', ''))[:12]}:{history[-1].step}:{history[-1].version}:repair"
        await self._log(crew, config, "repair", key, failed=history[-1].step, decided=decided.model_dump(mode="json"))
        if isinstance(decided, GiveUp) or spent["spent"] >= crew.limits.seconds:
            return Command(update={"agenda": [], "budget": spent}, goto="act")
        agenda = [action.model_dump(mode="json") for action in decided.agenda]
        superseded = [_held(event) for event in decided.superseded]
        return Command(update={"agenda": agenda, "history": superseded, "budget": spent}, goto="expert")

    async def respond(self, state: TroubleshootState, config: RunnableConfig) -> Command[Literal["guide", "__end__"]]:
        """Show what was found out, and go on with a guided run that was left for the question."""
        crew = await self._crew()
        finish, question = Finish.model_validate(state.get("finish", {})), state.get("question", "")
        events = current(talk.events_of(state))
        response = await asyncio.to_thread(crew.responder.respond, question, finish, events)
        write = get_stream_writer()
        for block in response.text.split("\n\n"):
            write({"kind": "block", "text": block})
        turn = talk.budget_of(state).turn
        key = f"{turn}:{digest(question)[:12]}:answer"
        await self._log(crew, config, "answer", key, shown=response.kind, text=response.text, **_shown(response))
        structured = response.model_dump(mode="json")
        flow = state.get("flow")
        update: Json = {
            "messages": [AIMessage(response.text, additional_kwargs={KEY: structured})],
            "pending": _pending(response, question),
            "focus": _focus(response, state),
            "flow": flow and {**flow, "question": ""},
        }
        return Command(update=update, goto="guide" if flow else "__end__")

    @staticmethod
    def leave(state: TroubleshootState) -> Command[Literal["meta", "guide", "__end__"]]:
        """After a reply the run goes on, has ended, or waits at its step for the answer to what was asked aside."""
        flow = state.get("flow")
        if flow and flow.get("question"):
            return Command(goto="meta")
        if flow and flow["status"] == "running":
            return Command(goto="guide")
        return Command(update={"flow": None}, goto="__end__")

    @staticmethod
    def _turn(state: TroubleshootState, crew: AgentContext, events: list[StepRecord]) -> Turn:
        flow = state.get("flow") or {}
        return Turn(
            question=state.get("question", ""),
            history=tuple(events),
            focus=Focus(sop=flow["sop"], title=flow["title"]) if flow else talk.focus_of(state),
            before=talk.before(state["messages"]),
            run=f"A guided run of {flow.get('title')!r} waits." if flow else "",
            steps_left=crew.limits.actions - len(events),
            number=talk.next_number(state),
        )

    @staticmethod
    def _spent(crew: AgentContext, events: list[StepRecord], budget: talk.TurnBudget) -> Finish | None:
        """The end of a turn that has used what it may use; what was found out is shown."""
        if len(events) >= crew.limits.actions:
            return Finish(notice=f"The work was ended after {crew.limits.actions} actions.")
        if budget.spent >= crew.limits.seconds:
            return Finish(notice=f"The work was ended after {crew.limits.seconds:.0f} s.")
        return None

    async def _crew(self) -> AgentContext:
        return await asyncio.to_thread(self.open_crew)

    @staticmethod
    async def _log(crew: AgentContext, config: RunnableConfig, kind: str, key: str, **facts: object) -> None:
        await asyncio.to_thread(crew.log, config, kind, by="soprag", key=f"{kind}:{key}", **facts)


def build(
    nodes: TroubleshootNodes, guide: Guide
) -> StateGraph[TroubleshootState, None, TroubleshootInput, TroubleshootOutput]:
    """The graph, not yet compiled; `guide` is the graph of guided runs."""
    graph = StateGraph(TroubleshootState, input_schema=TroubleshootInput, output_schema=TroubleshootOutput)
    graph.add_node("meta", nodes.meta)
    graph.add_node("act", nodes.act)
    graph.add_node("confirm", nodes.confirm)
    graph.add_node("expert", nodes.expert)
    graph.add_node("reflect", nodes.reflect)
    graph.add_node("respond", nodes.respond)
    graph.add_node("guide", guide)
    graph.add_node("leave", nodes.leave)
    graph.add_edge(START, "meta")
    graph.add_edge("guide", "leave")
    return graph


def compile_graph(
    nodes: TroubleshootNodes, guide: Guide, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> Compiled:
    """The runnable graph; without a checkpointer for LangGraph Studio, which brings its own."""
    compiled = build(nodes, guide).compile(checkpointer=checkpointer, name="troubleshoot")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)


def _held(event: StepRecord) -> Json:
    return event.model_dump(mode="json")


def _facts(event: StepRecord) -> Json:
    """What the logbook keeps of a step; the words it found stand in the answer."""
    return _held(event.model_copy(update={"text": one_line(event.text, 500)}))


def _shown(response: Response) -> Json:
    answer = response.answer
    return {"sop": answer.sop if answer else "", "choices": [choice.sop for choice in response.choices]}


def _progress(action: NextAction, phase: str, text: str, seconds: float = 0.0) -> None:
    facts = {
        "expert": action.tool,
        "step": action.step,
        "phase": phase,
        "text": one_line(text, 120),
        "seconds": seconds,
    }
    get_stream_writer()({"kind": "progress", **facts})


def _request(action: NextAction) -> Json:
    """The question to a person, in the shape of LangChain's human-in-the-loop middleware."""
    call = {"name": action.tool, "args": action.arguments, "description": action.task}
    allowed = ["approve", "edit", "reject"]
    return {"action_requests": [call], "review_configs": [{"action_name": action.tool, "allowed_decisions": allowed}]}


def _decision(answered: object) -> Json:
    """The one decision of an answer; anything that is none is a No."""
    decisions = answered.get("decisions") if isinstance(answered, dict) else None
    first = decisions[0] if isinstance(decisions, list) and decisions else None
    return first if isinstance(first, dict) and "type" in first else {"type": "reject", "message": "no decision"}


def _ruled(action: NextAction, decision: Json | None) -> NextAction | StepFailure:
    """The action as the person decided; a change is only of its arguments, never of the tool."""
    if decision is None or decision["type"] == "approve":
        return action
    edited = decision.get("edited_action")
    if decision["type"] == "edit" and isinstance(edited, dict) and isinstance(edited.get("args"), dict):
        return action.model_copy(update={"arguments": edited["args"]})
    why = one_line(str(decision.get("message") or "no reason was given"), 300)
    return StepFailure(kind="refused", message=f"It was refused: {why}")


def _replied(flow: Json, message: str) -> Json:
    """The run when somebody wrote a reply as a message, past the question that waits: only stopping is taken so."""
    if resumes(message):
        return flow
    if commands.parse(message).verb == "stop":
        return {**flow, "status": "stopped"}
    return {**flow, "problem": f"{one_line(message, 80)!r} came as a message; please reply to the step itself."}


def _begun(run: Json, waiting: Json | None) -> Json:
    """A new run; one that waits goes on when it has ended, and a second run of the same procedure is none."""
    if waiting is None:
        return run
    return waiting if waiting["sop"] == run["sop"] else {**run, "parent": waiting}


def _pending(response: Response, question: str) -> Json | None:
    if response.kind not in ("question", "nothing"):
        return None
    offered = tuple(turn_reader.Offered(sop=choice.sop, title=choice.title) for choice in response.choices)
    is_question = response.kind == "question"
    return turn_reader.Pending(asked=question, choices=offered, open=is_question).model_dump(mode="json")


def _focus(response: Response, state: TroubleshootState) -> Json:
    answer = response.answer
    if answer is None:
        return state.get("focus", {})
    return Focus(sop=answer.sop, title=answer.title, question=state.get("question", "")).model_dump(mode="json")
