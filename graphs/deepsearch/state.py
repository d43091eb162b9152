"""The channels of DeepSearch: ids and numbers; the evidence and the versions of the report are files of the run."""

from typing import Annotated, NotRequired

from langchain.agents.middleware.human_in_the_loop import HITLRequest
from pydantic import Field
from typing_extensions import TypedDict

from soprag.tools.approval import HumanDecision
from soprag.tools.publishing.research import ResearchReport

Question = Annotated[str, Field(description="What is to be found out.")]
Run = Annotated[str, Field(description="Folder of the run; one that exists is gone on with, without one it is made.")]
Report = Annotated[
    ResearchReport, Field(description="The report: its parts, their sentences, and the sources of each.")
]


class DeepSearchInput(TypedDict):
    """The question of a piece of research."""

    question: Question
    run: NotRequired[Run]


class DeepSearchOutput(TypedDict):
    """The run folder and the report."""

    run: Run
    report: Report


class DeepSearchState(TypedDict):
    """The state of a piece of research."""

    question: Question
    run: NotRequired[Run]
    open: Annotated[list[str], Field(description="Ids of the subtasks to investigate.")]
    version: Annotated[int, Field(description="Number of the report's version, from 1.")]
    proposal: Annotated[HITLRequest, Field(description="What a person is asked about the version.")]
    decision: Annotated[HumanDecision | None, Field(description="What the person decided about the version.")]
    report: Report


class SubtaskItem(TypedDict):
    """The input of one fanned-out task."""

    run: Run
    id: Annotated[str, Field(description="Id of the item of this task.")]
