"""Fallback of a model to the rules: a failed model degrades an answer instead of preventing it."""

import logging
from dataclasses import dataclass, field
from typing import Generic, Protocol, runtime_checkable

from soprag.tools.errors import ModelError
from soprag.tools.llm.base import LlmWrapper
from soprag.tools.llm.circuit import Circuit
from soprag.tools.tasks.task import Answer, Ask, Llm, Task

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AttributedAnswer(Generic[Answer]):
    """An answer, the name of the adapter that gave it, and the model's error (empty when the model answered).

    `outcome` is that error in a few words after the model's name, such as `gave no answer`.
    """

    answer: Answer
    author: str
    error: str = ""
    outcome: str = ""


@runtime_checkable
class AttributingLlm(Protocol):
    """An adapter with several authors."""

    async def attributed(self, task: Task[Ask, Answer], inputs: Ask) -> AttributedAnswer[Answer]:
        """The answer with its author."""
        ...


@dataclass(frozen=True)
class FallbackLlm(LlmWrapper):
    """Answers by `llm`; on `ModelError` it logs a warning and answers by `rules`, for a while without asking again."""

    rules: Llm
    circuit: Circuit = field(default_factory=Circuit)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The model's answer, or the rule's when the model fails."""
        return (await self.attributed(task, inputs)).answer

    async def attributed(self, task: Task[Ask, Answer], inputs: Ask) -> AttributedAnswer[Answer]:
        """The answer with its author."""
        reason = self.circuit.reason(task.name)
        if reason:
            return await self._ruled(task, inputs, f"{self.llm.name} {reason} and is not asked for a while.", reason)
        try:
            answer = await self.llm.ask(task, inputs)
        except ModelError as error:
            follows = self.circuit.failed(task.name, error)
            log.warning("%s: answered by the rules, for %s failed: %s%s", task.name, self.llm.name, error, follows)
            return await self._ruled(task, inputs, str(error), error.outcome)
        self.circuit.answered()
        return AttributedAnswer(answer, self.llm.name)

    async def _ruled(self, task: Task[Ask, Answer], inputs: Ask, error: str, outcome: str) -> AttributedAnswer[Answer]:
        return AttributedAnswer(await self.rules.ask(task, inputs), self.rules.name, error, outcome)


async def attributed(llm: Llm, task: Task[Ask, Answer], inputs: Ask) -> AttributedAnswer[Answer]:
    """The answer of any adapter with its author; raises `ModelError` when `llm` has no fallback and fails."""
    if isinstance(llm, AttributingLlm):
        return await llm.attributed(task, inputs)
    return AttributedAnswer(await llm.ask(task, inputs), llm.name)
