"""The task of a second opinion: whether cited lines support statements, with its input and its answer.

Code has compared names, numbers and units already; what is asked is what words mean: polarity, conditions, order, and
acts that the lines do not know.
"""

from typing import Any, Literal

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task


class CitedStatement(Frozen):
    """A statement with its number, the lines that it cites and the headings above them."""

    n: int = Field(ge=1)
    text: str
    cited: str
    headings: str = ""

    def shown(self) -> str:
        """The statement above its headings and lines."""
        path = " > ".join(filter(None, self.headings.split("\n")))
        return f"[{self.n}] {self.text}\nheadings: {path}\nlines:\n{self.cited}"


class SupportAsk(Frozen):
    """Statements of an answer to `question`."""

    question: str
    statements: list[CitedStatement]

    def prompt_fields(self) -> dict[str, Any]:
        """Every statement above its lines, as plain text."""
        rows = [statement.shown() for statement in self.statements]
        return {"question": self.question, "statements": "\n\n".join(rows)}


class SupportOpinion(Frozen):
    """What the lines say about the statement of the same number."""

    n: int
    differs: str = Field(default="", description="what the statement says otherwise than the lines; empty: nothing")
    verdict: Literal["supported", "contradicted", "not_said"]


class SupportOpinions(Frozen):
    """One opinion a statement."""

    opinions: list[SupportOpinion]


SUPPORT = Task("support", SupportAsk, SupportOpinions, compact=True)

TASKS = (SUPPORT,)
