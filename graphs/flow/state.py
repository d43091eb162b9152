"""The channels of a guided run: frozen values that a checkpoint keeps with their types."""

from typing import Annotated, NotRequired

from langchain.agents.middleware.human_in_the_loop import HITLRequest
from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import Field, JsonValue
from typing_extensions import TypedDict

from soprag.tools.approval import DecisionType, HumanDecision, build_request
from soprag.tools.flow.commands import StepReply, parse
from soprag.tools.flow.run import FlowRun
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line

Messages = Annotated[list[AnyMessage], Field(description="Messages of the operator and to the operator."), add_messages]
Run = Annotated[FlowRun | None, Field(description="The guided run; null when there is none.")]


class ToolProposal(Frozen):
    """A tool call that waits: what was proposed, what is to be done now, and who has approved that."""

    tool: str
    purpose: str
    reference: str = Field(description="the step that the call belongs to, as it is cited")
    proposed: dict[str, JsonValue]
    args: dict[str, JsonValue]
    needed: int = Field(description="how many approvals it needs")
    approvers: tuple[str, ...] = ()
    problem: str = Field(default="", description="why the last approval did not count")
    key: str = Field(description="names the call in the logbook, so that it is made once")
    decisions: int = Field(default=0, description="decisions that were recorded about the call so far")

    @property
    def ready(self) -> bool:
        """Whether it has its approvals."""
        return len(self.approvers) >= self.needed and not self.problem

    def request(self) -> HITLRequest:
        """What a person is asked."""
        count = f" (approval {len(self.approvers) + 1} of {self.needed})" if self.needed > 1 else ""
        description = f"{self.purpose}\n{self.reference}\nNothing is done unless you approve{count}."
        description = f"{self.problem}\n\n{description}" if self.problem else description
        allowed: list[DecisionType] = ["approve", "edit", "reject"]
        return build_request(self.tool, self.args, description, allowed)

    def as_message(self, text: str) -> "ToolProposal | HumanDecision":
        """What a chat message does to the call: a plain no refuses it, anything else leaves it waiting."""
        if parse(text) in (StepReply("choose", "no"), StepReply("stop"), StepReply("back")):
            return HumanDecision(type="reject", message=text)
        problem = f"{one_line(text, 80)!r} came as a message. Nothing was done: approve, edit or reject the call."
        return self.model_copy(update={"problem": problem})


class FlowInput(TypedDict):
    """The id of an SOP to begin, or a run to go on with."""

    messages: NotRequired[Messages]
    procedure: NotRequired[Annotated[str, Field(description="Id of the SOP to begin; `soprag index list` names all.")]]
    flow: NotRequired[Run]


class FlowOutput(TypedDict):
    """Messages to the operator, and the run."""

    messages: Messages
    flow: Run


class FlowState(TypedDict):
    """The state of the graph; `call` is a tool call that waits for approval."""

    messages: Messages
    procedure: NotRequired[Annotated[str, Field(description="Id of the SOP to begin.")]]
    flow: NotRequired[Run]
    asking: NotRequired[Annotated[HITLRequest | None, Field(description="What the person is asked next.")]]
    decision: NotRequired[Annotated[HumanDecision | None, Field(description="What the person decided last.")]]
    call: NotRequired[Annotated[ToolProposal | None, Field(description="A tool call that waits for approval.")]]
