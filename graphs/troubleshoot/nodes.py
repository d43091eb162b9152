"""The nodes of the troubleshooter: each makes one call of an agent or an expert and says which node comes next.

`confirm` only interrupts: a node that interrupts runs again from its first line when the answer comes.
"""

import asyncio
from time import perf_counter
from typing import Any, Literal

from langchain.agents.middleware.human_in_the_loop import HITLRequest
from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime
from langgraph.types import Command, Overwrite, interrupt
from pydantic import JsonValue

from soprag.agents import turn_reader
from soprag.agents.experts import quote, retrieval
from soprag.agents.meta import Finish, Focus, NextAction, Turn
from soprag.agents.reflection import GiveUp, current
from soprag.agents.responder import Response
from soprag.graphs.context import thread_of
from soprag.graphs.flow.nodes import NOTHING_ASKED, answered_by_message
from soprag.graphs.troubleshoot.context import AgentContext, failed
from soprag.graphs.troubleshoot.messages import KEY, asked_by, before, forget, without_files
from soprag.graphs.troubleshoot.state import (
    TroubleshootState,
    TurnBudget,
    budget_of,
    focus_of,
    next_number,
    steps_of,
)
from soprag.tools.approval import HumanDecision, build_request, read_decision
from soprag.tools.flow import commands
from soprag.tools.flow.message_intent import is_courtesy, is_greeting, is_guide_request, resumes, says_nothing
from soprag.tools.flow.run import FlowRun
from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.observe.spans import describe_turn, mark, span
from soprag.tools.sop import digest
from soprag.tools.tasks.troubleshoot import GUIDE
from soprag.tools.text.sanitize import one_line

COURTESY = "Say what happened, or what is to be done next."
COURTESY_IN_RUN = "The guided run waits at its step."
STALE = "{command!r} answers a step, and no guided run waits for one. Say what happened, or `guide me` to begin one."
NOTHING_SAID = "Say what happened or what is to be done, such as 'coolant pump P1 tripped, low flow'."
_OLDER_STEPS = 8  # steps of earlier turns that stay in the state

Update = dict[str, Any]


async def meta(
    state: TroubleshootState, runtime: Runtime[AgentContext]
) -> Command[Literal["act", "expert", "respond", "prepare", "take", "approve", "use_tool"]]:
    """Begin a turn: read the question, and forget what only the logbook needs."""
    agent, run = runtime.context, state.get("flow")
    aside = run.question if run else ""
    message = aside or asked_by(state["messages"])
    budget = TurnBudget(turn=budget_of(state).turn + 1, first=next_number(state))
    reading = await turn_reader.read(agent.llm, message, None if aside else state.get("pending"))
    facts = {"text": message, "aside": bool(aside), "model": agent.llm.name, "editions": agent.editions}
    await _log(runtime, "question", str(budget.turn), answer=message, **facts)
    update: Update = {
        "messages": [*forget(state["messages"], agent.limits.remembered), *without_files(state["messages"])],
        "history": Overwrite(state.get("history", [])[-_OLDER_STEPS:]),
        "budget": budget,
        "question": reading.question,
        "pending": None,
        "agenda": [],
        "decision": None,
    }
    if run and not aside and resumes(message):
        return Command(update=update, goto="prepare")
    if run and not aside and await _replies(agent, message):
        changes, goto = answered_by_message(agent, state, message)
        messages = [*update["messages"], *changes.get("messages", [])]
        return Command(update={**update, **changes, "messages": messages}, goto=goto)
    notice = _without_question(state, reading, agent)
    if notice:
        return Command(update={**update, "finish": Finish(notice=notice)}, goto="respond")
    chosen = _first_action(reading, run, f"s{budget.first}")
    return (
        Command(update={**update, "agenda": [chosen]}, goto="expert") if chosen else Command(update=update, goto="act")
    )


def _without_question(state: TroubleshootState, reading: turn_reader.TurnReading, agent: AgentContext) -> str:
    """The reply to a message that asks nothing: a courtesy, a command without a run, no word about the plant."""
    run, question = state.get("flow"), reading.question
    if reading.sop:
        return ""
    if is_courtesy(question):
        said = "Hello." if is_greeting(question) else "You are welcome."
        return f"{said} {COURTESY_IN_RUN if run else COURTESY}"
    if not run and commands.is_bare_command(question):
        return STALE.format(command=one_line(question, 20))
    about_plant = run or focus_of(state).sop or agent.llm.name != "rules"
    return NOTHING_SAID if not question or (not about_plant and says_nothing(question)) else ""


async def _replies(agent: AgentContext, message: str) -> bool:
    """Whether a message during a run is a reply to its step: a command, or words about the run itself."""
    return commands.parse(message).verb not in ("unknown", "ask") or await agent.understands(message)


