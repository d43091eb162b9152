"""The knowledge graph composed: settings and an index become a library of documents and their reader."""

import asyncio
from collections.abc import Callable, Iterable
from contextvars import Context
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from soprag.apps.compose import services
from soprag.apps.compose.settings import cache_folder, input_window
from soprag.apps.compose.sources import Note
from soprag.configs.settings import Settings
from soprag.tools.errors import DocumentError, NothingFound
from soprag.tools.knowledge import grammars
from soprag.tools.knowledge.asking import AskLimits, KnowledgeReply, ask
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.communities import Clustering
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import DocumentKind, PendingDocument, SourceDocument
from soprag.tools.retriever.index import loaders
from soprag.tools.search import FoundDocument
from soprag.tools.search.folder import RUN, FolderSource
from soprag.tools.sop import Provenance

if TYPE_CHECKING:
    from soprag.graphs.knowledge.context import KnowledgeWork
    from soprag.graphs.knowledge.state import KnowledgeInput
    from soprag.tools.knowledge.report import KnowledgeReport
    from soprag.tools.llm import Llm
    from soprag.tools.retriever.index.index import Index

_CODE = grammars.SUFFIXES | {".py"}
_REPORT = "report"  # folder of a research run that holds what it published


@dataclass(frozen=True)
class OpenedKnowledge:
    """An open knowledge graph with the index it lies in and the reader of new documents."""

    library: KnowledgeLibrary
    index: "Index"
    reader: DocumentReader
    llm: "Llm"


def open_knowledge(settings: Settings, index: "Index", llm: "Llm | None" = None) -> OpenedKnowledge:
    """The knowledge graph of an open index; `llm` replaces the model that the settings name."""
    model = llm or services.open_llm(settings)
    chosen = settings.knowledge
    reader = DocumentReader(
        model, WindowLimits(chosen.window, chosen.overlap), chosen.mode, chosen.facts, input_window(settings)
    )
    return OpenedKnowledge(KnowledgeLibrary.open(index, chosen.cosine_similarity), index, reader, model)


def ask_settings(settings: Settings) -> AskLimits:
    """The limits of an answer."""
    chosen = settings.knowledge
    communities = chosen.communities if chosen.search == "communities" else 0
    return AskLimits(chosen.hops, chosen.paths, chosen.passages, communities)


def clustering(settings: Settings) -> Clustering:
    """How communities are made."""
    return Clustering(settings.knowledge.resolution, settings.knowledge.largest)


def open_work(settings: Settings, opened: OpenedKnowledge) -> "KnowledgeWork":
    """What the graph `knowledge` works with."""
    from soprag.graphs.knowledge.context import KnowledgeWork

    return KnowledgeWork(
        library=opened.library,
        index=opened.index,
        reader=opened.reader,
        files=KnowledgeFiles(settings),
        llm=opened.llm,
        rules=services.open_rules(),
        clustering=clustering(settings),
        calls=settings.knowledge.calls,
        concurrency=settings.run.concurrency,
    )


async def build_knowledge(
    settings: Settings, opened: OpenedKnowledge, request: "KnowledgeInput", note: Note
) -> "KnowledgeReport":
    """Run the graph `knowledge` to its end."""
    from soprag.graphs.knowledge import KnowledgeContext, create_knowledge_builder
    from soprag.graphs.knowledge.context import OpenedWork

    graph = create_knowledge_builder(context=KnowledgeContext(graph=OpenedWork(open_work(settings, opened))))
    async for part in graph.astream(request, stream_mode=["custom", "values"], version="v2"):
        if part["type"] == "custom":
            note(part["data"])
        elif part["type"] == "values":
            result = part["data"]
    report: KnowledgeReport = result["report"]
    return report


def follow_sops(settings: Settings, opened: OpenedKnowledge) -> None:
    """Read the SOPs of the index that are new or have changed; not from within a running event loop."""
    if opened.library.stale_sops(opened.reader):
        # Without the context variables of the caller: LangGraph would take the run for a part of the graph that asks.
        Context().run(asyncio.run, build_knowledge(settings, opened, {}, lambda event: None))


