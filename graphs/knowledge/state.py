"""The channels of the knowledge builder: ids and counts; documents, facts and summaries are rows of the index.

Lists of fanned-out tasks are merged by id, so that repeating a task changes nothing.
"""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from soprag.tools.knowledge.community_store import ClusterReport
from soprag.tools.knowledge.records import PendingDocument
from soprag.tools.knowledge.report import KnowledgeReport
from soprag.tools.retriever.index.ingest import IngestOutcome

Sources = Annotated[
    list[str], Field(description="Files, folders and research runs to read; empty: the SOPs of the index.")
]
Update = Annotated[
    bool, Field(description="Read the SOPs and every source of the graph again, and remove documents that are gone.")
]
Communities = Annotated[
    bool, Field(description="Bring the communities up to date too, and make those summaries that are missing.")
]
Report = Annotated[KnowledgeReport, Field(description="What became of the documents, and the size of the graph.")]


def _by_id(old: list[IngestOutcome], new: list[IngestOutcome]) -> list[IngestOutcome]:
    outcomes = {outcome.sop: outcome for outcome in (*old, *new)}
    return [outcomes[id] for id in sorted(outcomes)]


def _union(old: list[str], new: list[str]) -> list[str]:
    return sorted({*old, *new})


class KnowledgeInput(TypedDict):
    """What to read into the graph; without anything the SOPs of the index."""

    sources: NotRequired[Sources]
    update: NotRequired[Update]
    communities: NotRequired[Communities]


class KnowledgeOutput(TypedDict):
    """The report of a run."""

    report: Report


class KnowledgeState(TypedDict):
    """The state of a run."""

    sources: NotRequired[Sources]
    update: NotRequired[Update]
    communities: NotRequired[Communities]
    documents: Annotated[list[PendingDocument], Field(description="The documents to read.")]
    outcomes: Annotated[list[IngestOutcome], Field(description="What became of each document, by id."), _by_id]
    clusters: NotRequired[Annotated[ClusterReport, Field(description="The communities after clustering.")]]
    summarised: Annotated[list[str], Field(description="Digests of the summaries that were made."), _union]
    report: Report


class DocumentTask(TypedDict):
    """The input of one fanned-out task of reading."""

    document: Annotated[PendingDocument, Field(description="The document of this task.")]


class SummaryTask(TypedDict):
    """The input of one fanned-out task of summarising."""

    digest: Annotated[str, Field(description="Digest of the facts of the community.")]
    by_model: Annotated[bool, Field(description="Whether the model is asked; otherwise the summary is made of quotes.")]
