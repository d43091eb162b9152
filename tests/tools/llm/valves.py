"""A tiny task of our own: how many valves does a text name?"""

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task

PROMPT = "You tell how many valves a procedure names."
KEY = "sk-test-0123456789abcdef"


class Text(Frozen):
    """One text."""

    text: str


class Count(Frozen):
    """How many, and which is the first."""

    valves: int = Field(ge=0)
    first: str = ""


COUNT = Task("count-valves", Text, Count)