def _first_action(reading: turn_reader.TurnReading, run: FlowRun | None, step: str) -> NextAction | None:
    """The action that needs no plan: the chosen procedure is read, and a question in a run goes to its SOP first."""
    question = reading.question
    if reading.sop:
        task = "Answer from the procedure that the operator chose."
        return NextAction(
            step=step, tool=retrieval.NAME, task=task, arguments={"question": question, "sop": reading.sop}
        )
    if run and not is_guide_request(question):
        task = "Look it up in the procedure of the guided run."
        arguments: dict[str, JsonValue] = {"question": question, "sop": run.sop, "node": run.at}
        return NextAction(step=step, tool=quote.NAME, task=task, arguments=arguments)
    return None


async def act(
    state: TroubleshootState, runtime: Runtime[AgentContext]
) -> Command[Literal["act", "confirm", "expert", "respond"]]:
    """Decide what to do next (PEOA's action generator), or that it is enough."""
    agent, began = runtime.context, perf_counter()
    steps, budget = current(steps_of(state)), budget_of(state)
    decided = _spent(agent, steps, budget) or await agent.meta.next(_turn(state, agent, steps))
    update: Update = {"budget": budget.after(perf_counter() - began)}
    if isinstance(decided, Finish):
        return Command(update={**update, "finish": decided}, goto="respond")
    checked = agent.meta.check(decided, steps)
    if isinstance(checked, StepFailure):
        return Command(update={**update, "history": [failed(decided, checked)]}, goto="act")
    if checked.tool not in agent.approved:
        return Command(update={**update, "agenda": [checked]}, goto="expert")
    said = agent.announced(_approval(checked))
    return Command(update={**update, "agenda": [checked], "messages": said}, goto="confirm")


def confirm(state: TroubleshootState) -> Command[Literal["expert"]]:
    """A person approves, edits or refuses the action; No unless they say yes."""
    decision = read_decision(interrupt(_approval(state["agenda"][0])))
    return Command(update={"decision": decision}, goto="expert")


def _approval(action: NextAction) -> HITLRequest:
    return build_request(action.tool, action.arguments, action.task, ["approve", "edit", "reject"])


async def expert(
    state: TroubleshootState, runtime: Runtime[AgentContext]
) -> Command[Literal["act", "expert", "reflect", "prepare"]]:
    """The first action of the agenda, done by its expert."""
    action = state["agenda"][0]
    with span("action", tool=action.tool, step=action.step):
        return await _act_on(action, state, runtime)


async def _act_on(
    action: NextAction, state: TroubleshootState, runtime: Runtime[AgentContext]
) -> Command[Literal["act", "expert", "reflect", "prepare"]]:
    agent, budget, decision = runtime.context, budget_of(state), state.get("decision")
    rest = state["agenda"][1:]
    ruled = _ruled(action, decision)
    _progress(runtime, action, "begin", action.task)
    if isinstance(ruled, StepFailure):
        step = failed(action, ruled)
    else:
        step = await agent.work(ruled, steps_of(state), max(agent.limits.seconds - budget.spent, 1.0))
    _progress(runtime, action, "end", step.failure.message if step.failure else step.text, step.seconds)
    facts = dict(step.model_copy(update={"text": one_line(step.text, 500)}))  # all of it stands in the answer
    await _log(runtime, "step", _step_key(state, step), answer=decision, decision=decision, **facts)
    update: Update = {"history": [step], "agenda": rest, "decision": None, "budget": budget.after(step.seconds)}
    if step.failure:
        return Command(update=update, goto="reflect")
    if step.tool == GUIDE and isinstance(step.output, dict):
        run = FlowRun.model_validate(step.output)
        slim = step.model_copy(update={"output": {"kind": "run", "sop": run.sop}})
        begun = _begun(run, state.get("flow"))
        return Command(update={**update, **NOTHING_ASKED, "history": [slim], "flow": begun}, goto="prepare")
    return Command(update=update, goto="expert" if rest else "act")


async def reflect(state: TroubleshootState, runtime: Runtime[AgentContext]) -> Command[Literal["act", "expert"]]:
    """Find the faulty step and do it again, with what builds on it; or leave the failure as it is."""
    agent, began, history = runtime.context, perf_counter(), steps_of(state)
    decided = await agent.reflection.repair(state.get("question", ""), history)
    budget = budget_of(state).after(perf_counter() - began)
    key = f"{_step_key(state, history[-1])}:repair"
    await _log(runtime, "repair", key, failed=history[-1].step, decided=decided)
    if isinstance(decided, GiveUp) or budget.spent >= agent.limits.seconds:
        return Command(update={"agenda": [], "budget": budget}, goto="act")
    update = {"agenda": list(decided.agenda), "history": list(decided.superseded), "budget": budget}
    return Command(update=update, goto="expert")


