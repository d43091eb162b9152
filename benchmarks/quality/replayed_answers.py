"""Replays stored answers by task and problem, to evaluate the experts without a model."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from soprag.benchmarks.quality.problems import Problem
from soprag.tools.errors import UsageError
from soprag.tools.llm.base import MeteredLlm
from soprag.tools.tasks.cost import Spent
from soprag.tools.tasks.task import Answer, Ask, Task


@dataclass(frozen=True)
class PlayedLlm(MeteredLlm):
    """An `Llm` that returns the stored answer of a problem, or an empty answer when there is none."""

    answers: Mapping[str, Mapping[str, Any]]  # task → question → answer
    name: str = "played"

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The kept answer, validated like a model's."""
        self.meter.add(task.name, Spent(cached=1))
        recorded = self.answers.get(task.name, {}).get(getattr(inputs, "task", ""))
        empty = {"code": "", "why": "no answer is kept"} if task.name == "code" else {"call": None}
        return task.answers.model_validate(recorded or empty)

    def answered(self, task: str, problems: list[Problem]) -> list[Problem]:
        """The problems that `task` has an answer for."""
        return [problem for problem in problems if problem.question in self.answers.get(task, {})]

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """Kept answers do not follow prompts."""
        return "played"


def play(file: Path, problems: list[Problem]) -> PlayedLlm:
    """The answers kept in `file` as `{task: {problem id: answer}}`; raises `UsageError`."""
    questions = {problem.id: problem.question for problem in problems}
    try:
        recorded = json.loads(file.read_text(encoding="utf-8"))
        answers = {task: {questions[id]: answer for id, answer in by.items()} for task, by in recorded.items()}
    except (OSError, ValueError, AttributeError, ValidationError) as error:
        raise UsageError(f"Cannot read the kept answers {str(file)!r}: {error}.") from error
    except KeyError as strange:
        raise UsageError(f"{str(file)!r} answers a problem {strange} that is not in the file of problems.") from strange
    return PlayedLlm(answers)
