"""The query path: candidates, router, scores, explanations, abstention.

retriever = Retriever.open(index, llm, settings.retriever)
ranking = await retriever.search("coolant pump tripped on overcurrent")
ranking = retriever.find("coolant pump tripped on overcurrent", keep=3)      the same where nothing awaits
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

import numpy as np

from soprag.configs.settings import RetrieverSettings
from soprag.tools.retriever.index.bm25 import Scored
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.candidates import anchor
from soprag.tools.retriever.query.clarify import near_duplicates, separate
from soprag.tools.retriever.query.confidence import confidences
from soprag.tools.retriever.query.explanation import Explainer
from soprag.tools.retriever.query.query import Query, read_question
from soprag.tools.retriever.query.ranking import RankedCandidates, rank
from soprag.tools.retriever.query.results import Ranking
from soprag.tools.retriever.query.router import Routed, Router, view_weights
from soprag.tools.retriever.query.similarity import SimilarityInput, SimilarityScores, is_late, weigh_evidence
from soprag.tools.tasks.task import Llm
from soprag.tools.text.terms import spaced


@dataclass
class Clock:
    """Seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        began = perf_counter()
        yield
        self.seconds[name] = perf_counter() - began


@dataclass(frozen=True)
class SearchTrace:
    """The encoded question with its routing, candidates and unweighted evidence."""

    query: Query
    routed: Routed
    candidates: list[Elements]
    evidence: SimilarityScores | None  # of the candidates, when there are some


@dataclass(frozen=True)
class Retriever:
    """Ranks the SOPs of an index for a question."""

    index: Index
    router: Router
    settings: RetrieverSettings

    @classmethod
    def open(cls, index: Index, llm: Llm, settings: RetrieverSettings) -> "Retriever":
        """On an index that was opened with its embedding model; `llm` routes."""
        return cls(index, Router(llm), settings)

    async def search(self, question: str, keep: int | None = None) -> Ranking:
        """The best `keep` procedures, each with its reasons; raises `UsageError` when nothing was asked."""
        clock = Clock()
        return self._rank(await self.look(question, clock), keep, clock)

    async def search_aside(self, question: str, keep: int | None = None) -> Ranking:
        """`search` with the computation in threads, so that the event loop of the caller only awaits the model."""
        clock = Clock()
        query = await asyncio.to_thread(self._read, question, clock)
        with clock.stage("route"):
            routed = await self.router.route(query.text)
        return await asyncio.to_thread(lambda: self._rank(self._weigh(query, routed, clock), keep, clock))

    def find(self, question: str, keep: int | None = None) -> Ranking:
        """`search` for callers that cannot await, also from inside a running event loop."""
        rankings: list[Ranking] = []

        async def fill() -> None:  # `asyncio.run` formats the result of its coroutine, which takes 10 ms
            rankings.append(await self.search(question, keep))

        try:
            asyncio.get_running_loop()
        except RuntimeError:
            asyncio.run(fill())
        else:
            with ThreadPoolExecutor(1) as thread:
                thread.submit(lambda: asyncio.run(fill())).result()
        return rankings[0]

    async def look(self, question: str, clock: Clock | None = None) -> SearchTrace:
        """Everything up to the ranking; raises `UsageError` when nothing was asked."""
        clock = clock or Clock()
        query = self._read(question, clock)
        with clock.stage("route"):
            routed = await self.router.route(query.text)
        return self._weigh(query, routed, clock)

    def _read(self, question: str, clock: Clock) -> Query:
        with clock.stage("embed"):
            return read_question(question, self.index, self.settings.rarity)

    def _weigh(self, query: Query, routed: Routed, clock: Clock) -> SearchTrace:
        with clock.stage("anchor"):
            candidates, scored = anchor(self.index, query, self.settings)
        if not candidates:
            return SearchTrace(query, routed, candidates, None)
        with clock.stage("score"):
            evidence = weigh_evidence(self._material(query, routed, candidates, scored))
        return SearchTrace(query, routed, candidates, evidence)

    def _rank(self, looked: SearchTrace, keep: int | None, clock: Clock) -> Ranking:
        weights = view_weights(looked.routed.scores, self.settings)
        routed = looked.routed
        ranking = partial(Ranking, question=looked.query.text, intent=routed.intent, warning=routed.warning)
        if looked.evidence is None:
            return ranking(abstained=True, weights=weights, seconds=clock.seconds)
        with clock.stage("rank"):
            ranked = rank(looked.evidence.parts, weights, self.settings)
            order = np.argsort(-ranked.total, kind="stable").tolist()  # ties by id, in whose order candidates are
        with clock.stage("explain"):
            hits = self._explain(looked, looked.evidence, ranked).hits(order[: keep or self.settings.keep])
            abstained = hits[0].confidence < self.settings.abstain
            separating = "" if abstained else separate(looked.query, hits, self.index, self.settings.separate)
            alike = tuple(hit.sop for hit in near_duplicates(hits, self.settings.separate)) if separating else ()
        entity, causal, flow = ranked.gates[order[0]].tolist()
        return ranking(
            hits=hits,
            abstained=abstained,
            weights=(entity, causal, flow),
            separating=separating,
            twins=alike,
            seconds=clock.seconds,
        )

    def _explain(self, looked: SearchTrace, evidence: SimilarityScores, ranked: RankedCandidates) -> Explainer:
        sure = confidences(evidence.parts)
        return Explainer(self.index, looked.query, looked.candidates, evidence, ranked, sure)

    def _material(self, query: Query, routed: Routed, candidates: list[Elements], scored: Scored) -> SimilarityInput:
        entities = () if is_late(query, self.settings) else tuple(entity.name for entity in routed.entities)
        names = self.index.embedder.embed([spaced(name) for name in entities])
        return SimilarityInput(query, entities, names, candidates, scored, self.settings)
