"""The rules adapter: every task answered by a documented rule; no model, no network, no key."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from soprag.tools.function_runner import FunctionRunner, ThreadRunner
from soprag.tools.llm.base import MeteredLlm
from soprag.tools.tasks.cost import Spent
from soprag.tools.tasks.task import Answer, Ask, Task

# Raise a rule's number whenever its answers change: artefacts made by the older rule are then made again.
# A rule is named by module and function below `soprag.tools`; it is imported with its first question.
RULES: dict[str, tuple[int, str]] = {
    "keywords": (1, "rules.keywords:propose"),
    "queries": (1, "rules.queries:propose"),
    "wanted": (1, "rules.page_relevance:judge"),
    "figure": (1, "rules.figures:describe"),
    "audit": (2, "rules.audit:audit"),
    "card": (1, "rules.card:summarise"),
    "questions": (9, "rules.questions:write"),
    "extract": (6, "rules.views:extract"),
    "entity": (1, "rules.entities:extract"),
    "causal": (1, "rules.causes:extract"),
    "flow": (6, "rules.flow:extract"),
    "overlooked": (1, "rules.flow:overlooked"),
    "route": (1, "rules.routing:route"),
    "choose": (1, "rules.choosing:choose"),
    "answer": (2, "rules.answering:answer"),
    "support": (1, "rules.supporting:give_opinions"),
    "bind": (1, "rules.duties:bind"),
    "plan": (1, "rules.planning:plan"),
    "repair": (1, "rules.repair:repair"),
    "reply": (1, "flow.choice_reply:read"),
    "plan_research": (1, "rules.research:plan"),
    "phrase_search": (1, "rules.research:phrase"),
    "summarise_lines": (1, "rules.research:summarise"),
    "write_report": (1, "rules.research:write"),
    "restate": (1, "rules.research:restate"),
    "judge_report": (1, "rules.research:judge"),
    "caption_picture": (1, "rules.research:caption"),
    "knowledge": (1, "rules.knowledge:state"),
    "chunk_context": (1, "rules.knowledge:describe"),
    "chunk_entities": (1, "rules.knowledge:recognise"),
    "chunk_relations": (1, "rules.knowledge:relate"),
    "summarise_community": (1, "rules.knowledge:summarise"),
    "code": (1, "rules.calculation.calculation:write"),
    "math": (1, "rules.calculation.calculation:choose"),
}


_WHOLE_DOCUMENT = frozenset({"audit"})  # tasks whose input is a document of any size, as its author left it


def rule_of(task: str) -> Callable[[Any], Any]:
    """The function that answers the task of that name: its input → its answer."""
    module, _, name = RULES[task][1].partition(":")
    function: Callable[[Any], Any] = getattr(import_module(f"soprag.tools.{module}"), name)
    return function


@dataclass(frozen=True)
class RulesLlm(MeteredLlm):
    """Answers every task by its rule; rules that read a whole document are run by `runner`, within its limits."""

    name: str = "rules"
    runner: FunctionRunner = field(default_factory=ThreadRunner)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The rule's answer, validated like a model's would be."""
        rule = rule_of(task.name)
        self.meter.add(task.name, Spent(calls=1))
        if task.name in _WHOLE_DOCUMENT:
            return task.answers.model_validate(
                await self.runner.run(rule, inputs, document=getattr(inputs, "name", ""))
            )
        return task.answers.model_validate(rule(inputs))

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """`rules:<number of the rule>`."""
        return f"rules:{RULES[task.name][0]}"
