"""The channels of a conversation: what the next turn needs; the logbook of the thread holds all of it."""

import operator
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from soprag.agents.meta import Finish, Focus, NextAction
from soprag.agents.turn_reader import Pending
from soprag.graphs.flow.state import FlowState, Messages, Run
from soprag.tools.history import StepRecord
from soprag.tools.sop import Frozen

Steps = Annotated[
    list[StepRecord],
    Field(description="The solution history: every version of every step of the last turns, the failed ones too."),
    operator.add,
]


class TurnBudget(Frozen):
    """What a turn has used."""

    turn: int = Field(default=0, description="number of the turn, from 1")
    first: int = Field(default=1, description="number of its first step")
    spent: float = Field(default=0.0, description="seconds of work, without those of waiting for a person")

    def after(self, seconds: float) -> "TurnBudget":
        """The budget with `seconds` added."""
        return self.model_copy(update={"spent": round(self.spent + seconds, 3)})


class TroubleshootInput(TypedDict):
    """One message of the operator."""

    messages: Messages


class TroubleshootOutput(TypedDict):
    """Messages, solution history and guided run."""

    messages: Messages
    history: Steps
    flow: Run


class TroubleshootState(FlowState):
    """The state of a conversation and of its guided run."""

    history: Steps
    budget: NotRequired[Annotated[TurnBudget, Field(description="What the present turn has used.")]]
    question: NotRequired[Annotated[str, Field(description="The question of the present turn.")]]
    agenda: NotRequired[Annotated[list[NextAction], Field(description="The actions to be done next, in order.")]]
    finish: NotRequired[Annotated[Finish, Field(description="How the turn ends, once that is decided.")]]
    focus: NotRequired[Annotated[Focus, Field(description="The SOP that the conversation is about.")]]
    pending: NotRequired[
        Annotated[Pending | None, Field(description="A question to the operator that the next message may answer.")]
    ]


def budget_of(state: TroubleshootState) -> TurnBudget:
    """The budget of the present turn."""
    return state.get("budget") or TurnBudget()


def focus_of(state: TroubleshootState) -> Focus:
    """What the conversation is about."""
    return state.get("focus") or Focus()


def steps_of(state: TroubleshootState) -> tuple[StepRecord, ...]:
    """All versions of the steps of the present turn."""
    first = budget_of(state).first
    return tuple(step for step in state.get("history", []) if _number(step) >= first)


def next_number(state: TroubleshootState) -> int:
    """The number of the next step; counted over the whole conversation."""
    return max(map(_number, state.get("history", [])), default=budget_of(state).first - 1) + 1


def _number(step: StepRecord) -> int:
    return int(step.step.removeprefix("s"))
