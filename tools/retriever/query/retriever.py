"""The query path: candidates, scores, the judgement of a model (or the router), explanations, abstention.

retriever = Retriever.open(index, llm, settings.retriever)
ranking = await retriever.search("coolant pump tripped on overcurrent")
ranking = retriever.find("coolant pump tripped on overcurrent", keep=3)      the same where nothing awaits
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, TypedDict, TypeVar

import numpy as np

from soprag.configs.settings import RetrieverSettings
from soprag.tools.llm.fallback import attributed
from soprag.tools.observe.spans import TraceSpan, span
from soprag.tools.retriever.index.bm25 import Scored
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.blas import limit_blas
from soprag.tools.retriever.query.candidates import anchor
from soprag.tools.retriever.query.clarify import near_duplicates, separate
from soprag.tools.retriever.query.confidence import confidence_features, confidences, likeliest, probabilities
from soprag.tools.retriever.query.explanation import Explainer
from soprag.tools.retriever.query.judgement import CandidateJudgement, JudgeReliability, pool
from soprag.tools.retriever.query.purpose import FITTED_TO, fitted_purpose
from soprag.tools.retriever.query.query import Query, embed_question, question_text
from soprag.tools.retriever.query.ranking import RankedCandidates, Scores, rank
from soprag.tools.retriever.query.results import RankedHit, Ranking
from soprag.tools.retriever.query.router import Routed, Router, view_weights
from soprag.tools.retriever.query.similarity import SimilarityInput, SimilarityScores, is_late, weigh_evidence
from soprag.tools.tasks.choice import CHOOSE, ChooseAsk
from soprag.tools.tasks.task import Llm
from soprag.tools.text.terms import spaced

T = TypeVar("T")
_LIKELY = 0.5  # confidence that a sure candidate has at least
_UNROUTED = Routed("", (), (0.0, 0.0, 0.0))  # leaves the prior of the weights as it is


class Runner(Protocol):
    """Calls a function, at once or in a thread."""

    async def __call__(self, function: Callable[..., T], /, *arguments: Any) -> T:  # noqa: ANN401 - any function
        """What `function(*arguments)` returns."""
        ...


class Verdict(TypedDict):
    """The fields of a `Ranking` that say whether something fits and what is asked back."""

    abstained: bool
    doubtful: bool
    separating: str
    twins: tuple[str, ...]


async def _at_once(function: Callable[..., T], /, *arguments: Any) -> T:  # noqa: ANN401 - any function
    return function(*arguments)


def _noted(searching: TraceSpan, ranking: Ranking) -> Ranking:
    """The ranking, its outcome set on the span of the search."""
    confidence = ranking.hits[0].confidence if ranking.hits else 0.0
    searching.set(hits=len(ranking.hits), abstained=ranking.abstained, confidence=round(confidence, 3))
    return ranking


@dataclass
class Clock:
    """Seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        with span(f"search {name}") as timed:
            yield
        self.seconds[name] = timed.seconds


@dataclass(frozen=True)
class SearchTrace:
    """The encoded question with its routing, candidates and unweighted evidence, and what a model judged of them.

    `shown` are the rows of the candidates with the best prior scores, in the order of their `sheets`.
    """

    query: Query
    routed: Routed
    candidates: list[Elements]
    evidence: SimilarityScores | None  # of the candidates, when there are some
    shown: tuple[int, ...] = ()
    sheets: str = ""
    judgement: CandidateJudgement | None = None


@dataclass(frozen=True)
class CandidateJudge:
    """Asks `llm` which of the `most` best candidates answer a question."""

    llm: Llm
    most: int

    async def judge(self, looked: SearchTrace) -> SearchTrace:
        """The trace with the judgement, none when the rules stood in, and with the routing of the same answer."""
        reply = await attributed(self.llm, CHOOSE, ChooseAsk(question=looked.query.text, candidates=looked.sheets))
        choice = reply.answer
        warning = f"The candidates stand as the search ordered them: {reply.error}" if reply.error else ""
        routed = Routed(choice.intent, (), (choice.entity, choice.causal, choice.flow), warning)
        judgement = None if reply.error else CandidateJudgement(choice, looked.shown, reply.author)
        return replace(looked, routed=routed, judgement=judgement)


