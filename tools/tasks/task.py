"""What a task is: the one kind of thing that is ever asked of a model."""

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

from soprag.tools.tasks.cost import Ledger

Ask = TypeVar("Ask", bound=BaseModel)
Answer = TypeVar("Answer", bound=BaseModel)


class CallableTool(Protocol):
    """A tool that a model may call as its answer."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    def function(self) -> dict[str, Any]:
        """Its name, description and parameters (JSON schema), as chat models take them."""
        ...


@runtime_checkable
class OffersTools(Protocol):
    """An input whose answer is the call of one of its tools."""

    def offered(self) -> tuple[CallableTool, ...]:
        """The tools; they are sent beside the messages, not in them."""
        ...


@runtime_checkable
class HasPromptFields(Protocol):
    """An input that is shown in another form than its fields, such as lines without repeated keys."""

    def prompt_fields(self) -> dict[str, Any]:
        """What stands between the tags of the user message, by tag."""
        ...


@dataclass(frozen=True)
class Task(Generic[Ask, Answer]):
    """A question with a typed input and a typed answer.

    `name` is also the name of its prompt file (`prompts/<name>.md`) and of its rule. In a `compact` answer fields with
    their default value are left out, which the strict form of a schema does not allow.
    """

    name: str
    asks: type[Ask]
    answers: type[Answer]
    compact: bool = False


class Llm(Protocol):
    """The one door to models: whoever answers, the answer is valid and typed."""

    @property
    def name(self) -> str:
        """Who answers, for records and cache keys, such as `openai:gpt-4o` or `rules`."""
        ...

    @property
    def ledger(self) -> Ledger:
        """What was asked through this door so far, and what it cost."""
        ...

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The answer to `task` for `inputs`; raises `ModelError` when there is none."""
        ...

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """What an answer depends on besides its input: model and prompt or rule version."""
        ...
