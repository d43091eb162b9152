"""The checkpointed state of a conversation, and how it is trimmed.

Everything here is plain JSON. The logbook holds the whole conversation; the state holds what the next turn needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.graph.message import add_messages

from soprag.agents.meta import Focus
from soprag.agents.turn_reader import Pending
from soprag.tools.history import StepRecord
from soprag.tools.text.sanitize import one_line, sanitize

KEY = "soprag"  # of the structured answer in a message's additional_kwargs
_WHOLE = 2  # the newest messages that keep their structured answer
_SAID = 300  # characters of an earlier message that a model is shown
_EXCHANGED = 4  # earlier messages that a model is shown
_LONGEST = 20_000  # characters of a question

Json = dict[str, Any]


def grow(old: list[Json], new: list[Json]) -> list[Json]:
    """The reducer of the history: append."""
    return [*old, *new]


class TroubleshootInput(TypedDict):
    """The input: one human message."""

    messages: Annotated[list[AnyMessage], add_messages]


class TroubleshootOutput(TypedDict):
    """The output: messages, step history and guided run."""

    messages: Annotated[list[AnyMessage], add_messages]
    history: Annotated[list[Json], grow]
    flow: Json | None


class TroubleshootState(TypedDict):
    """The state: `agenda` holds the actions to be taken next, `finish` the end of the turn once it is decided."""

    messages: Annotated[list[AnyMessage], add_messages]
    history: Annotated[list[Json], grow]
    flow: NotRequired[Json | None]
    budget: NotRequired[Json]
    question: NotRequired[str]
    agenda: NotRequired[list[Json]]
    finish: NotRequired[Json]
    focus: NotRequired[Json]
    pending: NotRequired[Json | None]


@dataclass(frozen=True)
class TurnBudget:
    """What a turn has used: `first` is the number of its first step, `spent` seconds without waiting for a person."""

    turn: int = 0
    first: int = 1
    spent: float = 0.0

    def dump(self) -> Json:
        """As JSON for the state."""
        return {"turn": self.turn, "first": self.first, "spent": self.spent}

    def after(self, seconds: float) -> Json:
        """As JSON, with `seconds` added."""
        return {**self.dump(), "spent": round(self.spent + seconds, 3)}


def budget_of(state: TroubleshootState) -> TurnBudget:
    """The budget of the present turn."""
    return TurnBudget(**state.get("budget", {}))


def focus_of(state: TroubleshootState) -> Focus:
    """What the conversation is about."""
    return Focus.model_validate(state.get("focus") or {})


def pending_of(state: TroubleshootState) -> Pending | None:
    """The pending question, if the last turn ended with one."""
    pending = state.get("pending")
    return Pending.model_validate(pending) if pending else None


def events_of(state: TroubleshootState) -> tuple[StepRecord, ...]:
    """All versions of the steps of the present turn."""
    first = budget_of(state).first
    return tuple(StepRecord.model_validate(event) for event in state.get("history", []) if _number(event) >= first)


def next_number(state: TroubleshootState) -> int:
    """The number of the next step; counted over the whole conversation."""
    return max(map(_number, state.get("history", [])), default=budget_of(state).first - 1) + 1


def asked_by(messages: Sequence[AnyMessage]) -> str:
    """The text of the operator's last message."""
    latest = next((message for message in reversed(messages) if isinstance(message, HumanMessage)), None)
    return sanitize(str(latest.text)).strip()[:_LONGEST] if latest else ""


def before(messages: Sequence[AnyMessage]) -> str:
    """The last exchanges as prompt text."""
    earlier = [message for message in messages[:-1] if message.text][-_EXCHANGED:]
    speakers = {"human": "Operator", "ai": "Assistant"}
    return "\n".join(
        f"{speakers.get(message.type, message.type)}: {one_line(str(message.text), _SAID)}" for message in earlier
    )


def forget(messages: Sequence[AnyMessage], remembered: int) -> list[AnyMessage | RemoveMessage]:
    """The updates that trim the messages: the oldest are removed, older ones lose their structured answer.

    `remembered` messages stay. The logbook holds the complete conversation.
    """
    cut = max(len(messages) - remembered, 0)
    removed = [RemoveMessage(id=str(message.id)) for message in messages[:cut]]
    answered = [message for message in messages[cut:] if isinstance(message, AIMessage)]
    return [*removed, *(_without_answer(message) for message in answered[:-_WHOLE] if _answer(message))]


def _answer(message: AIMessage) -> Json | None:
    structured = message.additional_kwargs.get(KEY)
    return structured.get("answer") if isinstance(structured, dict) else None


def _without_answer(message: AIMessage) -> AIMessage:
    structured = {**message.additional_kwargs[KEY], "answer": None, "sources": []}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, KEY: structured}})


def _number(event: Json) -> int:
    return int(str(event["step"]).removeprefix("s"))