def lazily_asked(settings: Settings, index: "Index") -> Callable[[str, int], list[KnowledgeReply]]:
    """Answers questions from the graph of `index`; it is opened, and follows the SOPs of the index, when asked."""
    turn, opened = Lock(), list[OpenedKnowledge]()

    def answer(question: str, hops: int) -> list[KnowledgeReply]:
        with turn:
            if not opened:
                opened.append(open_knowledge(settings, index, services.open_rules()))
            graph = opened[0]
            follow_sops(settings, graph)
        limits = ask_settings(settings)
        return ask(graph.library, question, replace(limits, hops=min(hops, limits.hops)))

    return answer


@dataclass(frozen=True)
class KnowledgeFiles:
    """Files as documents of the graph; of a research run its report and its sources."""

    settings: Settings

    def find(self, source: str) -> list[PendingDocument]:
        """The documents of a file, folder or research run; none where it does not exist any more."""
        path = Path(source)
        path = path / _REPORT if (path / RUN).is_file() else path
        try:
            files = self._folder(path).find([]) if path.exists() else []
        except NothingFound:
            files = []
        locations = (file.provenance.location for file in files)
        kept = [location for location in locations if path.is_dir() or location == path.name]
        return [
            PendingDocument(id=document_id(path, location), kind="file", source=str(path.absolute()), location=location)
            for location in kept
        ]

    async def read(self, found: PendingDocument) -> SourceDocument:
        """The text of a file; raises `SopragError` where it cannot be read."""
        name, provenance = found.location.rpartition("/")[2], Provenance(origin="folder", location=found.location)
        folder = self._folder(Path(found.source))
        data = await asyncio.to_thread(folder.read, FoundDocument(name, provenance))
        return await _document(data, found, self.settings)

    def _folder(self, path: Path) -> FolderSource:
        return FolderSource(path if path.is_dir() else path.parent, self.settings.collect.max_bytes)


def document_id(source: Path, location: str) -> str:
    """The id of a file: below the name of its folder, so that two folders with a README have two documents."""
    folder = source.absolute().parent if source.name == _REPORT else source.absolute()
    return f"doc:{folder.name}/{location}" if source.is_dir() else f"doc:{location}"


async def _document(data: bytes, found: PendingDocument, settings: Settings) -> SourceDocument:
    suffix = Path(found.location).suffix.lower()
    kind: DocumentKind = "code" if suffix in _CODE else "text"
    make = partial(SourceDocument, id=found.id, kind=kind, source=found.source)
    if kind == "code" or suffix in loaders.TEXT:
        text = loaders.read_text(data, found.location, settings.parsing.max_characters)
        return make(title=found.location if kind == "code" else text.title, body=text.body)
    from soprag.agents.archivist import Archivist

    parsed = await Archivist(settings.parsing, cache_folder(settings)).parse(data, found.location)
    if not parsed.markdown.strip():
        raise DocumentError(f"{found.location!r} holds no text.")
    text = loaders.read_text(parsed.markdown.encode(), f"{found.location}.md", settings.parsing.max_characters)
    return make(title=text.title, body=text.body)


async def estimate(settings: Settings, opened: OpenedKnowledge, sources: Iterable[str]) -> tuple[int, int, int]:
    """What reading the sources takes: documents, calls, and about how many tokens they would send."""
    files = KnowledgeFiles(settings)
    found = [entry for source in sources for entry in files.find(source)]
    documents = [await files.read(entry) for entry in found]
    fresh = [document for document in documents if not opened.library.is_current(document, opened.reader.edition)]
    asked = [(opened.reader.calls(document), len(document.body) // 4) for document in fresh]
    return len(documents), sum(count for count, _ in asked), sum(tokens for count, tokens in asked if count)
