"""SOPRAG as systems to evaluate: as it is, as the paper writes it, and without each of its parts."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from soprag.configs.settings import IndexSettings, RetrieverSettings
from soprag.tools.embedding import Embedder
from soprag.tools.errors import DocumentError
from soprag.tools.evaluation.retrieval.systems import Kind, SystemRanking
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.sop import Sop
from soprag.tools.tasks.task import Llm

EVEN = (1.0, 1.0, 1.0)


@dataclass
class Built:
    """An index in a folder of its own, and the seconds it took."""

    corpus: tuple[Sop, ...]
    index: Index
    seconds: float
    folder: ExitStack

    def close(self) -> None:
        """Close the index and remove its folder."""
        self.index.close()
        self.folder.close()


@dataclass
class Builder:
    """Indexes a corpus once for all systems that search it, with or without the vectors of all elements."""

    embedder: Embedder
    extraction: Extraction
    settings: IndexSettings
    _built: dict[bool, Built] = field(default_factory=dict)

    def build(self, corpus: Sequence[Sop], every: bool) -> Built:
        """The index of `corpus`; raises `DocumentError` when an SOP cannot be indexed."""
        built = self._built.get(every)
        if built and built.corpus == tuple(corpus):
            return built
        if built:
            built.close()
        self._built[every] = self._make(tuple(corpus), every)
        return self._built[every]

    def close(self) -> None:
        """Close and remove the indexes."""
        while self._built:
            self._built.popitem()[1].close()

    def _make(self, corpus: tuple[Sop, ...], every: bool) -> Built:
        stack = ExitStack()
        path = Path(stack.enter_context(TemporaryDirectory(prefix="soprag-", ignore_cleanup_errors=True)))
        began = perf_counter()
        index = Index.open(path, self.embedder, self.settings.model_copy(update={"element_vectors": every}))
        asyncio.run(self._fill(index, corpus))
        return Built(corpus, index, perf_counter() - began, stack)

    async def _fill(self, index: Index, corpus: Sequence[Sop]) -> None:
        async for outcome in index.add(corpus, self.extraction):
            if outcome.event == "failed":
                raise DocumentError(f"SOP {outcome.sop!r} cannot be indexed: {outcome.reason}")


@dataclass
class Product:
    """The retriever with these settings."""

    name: str
    kind: Kind
    builder: Builder
    llm: Llm
    settings: RetrieverSettings
    _retriever: Retriever | None = None

    def index(self, corpus: Sequence[Sop]) -> Mapping[str, float]:
        """See `System`."""
        built = self.builder.build(corpus, every=self.settings.sim != "late")
        self._retriever = Retriever.open(built.index, self.llm, self.settings)
        return {"index": built.seconds}

    def rank(self, question: str, k: int) -> SystemRanking:
        """See `System`; every hit is explained, as it is for an operator."""
        assert self._retriever is not None
        ranking = self._retriever.find(question, k)
        return SystemRanking(tuple((hit.sop, hit.score) for hit in ranking.hits), ranking.seconds, ranking.weights)


def open_products(builder: Builder, llm: Llm, defaults: RetrieverSettings, paper: RetrieverSettings) -> list[Product]:
    """The product first, then the paper's form and the ablations of its Table 4."""
    changed = defaults.model_copy
    systems: list[tuple[str, Kind, RetrieverSettings]] = [
        ("soprag", "soprag", defaults),
        ("soprag-paper", "ablation", paper),
        ("no-card", "ablation", changed(update={"without": ("card",)})),
        ("no-entity", "ablation", changed(update={"without": ("entity",)})),
        ("no-causal", "ablation", changed(update={"without": ("causal",)})),
        ("no-flow", "ablation", changed(update={"without": ("flow",)})),
        ("no-router", "ablation", changed(update={"without": ("router",)})),
        ("average-weights", "ablation", changed(update={"without": ("router",), "prior": EVEN})),
    ]
    return [Product(name, kind, builder, llm, settings) for name, kind, settings in systems]
