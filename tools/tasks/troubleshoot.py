"""The tasks of the troubleshooter: what to do next (PEOA's A(I_a, x, h)), and what to mend (A(I_e, x, h, o)).

No answer can hold a step of a procedure: a plan names tools and earlier steps, and what the operator is shown is what
the named steps found out, in the words of the procedure or of the tool.
"""

import json
from typing import Any, Literal

from pydantic import Field, model_validator

from soprag.tools.history import ErrorKind, Status
from soprag.tools.protocols import ToolCard, ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task

FINISH = "finish"
GUIDE = "flow"


class ToolArgument(Frozen):
    """One argument of a tool; a value that is not a text is written as JSON."""

    name: str
    value: str


class Past(Frozen):
    """An earlier step of this question, in its present version."""

    step: str
    tool: str
    task: str
    status: Status
    failure: ErrorKind | None = None
    kind: str = Field(default="", description="what sort of result it is, such as `answer` or `choices`")
    about: str = Field(default="", description="id of the procedure it found")
    begins: str = Field(default="", description="id of the step that its answer begins with")
    text: str = ""


class ActionAsk(Frozen):
    """The question x and the solution history h."""

    question: str
    before: str = Field(default="", description="what was said last, oldest first")
    earlier: str = Field(default="", description="the question before this one")
    procedure: str = Field(default="", description="id of the procedure the conversation is about")
    title: str = Field(default="", description="its title")
    begins: str = Field(default="", description="id of the step that the answer from it begins with")
    run: str = Field(default="", description="the guided run that waits, in words")
    history: list[Past] = Field(default_factory=list)
    tools: list[ToolCard] = Field(default_factory=list)
    left: int = Field(default=1, description="actions that may still be taken for this question")

    def offered(self) -> tuple[ToolCard, ...]:
        """The tools and `finish`."""
        return tuple(self.tools)

    def prompt_fields(self) -> dict[str, Any]:
        """All but the tools; the question comes last, so that what stays the same in a turn stands before it."""
        fields = self.model_dump(mode="json", exclude={"tools", "question"}, exclude_defaults=True)
        fields["history"] = [past.model_dump(mode="json", exclude_defaults=True) for past in self.history]
        return {**fields, "left": self.left, "question": self.question}


class PlannedStep(Frozen):
    """What a model says of an action beside its arguments; the prompt explains it once for all tools."""

    step: str = ""
    uses: list[str] = Field(default_factory=list)
    last: bool = False


class FinishArguments(Frozen):
    """What a model says at the end of a turn."""

    shows: list[str] = Field(default_factory=list, description="ids of the steps whose results answer, in order")
    remark: str = Field(default="", description="one sentence that puts the results together, or empty")


class FinishResponse(Frozen):
    """What the operator reads: the results of the named steps."""


FINISH_PROTOCOL = ToolProtocol(
    name=FINISH,
    purpose="Ends the work: the results of the named steps are shown to the operator.",
    when_to_use="The history answers the question, a result asks the operator something, or nothing more can be found.",
    when_not="Something that the question asks for is still missing and a tool can find it.",
    arguments=FinishArguments,
    response=FinishResponse,
    side_effect="pure",
    errors=(),
    example='{"shows": ["s1"]}',
)


class ActionPlan(PlannedStep, FinishArguments):
    """The next action, or the end: which results are shown to the operator."""

    tool: str = Field(description="name of a tool, or `finish`")
    arguments: list[ToolArgument] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _of_call(cls, value: Any) -> Any:  # noqa: ANN401 - a call as a model makes it, or any JSON
        """A call has its arguments beside the other fields; they are collected."""
        if not isinstance(value, dict) or "tool" not in value:
            return value
        fields = {name: value[name] for name in cls.model_fields if name in value and name != "arguments"}
        stated = value.get("arguments", [])
        beside = {name: item for name, item in value.items() if name not in cls.model_fields}
        if isinstance(stated, dict):
            beside, stated = {**stated, **beside}, []
        added = [{"name": name, "value": _written(item)} for name, item in beside.items() if item is not None]
        return {**fields, "arguments": [*stated, *added]}


def _written(value: Any) -> str:  # noqa: ANN401 - any JSON
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Suspect(Frozen):
    """A step that may be the faulty one, with what speaks for it."""

    step: str
    tool: str
    task: str
    arguments: list[ToolArgument]
    output: str
    evidence: str = Field(description="what is wrong with it, as far as that can be checked")


class RepairAsk(Frozen):
    """A failed step, and the steps among which the fault is."""

    question: str
    failed: str = Field(description="id of the step that failed")
    kind: ErrorKind
    message: str
    detail: str
    suspects: list[Suspect] = Field(min_length=1)
    attempts: list[str] = Field(default_factory=list, description="what was tried before, one line each")


class Repair(Frozen):
    """The faulty step, why it is that one, and what to do differently; an empty `fix`: nothing can be done."""

    step: str
    cause: str
    fix: str
    arguments: list[ToolArgument] = Field(default_factory=list, description="those that change")


class ReplyAsk(Frozen):
    """What the operator said when several procedures fitted."""

    asked: str
    choices: list[str]
    reply: str


class ChoiceReply(Frozen):
    """Which of the choices it names, counted from 1; 0: none of them."""

    choice: int = Field(ge=0)
    kind: Literal["choice", "unclear", "more", "other"] = Field(
        description="`choice`: names one; `unclear`: could mean several; `more`: tells more about the first question; "
        "`other`: a new subject"
    )


PLAN = Task("plan", ActionAsk, ActionPlan)
REPAIR = Task("repair", RepairAsk, Repair)
REPLY = Task("reply", ReplyAsk, ChoiceReply)

TASKS = (PLAN, REPAIR, REPLY)
