"""The retriever composed: settings become an index with the query path over it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from soprag.apps.compose import components
from soprag.configs.settings import Settings
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.query.retriever import Retriever


@contextmanager
def open_retriever(settings: Settings) -> Iterator[Retriever]:
    """The retriever on the index of these settings, which must exist; closed at the end of the block."""
    embedder = components.open_embedder(settings)
    index = Index.open(Path(settings.index.folder), embedder, settings.index, create=False)
    try:
        llm = components.with_fallback(components.open_llm(settings))
        yield Retriever.open(index, llm, settings.retriever)
    finally:
        index.close()
