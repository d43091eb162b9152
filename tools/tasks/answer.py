"""The task of answering, with its input and its answer.

The model answers in a few sentences that cite lines, and names steps that exist by id. Code checks every sentence
against its lines and prints the steps with their warnings (`tools/retriever/answer/answer.py`).
"""

from typing import Literal

from pydantic import Field, field_validator

from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task

_AROUND_ID = "[]? \"'"  # what stands around an id in the numbered lines, and is copied with it
AnswerForm = Literal["yes", "no", "amount", "which", "how", "not_stated"]


class AnswerAsk(Frozen):
    """A question and the procedure that was found for it."""

    question: str
    title: str
    document: str = Field(description="numbered lines with marked steps, by `soprag.tools.procedure.numbered_lines`")
    unsupported: list[str] = Field(
        default_factory=list, description="sentences of the answer before that their lines do not support, with reasons"
    )


class SentenceWithLines(Frozen):
    """One sentence of the answer and the lines that say so; without a text the lines answer in their own words."""

    text: str = ""
    lines: list[int] = Field(default_factory=list)


class AnswerDraft(Frozen):
    """The answer in sentences, and the steps that matter for it."""

    form: AnswerForm = Field(default="how", description="what sort of answer it is")
    answer: list[SentenceWithLines] = Field(default_factory=list, description="one or two sentences")
    steps: list[str] = Field(default_factory=list, description="ids of the steps that the operator needs, in order")
    first: str = Field(default="", description="id of the step to look at first, or empty")

    @field_validator("steps")
    @classmethod
    def _bare_steps(cls, ids: list[str]) -> list[str]:
        return [id.strip(_AROUND_ID) for id in ids]

    @field_validator("first")
    @classmethod
    def _bare_first(cls, id: str) -> str:
        return id.strip(_AROUND_ID)


ANSWER = Task("answer", AnswerAsk, AnswerDraft, compact=True)

TASKS = (ANSWER,)
