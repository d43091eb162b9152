"""The tasks of collecting documents from the web: what to search for, and whether a page is wanted."""

from typing import Any

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task


class QueriesAsk(Frozen):
    """What is looked for, what was asked already, and what came of it."""

    topic: str
    asked: list[str] = Field(default_factory=list)
    titles: list[str] = Field(default_factory=list, description="of documents that were found and kept")
    wanted: int = Field(default=12, ge=1, le=20)


class Queries(Frozen):
    """Search queries, the most useful first."""

    queries: list[str] = Field(max_length=20)


class WantedAsk(Frozen):
    """A page that was fetched for a topic."""

    topic: str
    name: str = Field(description="its title or file name")
    text: str = Field(description="Markdown, perhaps its beginning only")


class Wanted(Frozen):
    """Whether the page is a procedure, and on the topic."""

    is_procedure: bool
    on_topic: bool
    reason: str = Field(description="one sentence that names the evidence")


QUERIES = Task("queries", QueriesAsk, Queries)
WANTED = Task("wanted", WantedAsk, Wanted)

TASKS: tuple[Task[Any, Any], ...] = (QUERIES, WANTED)
