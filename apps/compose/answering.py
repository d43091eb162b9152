"""What `soprag answer` does: opens the index, searches, answers."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from soprag.apps.compose import components
from soprag.apps.compose.retriever import open_retriever
from soprag.configs.settings import Settings
from soprag.tools.errors import UsageError
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.retriever.answer.answer import Answerer, SopAnswer
from soprag.tools.sop import Frozen, Span
from soprag.tools.text.sanitize import sanitize


@dataclass(frozen=True)
class AnswerCall:
    """The options of `soprag answer`, as given."""

    question: str
    folder: str | None = None
    profile: str | None = None
    model: str | None = None
    base_url: str | None = None

    def settings(self) -> Settings:
        """The settings of this call."""
        overrides = {"llm": {"model": self.model, "base_url": self.base_url}, "index": {"folder": self.folder}}
        options = {name: {k: v for k, v in keys.items() if v is not None} for name, keys in overrides.items()}
        return components.open_settings(components.choose_profile(self.profile, self.model), options)


@contextmanager
def opened(call: AnswerCall) -> Iterator[Answerer]:
    """What answers from the index of this call."""
    settings = call.settings()
    window = 0 if settings.llm.model == "rules" else settings.llm.max_input_characters
    with open_retriever(settings) as retriever:
        yield Answerer(retriever, retriever.index, retriever.router.llm, window)


class NumberedLine(Frozen):
    """One line of an SOP with its number."""

    number: int
    text: str


class StepSource(Frozen):
    """The original lines that a step and its warnings stand on."""

    sop: str
    title: str
    step: int
    lines: list[NumberedLine]

    def text(self) -> str:
        """The lines with their numbers."""
        width = len(str(self.lines[-1].number))
        return "\n".join(
            [f"{self.title} ({self.sop})", *(f"{line.number:>{width}}| {line.text}" for line in self.lines)]
        )


def ask(call: AnswerCall) -> SopAnswer:
    """The answer to the question of this call."""
    with opened(call) as answerer:
        return asyncio.run(answerer.answer(call.question))


def ask_source(call: AnswerCall, number: int) -> StepSource:
    """The lines that step `number` of the answer cites; raises `UsageError` when it has fewer steps."""
    with opened(call) as answerer:
        answer = asyncio.run(answerer.answer(call.question))
        if number > len(answer.steps):
            raise UsageError(f"{answer.title!r} has {len(answer.steps)} steps; there is no step [{number}].")
        return source_of(answer, number, answerer.shelf.sop(answer.sop).body)


def source_of(answer: SopAnswer, number: int, body: str) -> StepSource:
    """The lines of one step of the answer, with those of its warnings."""
    lines = body.split("\n")
    rows = [
        NumberedLine(number=line_number, text=sanitize(lines[line_number - 1]))
        for line_number in cited(answer.steps[number - 1])
    ]
    return StepSource(sop=answer.sop, title=answer.title, step=number, lines=rows)


def cited(step: ShownStep) -> list[int]:
    """The numbers of all lines of a step and its warnings, ascending."""
    spans: list[Span] = [step.lines, *(warning.lines for warning in step.warnings)]
    return sorted({line for span in spans for line in range(span.start, span.end + 1)})
