"""Worded calculations in free language: routed by the rules, computed, and scored; see docs/math.md.

A row with an `answer` can be computed by hand; a row without one lacks data or asks for a procedure, so that any value
is wrong. What is passed on is looked for among the procedures, and left to a model where there is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from soprag.agents.experts.math import PROTOCOL as MATH
from soprag.agents.experts.retrieval import PROTOCOL as RETRIEVAL
from soprag.benchmarks.quality.problems import Problem, judge
from soprag.tools.errors import UsageError
from soprag.tools.history import StepFailure
from soprag.tools.protocols import Expert, ToolCard, ToolProtocol, Work
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Llm
from soprag.tools.tasks.troubleshoot import PLAN, ActionAsk, Past

Outcome = Literal["right", "wrong", "passed on"]


class WordedQuestion(BaseModel):
    """A question in free language with its answer, or without one."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    topic: str
    question: str
    answer: float | None = None
    unit: str | None = ""
    rel_tol: float = Field(default=0.01, gt=0)


class WordedResult(Frozen):
    """What became of one question; `procedure` says that a procedure is looked for when nothing was computed."""

    question: str
    topic: str
    computable: bool
    outcome: Outcome
    procedure: bool = False
    value: str = ""


@dataclass(frozen=True)
class WordedReport:
    """The results of all questions."""

    results: tuple[WordedResult, ...]

    def render(self) -> str:
        """A table by topic, and the wrong values."""
        lines = [f"{'topic':<16}{'questions':>10}{'computable':>12}{'right':>7}{'wrong':>7}{'passed on':>11}"]
        topics = sorted({result.topic for result in self.results})
        lines += [_row(topic, [result for result in self.results if result.topic == topic]) for topic in topics]
        passed = [result for result in self.results if result.outcome == "passed on"]
        lines += [
            _row("all", self.results),
            f"{sum(r.procedure for r in passed)} of {len(passed)} passed on to retrieval",
        ]
        lines += [f"wrong: {result.question} -> {result.value}" for result in self.results if result.outcome == "wrong"]
        return "\n".join(lines)


def read_worded(file: Path) -> list[WordedQuestion]:
    """The rows of a JSONL file; raises `UsageError` when one is malformed."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [WordedQuestion.model_validate_json(line) for line in lines if line.strip()]
    except (OSError, ValidationError) as error:
        raise UsageError(f"Cannot read the questions of {str(file)!r}: {error}") from error


async def measure_worded(planner: Llm, calculator: Expert, questions: Sequence[WordedQuestion]) -> WordedReport:
    """Route and compute every question; `planner` answers the task `plan`."""
    return WordedReport(tuple([await _solve(planner, calculator, question) for question in questions]))


async def _solve(planner: Llm, calculator: Expert, question: WordedQuestion) -> WordedResult:
    ask = ActionAsk(question=question.question, tools=[_card(MATH), _card(RETRIEVAL)], left=4)
    plan = await planner.ask(PLAN, ask)
    failure, outcome, value = None, "passed on", ""
    if plan.tool == MATH.name:
        result = await calculator.work(Work(task=plan.step))
        failure = result if isinstance(result, StepFailure) else None
        if not isinstance(result, StepFailure):
            outcome, value = ("right" if _is_right(question, result) else "wrong"), result.text
    if failure is not None:
        past = Past(step="s1", tool=MATH.name, task=plan.step, status="failed", failure=failure.kind)
        plan = await planner.ask(PLAN, ask.model_copy(update={"history": [past], "left": 3}))
    return WordedResult(
        question=question.question,
        topic=question.topic,
        computable=question.answer is not None,
        outcome=outcome,  # type: ignore[arg-type]  # one of the three
        procedure=plan.tool == RETRIEVAL.name,
        value=value,
    )


def _is_right(question: WordedQuestion, result: object) -> bool:
    if question.answer is None:
        return False
    return judge(Problem.model_validate(question.model_dump()), result).right  # type: ignore[arg-type]  # an ExpertResult


def _card(protocol: ToolProtocol) -> ToolCard:
    return ToolCard(name=protocol.name, description=protocol.purpose)


def _row(name: str, results: Sequence[WordedResult]) -> str:
    outcomes = [sum(result.outcome == outcome for result in results) for outcome in ("right", "wrong", "passed on")]
    computable = sum(result.computable for result in results)
    return f"{name:<16}{len(results):>10}{computable:>12}{outcomes[0]:>7}{outcomes[1]:>7}{outcomes[2]:>11}"
