"""An index of procedures for Python programs: open, fill, search, and the context of the graphs that work on it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from soprag.apps.compose import index as composed
from soprag.apps.compose import services
from soprag.apps.compose.ingest import IndexReport, IngestPlan, ingest
from soprag.apps.compose.settings import CallOptions
from soprag.configs.settings import Settings
from soprag.tools.retriever.index.index import Index, Listed
from soprag.tools.retriever.index.loaders import kind_of

if TYPE_CHECKING:
    from langchain_core.retrievers import BaseRetriever

    from soprag.graphs.knowledge.context import KnowledgeContext
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.tools.procedure.plan import FlowPlan
    from soprag.tools.retriever.query.results import Ranking
    from soprag.tools.retriever.query.retriever import Retriever
    from soprag.tools.sop import Sop

T = TypeVar("T")


def open_index(
    folder: str | Path,
    *,
    profile: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    create: bool = True,
) -> "SopIndex":
    """The index of procedures in a folder or a PostgreSQL database; close it, or use it in a `with` block.

    Args:
        folder: Where the index is, or is to be: a folder, or a `postgresql://` URL.
        profile: `offline`, `openai`, `paper`, or the path of a TOML file. None chooses by the keys in the environment.
        model: The chat model as `provider:name`, or `rules` for none. None takes that of the profile.
        base_url: The address of an OpenAI-compatible server for the chat model.
        create: Whether a missing index is created empty.

    Raises:
        UsageError: there is no index and `create` is False.
        ConfigError: a setting is wrong.
    """
    settings = CallOptions(str(folder), profile, model, base_url).settings()
    return SopIndex(settings, composed.open_index(settings, create=create))


class SopIndex:
    """Procedures on disk, with their three views; made by `open_index`."""

    def __init__(self, settings: Settings, index: Index) -> None:
        self.settings = settings
        self.index = index
        self._retriever: Retriever | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self.index.size

    def close(self) -> None:
        """Close the files of the index."""
        self.index.close()

    def add(
        self,
        *sources: str | Path,
        on_progress: Callable[[dict[str, Any]], None] | None = None,
        keep: bool = False,
    ) -> IndexReport:
        """Add the procedures of files, folders, benchmark folders or run folders; what has not changed costs nothing.

        Files that the Auditor finds to be no procedures are left out, unless `keep` is true.
        `on_progress` is called with `{"stage", "total"}` and `{"stage", "item", "outcome"}`. Raises `NothingFound` when
        the index is empty afterwards; a file that cannot be used is in the report's `unread`.
        """
        names = [str(source) for source in sources]
        for source in names:
            kind_of(Path(source))
        note = on_progress or (lambda event: None)
        return run_apart(lambda: asyncio.run(ingest(self.index, names, self.settings, note, IngestPlan(keep=keep))))

    def remove(self, *ids: str) -> list[str]:
        """Remove procedures; the ids that were there."""
        return self.index.remove(ids)

    def list(self) -> "list[Listed]":
        """Every procedure: id, title, version, dates, source."""
        return self.index.listing()

    def sop(self, id: str) -> "Sop":
        """One procedure, verbatim; raises `UsageError` when it is not there."""
        return self.index.sop(id)

    def plan(self, id: str) -> "FlowPlan":
        """The steps of one procedure with their branches, for `create_procedure`."""
        from soprag.tools.procedure.plan import plan

        return plan(self.index.sop(id), self.index.views(id).flow)

    def search(self, question: str, k: int = 5) -> "Ranking":
        """The best `k` procedures with scores and reasons; `abstained` says that none fits."""
        return self.retriever.find(question, k)

    async def asearch(self, question: str, k: int = 5) -> "Ranking":
        """`search` beside the event loop."""
        return await self.retriever.search_aside(question, k)

    def as_retriever(self, k: int = 5) -> "BaseRetriever":
        """A LangChain retriever: a `Document` per procedure, verbatim, and none when none fits."""
        from soprag.tools.retriever.query.langchain import open_langchain

        return open_langchain(self.retriever, k)

    async def open_context(self, sessions: str | Path | None = None) -> "AgentContext":
        """The collaborators for `create_troubleshooter` and `create_guided_run` on this index.

        `sessions` is the folder for the logbook and the drafts of each thread; None keeps them in a temporary folder.
        """
        from soprag.apps.compose.troubleshooter import open_agent

        return await open_agent(self.settings, self.index, Path(sessions) if sessions else None)

    def open_knowledge_context(self) -> "KnowledgeContext":
        """The collaborators for `create_knowledge_builder` on this index."""
        from soprag.apps.compose.knowledge import open_knowledge, open_work
        from soprag.graphs.knowledge.context import KnowledgeContext, OpenedWork

        work = open_work(self.settings, open_knowledge(self.settings, self.index))
        return KnowledgeContext(graph=OpenedWork(work))

    @property
    def retriever(self) -> "Retriever":
        """The query path over the index, opened at its first use."""
        from soprag.tools.retriever.query.retriever import Retriever

        if self._retriever is None:
            llm = services.with_fallback(services.open_llm(self.settings))
            self._retriever = Retriever.open(self.index, llm, self.settings.retriever)
        return self._retriever


def run_apart(work: Callable[[], T]) -> T:
    """Do `work`, which starts an event loop, in a thread of its own when the caller runs in one already (notebooks)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
