"""The index composed: settings become an index on disk, the retriever over it, and the extraction of views."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from soprag.apps.compose import services
from soprag.apps.compose.settings import input_window
from soprag.configs.settings import Settings
from soprag.tools.retriever.index.index import Extraction, Index

if TYPE_CHECKING:
    from soprag.tools.llm import Llm
    from soprag.tools.retriever.index.extraction import Extractor
    from soprag.tools.retriever.query.retriever import Retriever


def judges_while_reading(llm: "Llm") -> bool:
    """Whether a model answers both the extraction and the audit, so that one request can do both."""
    from soprag.tools.llm.trust import answering
    from soprag.tools.tasks.benchmark import AUDIT
    from soprag.tools.tasks.retriever import EXTRACT

    return answering(llm, AUDIT).name != "rules" and answering(llm, EXTRACT).name != "rules"


def open_index(settings: Settings, *, embed: bool = True, create: bool = False) -> Index:
    """The index of these settings, which the caller closes.

    Without `embed` it lists and removes only. Raises `UsageError` when there is none and `create` is not set.
    """
    embedder = services.open_embedder(settings) if embed else None
    return Index.open(settings.index.folder, embedder, settings.index, create=create)


@contextmanager
def open_retriever(settings: Settings) -> "Iterator[Retriever]":
    """The retriever on the index of these settings, which must exist; closed at the end of the block."""
    from soprag.tools.retriever.query.retriever import Retriever

    with closing(open_index(settings)) as index:
        yield Retriever.open(index, services.with_fallback(services.open_llm(settings)), settings.retriever)


def extraction(settings: Settings, llm: "Llm", doubts: Mapping[str, str] | None = None) -> Extraction:
    """How views are extracted, with the fingerprint that tells when they have to be extracted again.

    Of the SOPs in `doubts`, by id, a model is asked whether they are procedures, with what the rules go by.
    """
    from soprag.tools.retriever.index.elements import LAYOUT
    from soprag.tools.tasks.retriever import EXTRACT

    views = extractor(settings, llm, doubts)
    vectors = f"{'e' if settings.index.element_vectors else ''}{settings.index.token_bits}"
    return Extraction(f"{views.mode}/{views.llm.fingerprint(EXTRACT)}/{LAYOUT}.{vectors}", views.extract)


def extractor(settings: Settings, llm: "Llm", doubts: Mapping[str, str] | None = None) -> "Extractor":
    """What extracts views, in windows that the model can take; `doubts` as in `extraction`."""
    from soprag.tools.llm.trust import answering
    from soprag.tools.retriever.index.extraction import Extractor
    from soprag.tools.tasks.retriever import EXTRACT

    llm = answering(llm, EXTRACT)
    return Extractor(llm, window=0 if llm.name == "rules" else input_window(settings), doubts=doubts or {})
