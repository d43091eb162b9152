"""The knowledge graph composed: settings and an index become a library of documents and their reader."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from soprag.apps.compose import services
from soprag.apps.compose.settings import cache_folder, input_window
from soprag.apps.compose.sources import Note
from soprag.configs.settings import Settings
from soprag.tools.errors import DocumentError, NothingFound, SopragError
from soprag.tools.knowledge.asking import AskLimits, KnowledgeReply, ask
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.communities import Clustering
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import DocumentKind, SourceDocument
from soprag.tools.retriever.index import loaders
from soprag.tools.retriever.index.loaders import Unread
from soprag.tools.search.folder import RUN, FolderSource

if TYPE_CHECKING:
    from soprag.tools.llm import Llm
    from soprag.tools.retriever.index.index import Index

_CODE = ".py"
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


def lazily_asked(settings: Settings, index: "Index") -> Callable[[str, int], list[KnowledgeReply]]:
    """Answers questions from the graph of `index`; it is opened, and follows the SOPs of the index, when asked."""
    turn, opened = Lock(), list[OpenedKnowledge]()

    def answer(question: str, hops: int) -> list[KnowledgeReply]:
        with turn:
            if not opened:
                opened.append(open_knowledge(settings, index, services.open_rules()))
            graph = opened[0]
            graph.library.add_sops(index, graph.reader)
        limits = ask_settings(settings)
        return ask(graph.library, question, replace(limits, hops=min(hops, limits.hops)))

    return answer


async def read_documents(source: Path, settings: Settings, note: Note) -> tuple[list[SourceDocument], list[Unread]]:
    """The documents of a file or folder, of a research run its report and sources; and the files that were not read."""
    source = source / _REPORT if (source / RUN).is_file() else source
    files = FolderSource(source if source.is_dir() else source.parent, settings.collect.max_bytes)
    chosen = [file for file in files.find([]) if source.is_dir() or file.provenance.location == source.name]
    if not chosen:
        raise NothingFound(f"There is no document {str(source)!r}.")
    note({"stage": "read", "total": len(chosen)})
    documents: list[SourceDocument] = []
    unread: list[Unread] = []
    for file in chosen:
        location = file.provenance.location
        try:
            data = await asyncio.to_thread(files.read, file)
            documents.append(await _document(data, location, settings, source))
        except SopragError as error:
            unread.append(Unread(location, str(error)))
        note({"stage": "read", "item": location, "outcome": "read"})
    return documents, unread


def document_id(source: Path, location: str) -> str:
    """The id of a file: below the name of its folder, so that two folders with a README have two documents."""
    folder = source.absolute().parent if source.name == _REPORT else source.absolute()
    return f"doc:{folder.name}/{location}" if source.is_dir() else f"doc:{location}"


async def _document(data: bytes, location: str, settings: Settings, folder: Path) -> SourceDocument:
    id, source = document_id(folder, location), str(folder.absolute())
    suffix = Path(location).suffix.lower()
    kind: DocumentKind = "code" if suffix == _CODE else "text"
    if suffix == _CODE or suffix in loaders.TEXT:
        text = loaders.read_text(data, location, settings.parsing.max_characters)
        title = location if suffix == _CODE else text.title
        return SourceDocument(id=id, title=title, kind=kind, body=text.body, source=source)
    from soprag.agents.archivist import Archivist

    parsed = await Archivist(settings.parsing, cache_folder(settings)).parse(data, location)
    if not parsed.markdown.strip():
        raise DocumentError(f"{location!r} holds no text.")
    text = loaders.read_text(parsed.markdown.encode(), f"{location}.md", settings.parsing.max_characters)
    return SourceDocument(id=id, title=text.title, kind=kind, body=text.body, source=source)


def calls(opened: OpenedKnowledge, documents: Iterable[SourceDocument]) -> tuple[int, int]:
    """How many calls reading `documents` takes, and about how many tokens they would send."""
    fresh = [document for document in documents if not opened.library.is_current(document, opened.reader.edition)]
    asked = [(opened.reader.calls(document), len(document.body) // 4) for document in fresh]
    return sum(count for count, _ in asked), sum(tokens for count, tokens in asked if count)
