"""The meta-agent: PEOA's action generator A(I_a, x, h) -> [t, s], and the check of what it generated.

An action is executed only after a check: the tool must exist, the arguments must validate against its protocol, and an
action that was already done with the same arguments is refused. A refused action becomes a failed step in h, so that
the next plan can react to it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import BaseModel, Field, JsonValue, ValidationError

from soprag.agents.experts.retrieval import begins_at, sop_of
from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.llm.fallback import attributed
from soprag.tools.protocols import ToolCard, ToolProtocol
from soprag.tools.sop import Frozen, digest
from soprag.tools.tasks.task import Llm
from soprag.tools.tasks.troubleshoot import (
    FINISH,
    FINISH_PROTOCOL,
    PLAN,
    ActionAsk,
    ActionPlan,
    Past,
    PlannedStep,
    ToolArgument,
)
from soprag.tools.text.sanitize import one_line

_RESULT = 6000  # characters of a result that the next plan is shown ...
_OLDER = 300  # ... and of one that it does not build on directly


class NextAction(Frozen):
    """[t, s]: a sub-task for an expert; `revision` describes the change from the previous version."""

    step: str
    tool: str
    task: str
    version: int = Field(default=1, ge=1)
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    uses: tuple[str, ...] = ()
    revision: str = ""
    last: bool = False


class Finish(Frozen):
    """The end of a turn: the steps whose results are shown, and a remark on them."""

    shows: tuple[str, ...] = ()
    remark: str = ""
    author: str = "rules"
    notice: str = Field(default="", description="why the work ended before it was done")


class Focus(Frozen):
    """What the conversation is about, from one turn to the next."""

    sop: str = ""
    title: str = ""
    question: str = Field(default="", description="the last question that a procedure was found for")
    step: str = Field(default="", description="id of the step that its answer begins with; empty: the first one")


@dataclass(frozen=True)
class Turn:
    """The input of the next action: question x, history h, focus, earlier exchanges and limits."""

    question: str
    history: tuple[StepRecord, ...] = ()  # the present version of every step of this turn
    focus: Focus = field(default_factory=Focus)
    before: str = ""
    run: str = ""
    steps_left: int = 1
    number: int = 1  # of the next step

    @property
    def step(self) -> str:
        """The id of the next step."""
        return f"s{self.number}"


@dataclass(frozen=True)
class Meta:
    """Generates actions for the tools of `protocols`."""

    llm: Llm
    protocols: tuple[ToolProtocol, ...]

    async def next(self, turn: Turn) -> NextAction | Finish:
        """The next action or the end of the turn; a turn whose last planned step succeeded ends unasked."""
        if turn.history and _ends(turn.history[-1]):
            return Finish(shows=tuple(event.step for event in turn.history if event.status == "ok"))
        reply = await attributed(self.llm, PLAN, self._ask(turn))
        plan = reply.answer
        if plan.tool == FINISH:
            return Finish(shows=tuple(plan.shows), remark=plan.remark, author=reply.author)
        return _action(plan, turn)

    @cached_property
    def cards(self) -> tuple[ToolCard, ...]:
        """The tools as a model is offered them, `finish` last."""
        tools = (ToolCard.of(protocol, PlannedStep) for protocol in self.protocols)
        return (*tools, ToolCard.of(FINISH_PROTOCOL))

    def check(self, action: NextAction, history: Sequence[StepRecord]) -> NextAction | StepFailure:
        """Validate an action against its protocol and the history; returns it with typed arguments, or a failure."""
        protocol = next((candidate for candidate in self.protocols if candidate.name == action.tool), None)
        if protocol is None:
            names = ", ".join(candidate.name for candidate in self.protocols)
            return StepFailure(kind="arguments", message=f"There is no tool {action.tool!r}; choose one of {names}.")
        try:
            arguments = typed(protocol.arguments, action.arguments).model_dump(mode="json")
        except ValidationError as error:
            return StepFailure(kind="arguments", message=f"{action.tool!r} takes other arguments: {_faults(error)}")
        checked = action.model_copy(update={"arguments": arguments})
        fingerprint = _fingerprint(checked, protocol)
        same_tool = (past for past in history if past.tool == action.tool)
        duplicate = next((past for past in same_tool if _fingerprint(action_of(past), protocol) == fingerprint), None)
        if duplicate is not None:
            return StepFailure(
                kind="precondition", message=f"This was done before, as {duplicate.step}; use its result."
            )
        return checked

    def _ask(self, turn: Turn) -> ActionAsk:
        return ActionAsk(
            question=turn.question,
            before=turn.before,
            earlier=turn.focus.question,
            procedure=turn.focus.sop,
            title=turn.focus.title,
            begins=turn.focus.step,
            run=turn.run,
            history=[_past(event, newest=event is turn.history[-1]) for event in turn.history],
            tools=list(self.cards),
            left=turn.steps_left,
        )


def action_of(event: StepRecord) -> NextAction:
    """The action that an event came from."""
    return NextAction(
        step=event.step,
        tool=event.tool,
        task=event.task,
        version=event.version,
        arguments=event.arguments,
        uses=event.uses,
        last=event.last,
    )


def typed(model: type[BaseModel], arguments: dict[str, JsonValue]) -> BaseModel:
    """Validate the arguments; strings of the wrong type are parsed as JSON and validated again."""
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        faulty = {str(detail["loc"][0]) for detail in error.errors() if detail["loc"]}
        parsed = {name: _json(value) if name in faulty else value for name, value in arguments.items()}
        return model.model_validate(parsed)


def plain_arguments(arguments: list[ToolArgument]) -> dict[str, JsonValue]:
    """The arguments of a model's answer as a dictionary."""
    return {argument.name: argument.value for argument in arguments}


def _action(plan: ActionPlan, turn: Turn) -> NextAction:
    usable = {event.step for event in turn.history if event.status == "ok"}
    return NextAction(
        step=turn.step,
        tool=plan.tool,
        task=one_line(plan.step or turn.question, _RESULT),
        arguments=plain_arguments(plan.arguments),
        uses=tuple(step for step in dict.fromkeys(plan.uses) if step in usable),
        last=plan.last,
    )


def _ends(event: StepRecord) -> bool:
    """Whether a step was planned to answer the question and did, or asks the operator which procedure is meant."""
    asks = isinstance(event.output, dict) and event.output.get("kind") == "choices"
    return event.status == "ok" and (event.last or asks)


def _fingerprint(action: NextAction, protocol: ToolProtocol) -> str:
    """A hash of the action's input: its arguments, and the task text when the protocol requires no argument."""
    described = any(field.is_required() for field in protocol.arguments.model_fields.values())
    task = "" if described else action.task
    return digest(json.dumps([action.arguments, task], sort_keys=True, ensure_ascii=False))


def _past(event: StepRecord, *, newest: bool) -> Past:
    text = event.failure.message if event.failure else event.text
    kind = event.output.get("kind") if isinstance(event.output, dict) else None
    return Past(
        step=event.step,
        tool=event.tool,
        task=one_line(event.task, _OLDER),
        status=event.status,
        failure=event.failure.kind if event.failure else None,
        kind=str(kind or ""),
        about=sop_of(event),
        begins=begins_at(event),
        text=text[: _RESULT if newest else _OLDER],
    )


def _json(value: JsonValue) -> JsonValue:
    if not isinstance(value, str):
        return value
    try:
        parsed: JsonValue = json.loads(value)
    except ValueError:
        return value
    return parsed


def _faults(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors()[:5])
