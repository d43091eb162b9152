"""The collaborators of the knowledge builder: the graph of an index, its reader, and where documents are found."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakKeyDictionary

from pydantic import Field

from soprag.graphs.context import Collaborator, RunContext
from soprag.tools.knowledge.communities import Clustering
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import PendingDocument, SourceDocument
from soprag.tools.llm import Llm
from soprag.tools.retriever.index.index import Index
from soprag.tools.tasks.knowledge import CommunityAsk


class DocumentFiles(Protocol):
    """Finds and reads files; `find` blocks."""

    def find(self, source: str) -> list[PendingDocument]:
        """The documents of a file, folder or research run; none where it does not exist any more."""
        ...

    async def read(self, found: PendingDocument) -> SourceDocument:
        """The text of a file; raises `SopragError` where it cannot be read."""
        ...


@dataclass(frozen=True)
class KnowledgeWork:
    """The collaborators of a run; `calls` are the most that summaries may take, the others are made by `rules`."""

    library: KnowledgeLibrary
    index: Index
    reader: DocumentReader
    files: DocumentFiles
    llm: Llm
    rules: Llm
    clustering: Clustering
    calls: int
    concurrency: int
    asks: dict[str, CommunityAsk] = field(default_factory=dict)  # of the summaries that are missing, by digest
    gates: "WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]" = field(default_factory=WeakKeyDictionary)

    @property
    def gate(self) -> asyncio.Semaphore:
        """What limits the items under way; one for each event loop, since runs of one graph may have several."""
        # A semaphore of our own and never LangGraph's max_concurrency: with that, finished siblings are not saved.
        return self.gates.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self.concurrency))


class KnowledgeSource(Protocol):
    """Opens the graph that a run works on; it blocks."""

    def open(self) -> KnowledgeWork:
        """The collaborators, the same object every time."""
        ...


@dataclass(frozen=True)
class OpenedWork:
    """A graph that is open already."""

    work: KnowledgeWork

    def open(self) -> KnowledgeWork:
        """Its collaborators."""
        return self.work


class KnowledgeContext(RunContext):
    """The collaborators of the knowledge builder."""

    summary_calls: int | None = Field(
        default=None, ge=0, description="Most model calls for summaries in a run; empty: as the settings say."
    )
    graph: Collaborator[KnowledgeSource]