async def respond(state: TroubleshootState, runtime: Runtime[AgentContext]) -> Command[Literal["prepare", "__end__"]]:
    """Show what was found out, and go on with a guided run that was left for the question."""
    question, run = state.get("question", ""), state.get("flow")
    steps = current(steps_of(state))
    agent = runtime.context
    response = await asyncio.to_thread(
        agent.responder.respond, question, state.get("finish") or Finish(), steps, agent.writer
    )
    for block in response.text.split("\n\n"):
        runtime.stream_writer({"kind": "block", "text": block})
    answer = response.answer
    facts = {"sop": answer.sop if answer else "", "choices": [choice.sop for choice in response.choices]}
    key = f"{budget_of(state).turn}:{digest(question)[:12]}:answer"
    await _log(runtime, "answer", key, shown=response.kind, text=response.text, **facts)
    describe_turn(outcome=response.kind)
    structured = response.model_dump(mode="json", exclude=agent.left_out)  # clients read it as JSON
    update: Update = {
        "messages": [AIMessage(response.text, additional_kwargs={KEY: structured})],
        "history": Overwrite([_without_words(step) for step in state.get("history", [])]),
        "pending": _pending(response, question),
        "focus": Focus(sop=answer.sop, title=answer.title, question=question, step=answer.begins)
        if answer
        else focus_of(state),
        "flow": run and run.model_copy(update={"question": ""}),
    }
    return Command(update=update, goto="prepare" if run else "__end__")


def leave(state: TroubleshootState) -> Command[Literal["meta", "__end__"]]:
    """The run waits at its step for the answer to what was asked aside, or it has ended."""
    run = state.get("flow")
    return Command(goto="meta") if run and run.question else Command(update={"flow": None}, goto="__end__")


def _turn(state: TroubleshootState, agent: AgentContext, steps: list[StepRecord]) -> Turn:
    run = state.get("flow")
    return Turn(
        question=state.get("question", ""),
        history=tuple(steps),
        focus=Focus(sop=run.sop, title=run.title) if run else focus_of(state),
        before=before(state["messages"]),
        run=f"A guided run of {run.title!r} waits." if run else "",
        steps_left=agent.limits.actions - len(steps),
        number=next_number(state),
    )


def _spent(agent: AgentContext, steps: list[StepRecord], budget: TurnBudget) -> Finish | None:
    """The end of a turn that has used what it may use; what was found out is shown."""
    if len(steps) >= agent.limits.actions:
        return Finish(notice=f"The work was ended after {agent.limits.actions} actions.")
    if budget.spent >= agent.limits.seconds:
        return Finish(notice=f"The work was ended after {agent.limits.seconds:.0f} s.")
    return None


def _ruled(action: NextAction, decision: HumanDecision | None) -> NextAction | StepFailure:
    """The action as the person decided; an edit changes its arguments, never the tool."""
    if decision is not None:
        mark("approval", tool=action.tool, decision="approved" if decision.agrees else "refused")
    if decision is None or decision.type == "approve":
        return action
    if decision.agrees:
        return action.model_copy(update={"arguments": decision.edited(action.arguments)})
    return StepFailure(kind="refused", message=f"It was refused: {one_line(decision.reason, 300)}")


def _without_words(step: StepRecord) -> StepRecord:
    """A step of a turn that has ended: what was retrieved stands in the answer and in the record."""
    return step.model_copy(update={"output": None}) if step.tool == retrieval.NAME else step


def _begun(run: FlowRun, waiting: FlowRun | None) -> FlowRun:
    """A new run; one that waits goes on when it has ended, and a second run of the same procedure is none."""
    if waiting is None:
        return run
    return waiting if waiting.sop == run.sop else run.model_copy(update={"parent": waiting})


def _pending(response: Response, question: str) -> turn_reader.Pending | None:
    if response.kind not in ("question", "nothing"):
        return None
    offered = tuple(turn_reader.Offered(sop=choice.sop, title=choice.title) for choice in response.choices)
    return turn_reader.Pending(asked=question, choices=offered, open=response.kind == "question")


def _step_key(state: TroubleshootState, step: StepRecord) -> str:
    question = digest(state.get("question", ""))[:12]
    return f"{budget_of(state).turn}:{question}:{step.step}:{step.version}"


def _progress(runtime: Runtime[AgentContext], action: NextAction, phase: str, text: str, seconds: float = 0.0) -> None:
    facts = {"expert": action.tool, "step": action.step, "phase": phase, "text": one_line(text, 120)}
    runtime.stream_writer({"kind": "progress", **facts, "seconds": seconds})


async def _log(runtime: Runtime[AgentContext], kind: str, key: str, answer: object = None, **facts: object) -> None:
    log = runtime.context.log
    await asyncio.to_thread(log, thread_of(runtime), kind, by="soprag", key=f"{kind}:{key}", answer=answer, **facts)