@dataclass(frozen=True)
class Retriever:
    """Ranks the SOPs of an index for a question; without a `judge` the router weighs and the score decides.

    `reliability` is that of the judge, learned from its answers.
    """

    index: Index
    router: Router
    settings: RetrieverSettings
    judge: CandidateJudge | None = None
    reliability: JudgeReliability = field(default_factory=JudgeReliability)

    @classmethod
    def open(cls, index: Index, llm: Llm, settings: RetrieverSettings) -> "Retriever":
        """On an index that was opened with its embedding model; `llm` judges the candidates, the rules only route.

        BLAS gets one thread in this process, unless the environment says how many.
        """
        limit_blas()
        judging = settings.judged and settings.sim == "late" and llm.name != "rules"
        judge = CandidateJudge(llm, settings.judged) if judging else None
        return cls(index, Router(llm), settings, judge)

    async def search(self, question: str, keep: int | None = None) -> Ranking:
        """The best `keep` procedures, each with its reasons; raises `UsageError` when nothing was asked."""
        clock = Clock()
        with span("search") as searching:
            return _noted(searching, self._rank(await self.look(question, clock), keep, clock))

    async def search_aside(self, question: str, keep: int | None = None) -> Ranking:
        """`search` with the computation in threads, so that the event loop of the caller only awaits the model."""
        clock = Clock()
        with span("search") as searching:
            looked = await self._look(question, clock, asyncio.to_thread)
            return _noted(searching, await asyncio.to_thread(self._rank, looked, keep, clock))

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
        return await self._look(question, clock or Clock(), _at_once)

    async def _look(self, question: str, clock: Clock, run: Runner) -> SearchTrace:
        """`look` with the computation done by `run`; only the model is awaited in between."""
        text = question_text(question)
        if self.judge is None:
            with clock.stage("route"):
                routed = await self.router.route(text)
            return await run(self._weigh, text, routed, clock)
        looked = await run(self._shortlist, text, clock)
        if not looked.shown:
            return looked
        with clock.stage("judge"):
            return await self.judge.judge(looked)

    def shortlist(self, question: str, most: int) -> SearchTrace:
        """Everything before the judgement, with the sheets of the `most` best candidates."""
        return self._shown(self._weigh(question_text(question), _UNROUTED, Clock()), most)

    def order(self, looked: SearchTrace) -> list[str]:
        """The ids of all candidates of a trace, best first."""
        if looked.evidence is None:
            return []
        weights = view_weights(looked.routed.scores, self.settings)
        pooled, _ = self._pooled(rank(looked.evidence.parts, weights, self.settings), looked.judgement)
        return [looked.candidates[row].id for row in np.argsort(-pooled.total, kind="stable").tolist()]

    def _shortlist(self, text: str, clock: Clock) -> SearchTrace:
        assert self.judge is not None
        looked = self._weigh(text, _UNROUTED, clock)
        if self.is_sure(looked):
            return looked
        with clock.stage("sheets"):
            return self._shown(looked, self.judge.most)

    def is_sure(self, looked: SearchTrace) -> bool:
        """Whether the best candidate leads by so much that a judge is not asked."""
        if looked.evidence is None or not self.settings.sure or len(looked.candidates) < 2:
            return False
        totals = self._totals(looked)
        second, first = np.sort(totals)[-2:].tolist()
        sure = confidences(confidence_features(looked.evidence.parts, totals, len(looked.query.terms)))
        return first - second >= self.settings.sure and bool(sure[totals.argmax()] >= _LIKELY)

    def _totals(self, looked: SearchTrace) -> Scores:
        """The prior scores of the candidates, of which there are some."""
        assert looked.evidence is not None
        return rank(looked.evidence.parts, view_weights(looked.routed.scores, self.settings), self.settings).total

    def _shown(self, looked: SearchTrace, most: int) -> SearchTrace:
        from soprag.tools.retriever.query.sheets import SheetWriter

        if looked.evidence is None:
            return looked
        rows = np.argsort(-self._totals(looked), kind="stable").tolist()[:most]
        sheets = SheetWriter(looked.query, [looked.candidates[row] for row in rows]).write()
        return replace(looked, shown=tuple(rows), sheets=sheets)

    def _weigh(self, text: str, routed: Routed, clock: Clock) -> SearchTrace:
        with clock.stage("embed"):
            question = embed_question(text, self.index.embedder)
        with clock.stage("anchor"):
            query, candidates, scored = anchor(self.index, question, self.settings)
        if not candidates:
            return SearchTrace(query, routed, candidates, None)
        with clock.stage("score"):
            evidence = self._with_purpose(
                weigh_evidence(self._material(query, routed, candidates, scored)), query, candidates
            )
        return SearchTrace(query, routed, candidates, evidence)

    def _rank(self, looked: SearchTrace, keep: int | None, clock: Clock) -> Ranking:
        weights = view_weights(looked.routed.scores, self.settings)
        routed, judgement = looked.routed, looked.judgement
        ranking = partial(
            Ranking,
            question=looked.query.text,
            intent=routed.intent,
            warning=routed.warning,
            judge=judgement.by if judgement else "",
        )
        if looked.evidence is None:
            return ranking(abstained=True, weights=weights, seconds=clock.seconds)
        with clock.stage("rank"):
            ranked = rank(looked.evidence.parts, weights, self.settings)
            pooled, trusted = self._pooled(ranked, judgement)
            order = np.argsort(-pooled.total, kind="stable").tolist()  # ties by id, in whose order candidates are
        with clock.stage("explain"):
            order = self._present(looked.candidates, order)
            if not order:
                return ranking(abstained=True, weights=weights, seconds=clock.seconds)
            hits = self._explain(looked, looked.evidence, pooled).hits(order[: keep or self.settings.keep])
            verdict = self._verdict(looked, hits, pooled, trusted)
        entity, causal, flow = ranked.gates[order[0]].tolist()
        return ranking(hits=hits, weights=(entity, causal, flow), seconds=clock.seconds, **verdict)

    def _present(self, candidates: list[Elements], order: list[int]) -> list[int]:
        """The rows of the candidates that nobody has removed since they were read."""
        titles = self.index.titles([candidate.id for candidate in candidates])
        return [row for row in order if candidates[row].id in titles]

    def _pooled(self, ranked: RankedCandidates, judgement: CandidateJudgement | None) -> tuple[RankedCandidates, bool]:
        """The scores pooled with the judgement, and whether the judge is more likely reliable than not."""
        if judgement is None:
            return ranked, False
        reliability = self.reliability.learn(ranked.total, judgement)
        return replace(ranked, total=pool(ranked.total, judgement, reliability)), reliability > 0.5

    def _verdict(
        self, looked: SearchTrace, hits: tuple[RankedHit, ...], ranked: RankedCandidates, trusted: bool
    ) -> "Verdict":
        """Whether the search abstains, and what it asks back: by a trusted judge that judged, else by the rules."""
        judgement = looked.judgement
        choice = judgement.choice if judgement else None
        if judgement and trusted and choice and (choice.fits or choice.partly or choice.none_fits):
            alike = tuple(hit.sop for hit in hits if hit.fit == "fits")
            asks = judgement.choice.separating if len(alike) > 1 else ""
            none = judgement.choice.none_fits and not judgement.fits
            return {"abstained": none, "doubtful": False, "separating": asks, "twins": alike if asks else ()}
        assert looked.evidence is not None  # there are hits
        best = likeliest(looked.evidence.parts, ranked, len(looked.query.terms))
        sure = float(probabilities(best[None])[0])
        abstained = sure < self.settings.abstain
        contents = {candidate.id: candidate.content for candidate in looked.candidates}
        separating = "" if abstained else separate(looked.query, hits, contents, self.settings.separate)
        alike = tuple(hit.sop for hit in near_duplicates(hits, self.settings.separate)) if separating else ()
        doubtful = abstained and sure >= self.settings.doubt
        return {"abstained": abstained, "doubtful": doubtful, "separating": separating, "twins": alike}

    def _with_purpose(self, evidence: SimilarityScores, query: Query, candidates: list[Elements]) -> SimilarityScores:
        """The evidence with the agreement of purpose, in the embedding space that it is fitted to."""
        if not self.settings.purpose or self.index.model_name != FITTED_TO:
            return evidence
        gists = np.stack([candidate.gist for candidate in candidates])
        agreement = fitted_purpose().agreement(query.vector, gists, len(query.terms))
        return replace(evidence, parts=replace(evidence.parts, purpose=agreement))

    def _explain(self, looked: SearchTrace, evidence: SimilarityScores, ranked: RankedCandidates) -> Explainer:
        sure = confidences(confidence_features(evidence.parts, ranked.total, len(looked.query.terms)))
        return Explainer(looked.query, looked.candidates, evidence, ranked, sure, looked.judgement)

    def _material(self, query: Query, routed: Routed, candidates: list[Elements], scored: Scored) -> SimilarityInput:
        entities = () if is_late(query, self.settings) else tuple(entity.name for entity in routed.entities)
        names = self.index.embedder.embed([spaced(name) for name in entities]) if entities else query.vector[:0]
        return SimilarityInput(query, entities, names, candidates, scored, self.settings)
