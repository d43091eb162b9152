"""Adapter between the chat and the graph: input messages, streamed events, and pending interrupts."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, ValidationError

from soprag.apps.terminal.progress import ExpertProgress
from soprag.apps.terminal.requests import Waiting, read_waiting
from soprag.apps.terminal.stored_state import checkpoint_errors
from soprag.tools.approval import HumanDecision, build_response
from soprag.tools.flow.run import FlowRun
from soprag.tools.history import StepRecord
from soprag.tools.observe.spans import span
from soprag.tools.retriever.answer.answer import SopAnswer
from soprag.tools.sop import Frozen

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage
    from langgraph.graph.state import CompiledStateGraph

Kind = Literal["answer", "question", "nothing", "step", "note", "error"]


class SourceRef(Frozen, extra="ignore"):
    """One numbered source of an answer: lines of an SOP."""

    n: int
    sop: str
    title: str = ""
    lines: tuple[int, int] | None = None


class ChoiceShown(Frozen, extra="ignore"):
    """One of several procedures to choose from, or near ones when none fits."""

    n: int = 0
    sop: str = ""
    title: str = ""


class Spoken(Frozen, extra="ignore"):
    """One message of the agent: its plain text, complete by itself, and its parts for rich screens."""

    id: str = ""
    text: str
    kind: Kind = "note"
    answer: SopAnswer | None = None
    sources: tuple[SourceRef, ...] = ()
    choices: tuple[ChoiceShown, ...] = ()


class AnswerBlock(Frozen, extra="ignore"):
    """A finished block of an answer that is still being made."""

    text: str


Event = ExpertProgress | AnswerBlock | Spoken


class GraphStatus(Frozen, extra="ignore"):
    """What the graph knows of itself between two turns."""

    history: list[StepRecord] = Field(default_factory=list)
    flow: FlowRun | None = None
    messages: list[Any] = Field(default_factory=list)
    waiting: tuple[Waiting, ...] = ()
    unfinished: bool = False


@dataclass(frozen=True)
class Dialogue:
    """One thread of a compiled graph."""

    graph: "CompiledStateGraph[Any, Any, Any, Any]"
    thread: str
    context: Mapping[str, Any] = field(default_factory=dict)  # of every run, such as who the operator is

    @property
    def _config(self) -> Any:  # noqa: ANN401 - a RunnableConfig, which is imported late
        return {"configurable": {"thread_id": self.thread}}

    async def ask(self, text: str) -> AsyncIterator[Event]:
        """Put a message; events until the turn ends or a person is asked."""
        from langchain_core.messages import HumanMessage

        async for event in self._stream({"messages": [HumanMessage(text)]}):
            yield event

    async def decide(
        self, waiting: Sequence[Waiting], decisions: Sequence[Sequence[HumanDecision]]
    ) -> AsyncIterator[Event]:
        """Answer what the graph waits for: a decision for each request of each interrupt."""
        from langgraph.types import Command

        answers = {interrupt.id: build_response(chosen) for interrupt, chosen in zip(waiting, decisions, strict=True)}
        async for event in self._stream(Command(resume=answers)):
            yield event

    async def go_on(self) -> AsyncIterator[Event]:
        """Finish a turn that was cancelled or killed."""
        async for event in self._stream(None):
            yield event

    async def standing(self) -> GraphStatus:
        """What the checkpoint holds now; raises `StorageError` when it cannot be read."""
        with checkpoint_errors(self.thread):
            snapshot = await self.graph.aget_state(self._config)
        values = snapshot.values
        waiting = tuple(read_waiting(interrupt.id, interrupt.value) for interrupt in snapshot.interrupts)
        return GraphStatus(
            history=list(values.get("history") or []),
            flow=values.get("flow"),
            messages=list(values.get("messages") or []),
            waiting=waiting,
            unfinished=bool(snapshot.next) and not waiting,
        )

    async def _spoken_ids(self) -> set[str | None]:
        """The ids of all messages so far."""
        snapshot = await self.graph.aget_state(self._config)
        return {message.id for message in snapshot.values.get("messages") or ()}

    async def _stream(self, graph_input: Any) -> AsyncIterator[Event]:  # noqa: ANN401 - whatever the graph takes
        with span("turn", client="terminal", thread=self.thread), checkpoint_errors(self.thread):
            async for event in self._events(graph_input):
                yield event

    async def _events(self, graph_input: Any) -> AsyncIterator[Event]:  # noqa: ANN401 - whatever the graph takes
        # The checkpoint is written when the graph waits or ends (exit): a killed process goes on where it waited last,
        # and a session does not grow with every node.
        parts = self.graph.astream(
            graph_input,
            self._config,
            context=dict(self.context),
            stream_mode=["custom", "updates"],
            durability="exit",
        )
        known = await self._spoken_ids()
        async for mode, data in parts:
            if mode == "custom":
                event = _custom(data)
                if event is not None:
                    yield event
            elif isinstance(data, Mapping):
                for spoken in _spoken(data):
                    if spoken.id not in known:
                        yield spoken


def read_spoken(message: "AIMessage") -> Spoken:
    """A message of the agent; what cannot be read of its parts is left out, its text never is."""
    extra = message.additional_kwargs.get("soprag") or {}
    text = str(message.text)
    try:
        return Spoken.model_validate({**extra, "text": text, "id": message.id or ""})
    except ValidationError:
        return Spoken(text=text, id=message.id or "")


def _custom(data: object) -> Event | None:
    if not isinstance(data, Mapping):
        return None
    if data.get("kind") == "progress":
        return ExpertProgress.model_validate(data)
    return AnswerBlock(text=str(data.get("text", ""))) if data.get("kind") == "block" else None


def _spoken(updates: Mapping[str, Any]) -> list[Spoken]:
    from langchain_core.messages import AIMessage

    changes = [change for change in updates.values() if isinstance(change, Mapping)]
    messages = [message for change in changes for message in _listed(change.get("messages"))]
    return [read_spoken(message) for message in messages if isinstance(message, AIMessage) and message.text]


def _listed(messages: object) -> Sequence[object]:
    if isinstance(messages, Sequence) and not isinstance(messages, str):
        return messages
    return [] if messages is None else [messages]
