"""The channels of the benchmark builder: ids of documents and SOPs, never their contents, which are files of the run.

Lists of fanned-out tasks are merged as sets, so that adding an id again has no effect.
"""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from soprag.tools.publishing import RunSummary

Topic = Annotated[str, Field(description="Topic of the benchmark, such as 'Data Center Maintenance'.")]
Source = Annotated[
    str, Field(description="Folder of documents to build from; empty: the web or the example library is searched.")
]
Run = Annotated[str, Field(description="Folder of the run; one that exists is gone on with, without one it is made.")]
Summary = Annotated[RunSummary, Field(description="The counts of the run and the folder of the benchmark.")]


def _union(old: list[str], new: list[str]) -> list[str]:
    return sorted({*old, *new})


class BenchmarkInput(TypedDict):
    """What to build a benchmark about."""

    topic: Topic
    source: NotRequired[Source]
    run: NotRequired[Run]


class BenchmarkOutput(TypedDict):
    """The run folder and its summary."""

    run: Run
    summary: Summary


class BenchmarkState(TypedDict):
    """The state of a run."""

    topic: Topic
    source: NotRequired[Source]
    run: NotRequired[Run]
    documents: Annotated[list[str], Field(description="Ids of the collected documents.")]
    parsed: Annotated[list[str], Field(description="Ids of the documents that are Markdown now."), _union]
    merged: Annotated[list[str], Field(description="Ids of the documents without those of the same words.")]
    audited: Annotated[list[str], Field(description="Ids of the documents that hold SOPs."), _union]
    sampled: Annotated[list[str], Field(description="Ids of the SOPs that get questions.")]
    examined: Annotated[list[str], Field(description="Ids of the SOPs that have questions."), _union]
    summary: Summary


class BenchmarkItem(TypedDict):
    """The input of one fanned-out task: which run, which item."""

    run: Run
    id: Annotated[str, Field(description="Id of the item of this task.")]
