"""The task of choosing among the candidates of a search, with its input and its answer.

A candidate is named by its number; its sheet is written by code from the index (`tools/retriever/query/sheets.py`).
"""

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task


class ChooseAsk(Frozen):
    """A question and the sheets of the candidate procedures, each headed by its number in brackets."""

    question: str
    candidates: str


class CandidateChoice(Frozen):
    """Which candidates answer the question, what the operator wants, and how much each view should count."""

    intent: str = Field(description="in a few words, what the operator wants to achieve")
    fits: list[int] = Field(default_factory=list, description="numbers of candidates that answer it, the best first")
    partly: list[int] = Field(default_factory=list, description="numbers of candidates that help in part, best first")
    none_fits: bool = Field(default=False, description="no candidate answers the question")
    separating: str = Field(default="", description="a question to the operator that tells the fitting ones apart")
    entity: float = Field(default=0, ge=0, description="weight of alarms, parameters and equipment in the question")
    causal: float = Field(default=0, ge=0, description="weight of symptoms, causes and the question why")
    flow: float = Field(default=0, ge=0, description="weight of the question how something is done")


CHOOSE = Task("choose", ChooseAsk, CandidateChoice, compact=True)

TASKS = (CHOOSE,)
