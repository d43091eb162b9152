"""Every task of the Archivist, with its input and its answer."""

from typing import Any

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.picture import Picture
from soprag.tools.tasks.task import Task


class FigureAsk(Frozen):
    """A picture of a document of which the document itself says nothing, and the text it stands in."""

    around: str = Field(description="with `[the picture]` in its place")
    picture: Picture


class FigureSaid(Frozen):
    """What the picture shows; empty for decoration."""

    caption: str = Field(max_length=600)


DESCRIBE_FIGURE = Task("figure", FigureAsk, FigureSaid)

TASKS: tuple[Task[Any, Any], ...] = (DESCRIBE_FIGURE,)
