"""What `soprag answer` does: opens the index, searches, answers."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from apps import compose, search
from configs.settings import Settings
from tools.errors import UsageError
from tools.flow.shown import ShownStep
from tools.retriever.answer import Answer, Answerer
from tools.sop import Frozen, Span
from tools.text.sanitize import sanitize


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
        return compose.open_settings(compose.choose_profile(self.profile, self.model), options)


@contextmanager
def opened(call: AnswerCall) -> Iterator[Answerer]:
    """What answers from the index of this call."""
    settings = call.settings()
    window = 0 if settings.llm.model == "rules" else settings.llm.max_input_characters
    with search.opened(settings) as retriever:
        yield Answerer(retriever, retriever.index, retriever.router.llm, window)


class SourceLine(Frozen):
    """One line of an SOP with its number."""

    number: int
    text: str


class Source(Frozen):
    """The original lines that a step and its warnings stand on."""

    sop: str
    title: str
    step: int
    lines: list[SourceLine]

    def text(self) -> str:
        """The lines with their numbers."""
        width = len(str(self.lines[-1].number))
        return "\n".join(
            [f"{self.title} ({self.sop})", *(f"{line.number:>{width}}| {line.text}" for line in self.lines)]
        )


def ask(call: AnswerCall) -> Answer:
    """The answer to the question of this call."""
    with opened(call) as answerer:
        return asyncio.run(answerer.answer(call.question))


def ask_source(call: AnswerCall, number: int) -> Source:
    """The lines that step `number` of the answer cites; raises `UsageError` when it has fewer steps."""
    with opened(call) as answerer:
        answer = asyncio.run(answerer.answer(call.question))
        if number > len(answer.steps):
            raise UsageError(f"{answer.title!r} has {len(answer.steps)} steps; there is no step [{number}].")
        return source_of(answer, number, answerer.shelf.sop(answer.sop).body)


def source_of(answer: Answer, number: int, body: str) -> Source:
    """The lines of one step of the answer, with those of its warnings."""
    lines = body.split("\n")
    rows = [
        SourceLine(number=line_number, text=sanitize(lines[line_number - 1]))
        for line_number in cited(answer.steps[number - 1])
    ]
    return Source(sop=answer.sop, title=answer.title, step=number, lines=rows)


def cited(step: ShownStep) -> list[int]:
    """The numbers of all lines of a step and its warnings, ascending."""
    spans: list[Span] = [step.lines, *(warning.lines for warning in step.warnings)]
    return sorted({line for span in spans for line in range(span.start, span.end + 1)})
