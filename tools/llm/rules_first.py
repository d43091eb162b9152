"""Rules before a model: a task that the rules answer exactly costs no request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from soprag.tools.llm.base import LlmWrapper
from soprag.tools.llm.fallback import AttributedAnswer, attributed
from soprag.tools.tasks.task import Answer, Ask, Llm, Task

ExactRules = Mapping[str, Callable[[Any], Any]]


@dataclass(frozen=True)
class RulesFirstLlm(LlmWrapper):
    """Answers by the rule in `exact` where it has an answer, else by `llm`.

    `exact` maps the name of a task to a rule that returns None where it is not certain; `rules` names the author.
    """

    exact: ExactRules
    rules: Llm

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The exact answer of the rules, or the model's."""
        return (await self.attributed(task, inputs)).answer

    async def attributed(self, task: Task[Ask, Answer], inputs: Ask) -> AttributedAnswer[Answer]:
        """The answer with its author."""
        rule = self.exact.get(task.name)
        answer = rule(inputs) if rule else None
        if answer is None:
            return await attributed(self.llm, task, inputs)
        return AttributedAnswer(task.answers.model_validate(answer), self.rules.name)
