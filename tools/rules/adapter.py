"""The rules adapter: every task answered by a documented rule; no model, no network, no key."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from soprag.tools.flow import choice_reply
from soprag.tools.function_runner import FunctionRunner, ThreadRunner
from soprag.tools.llm.base import MeteredLlm
from soprag.tools.rules import (
    answering,
    audit,
    card,
    causes,
    choosing,
    duties,
    entities,
    figures,
    flow,
    keywords,
    knowledge,
    page_relevance,
    planning,
    queries,
    questions,
    repair,
    research,
    routing,
    supporting,
    views,
)
from soprag.tools.rules.calculation import calculation
from soprag.tools.tasks.cost import Spent
from soprag.tools.tasks.task import Answer, Ask, Task

# Raise a rule's number whenever its answers change: artefacts made by the older rule are then made again.
RULES: dict[str, tuple[int, Callable[[Any], Any]]] = {
    "keywords": (1, keywords.propose),
    "queries": (1, queries.propose),
    "wanted": (1, page_relevance.judge),
    "figure": (1, figures.describe),
    "audit": (1, audit.audit),
    "card": (1, card.summarise),
    "questions": (2, questions.write),
    "extract": (6, views.extract),
    "entity": (1, entities.extract),
    "causal": (1, causes.extract),
    "flow": (6, flow.extract),
    "overlooked": (1, flow.overlooked),
    "route": (1, routing.route),
    "choose": (1, choosing.choose),
    "answer": (2, answering.answer),
    "support": (1, supporting.give_opinions),
    "bind": (1, duties.bind),
    "plan": (1, planning.plan),
    "repair": (1, repair.repair),
    "reply": (1, choice_reply.read),
    "plan_research": (1, research.plan),
    "phrase_search": (1, research.phrase),
    "summarise_lines": (1, research.summarise),
    "write_report": (1, research.write),
    "restate": (1, research.restate),
    "judge_report": (1, research.judge),
    "caption_picture": (1, research.caption),
    "knowledge": (1, knowledge.state),
    "chunk_context": (1, knowledge.describe),
    "chunk_entities": (1, knowledge.recognise),
    "chunk_relations": (1, knowledge.relate),
    "summarise_community": (1, knowledge.summarise),
    "code": (1, calculation.write),
    "math": (1, calculation.choose),
}


_WHOLE_DOCUMENT = frozenset({"audit"})  # tasks whose input is a document of any size, as its author left it


@dataclass(frozen=True)
class RulesLlm(MeteredLlm):
    """Answers every task by its rule; rules that read a whole document are run by `runner`, within its limits."""

    name: str = "rules"
    runner: FunctionRunner = field(default_factory=ThreadRunner)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The rule's answer, validated like a model's would be."""
        _, rule = RULES[task.name]
        self.meter.add(task.name, Spent(calls=1))
        if task.name in _WHOLE_DOCUMENT:
            return task.answers.model_validate(
                await self.runner.run(rule, inputs, document=getattr(inputs, "name", ""))
            )
        return task.answers.model_validate(rule(inputs))

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """`rules:<number of the rule>`."""
        return f"rules:{RULES[task.name][0]}"
