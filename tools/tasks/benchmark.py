"""Every task of the benchmark builder, with its input and its answer."""

from typing import Any

from pydantic import Field, model_validator

from soprag.tools.sop import Card, Frozen, Level
from soprag.tools.tasks.task import Task


class TopicAsk(Frozen):
    """The industrial topic of a benchmark."""

    topic: str


class Keywords(Frozen):
    """Search phrases that together cover a topic."""

    phrases: list[str] = Field(min_length=1, max_length=12)


class MarkdownAsk(Frozen):
    """One document as Markdown."""

    name: str = Field(description="file name, as a hint")
    markdown: str


class FilterAnswer(Frozen):
    """Is the document a standard operating procedure (or several)?"""

    is_sop: bool
    reason: str = Field(description="one sentence that names the evidence")
    confidence: float = Field(ge=0, le=1)


class SopPart(Frozen):
    """One atomic procedure inside a document, as line numbers of its Markdown."""

    title: str = Field(min_length=1)
    start: int = Field(ge=1)
    end: int = Field(ge=1)


class Preamble(Frozen):
    """Lines before or between the procedures that belong to every one of them."""

    start: int = Field(ge=1)
    end: int = Field(ge=1)


class Split(Frozen):
    """The atomic procedures of one document, in order and without overlap."""

    parts: list[SopPart] = Field(min_length=1)
    shared: list[Preamble] = Field(default_factory=list)


class DocumentVerdict(FilterAnswer):
    """Whether a document is an SOP (or several), and its atomic procedures in order."""

    parts: list[SopPart] = Field(default_factory=list)
    shared: list[Preamble] = Field(default_factory=list)

    @model_validator(mode="after")
    def _is_cut(self) -> "DocumentVerdict":
        if self.is_sop and not self.parts:
            raise ValueError("a document that is an SOP has at least one part: its title, first and last line")
        return self


class SopAsk(Frozen):
    """One atomic procedure."""

    title: str
    body: str


class Rejection(Frozen):
    """A question that failed its checks, and why, so that the next attempt does better."""

    level: Level
    text: str
    reason: str


class QuestionsAsk(Frozen):
    """A procedure to write operator questions for."""

    title: str
    body: str
    language: str = Field(description="ISO 639-1 code the questions are written in")
    siblings: list[str] = Field(description="titles of similar procedures the questions must not fit better")
    levels: list[Level] = Field(min_length=1, description="one question is wanted for each entry")
    rejected: list[Rejection] = Field(default_factory=list)


class DraftQuestion(Frozen):
    """One question with the verbatim words that answer it."""

    level: Level
    text: str = Field(min_length=3)
    evidence: str = Field(min_length=3, description="copied word for word from the procedure")


class DraftQuestions(Frozen):
    """The questions asked for, in any order."""

    questions: list[DraftQuestion]


KEYWORDS = Task("keywords", TopicAsk, Keywords)
AUDIT = Task("audit", MarkdownAsk, DocumentVerdict)
CARD = Task("card", SopAsk, Card)
QUESTIONS = Task("questions", QuestionsAsk, DraftQuestions)

TASKS: tuple[Task[Any, Any], ...] = (KEYWORDS, AUDIT, CARD, QUESTIONS)
