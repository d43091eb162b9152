"""The task of answering, with its input and its answer.

An answer can only choose and explain steps that exist: it names them by id, and their words, warnings and citations are
put there by code (`tools/retriever/answer/answer.py`).
"""

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task


class AnswerAsk(Frozen):
    """A question and the procedure that was found for it."""

    question: str
    title: str
    abstract: str
    flow: str = Field(description="the flow graph in lines, as `soprag.tools.procedure.linearise` writes it")


class ChosenStep(Frozen):
    """A step that answers the question, and in a few words why it matters there."""

    id: str
    why: str = Field(default="", description="a statement of one sentence, or empty")


class AnswerDraft(Frozen):
    """Which steps answer the question."""

    summary: str = Field(description="one sentence that says what the procedure does about the question")
    steps: list[ChosenStep]
    first: str = Field(default="", description="id of the step to look at first, or empty")


ANSWER = Task("answer", AnswerAsk, AnswerDraft)

TASKS = (ANSWER,)
