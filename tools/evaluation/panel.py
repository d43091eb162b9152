"""The panel of a benchmark: a fixed set of systems tried on its questions, and statistics of the questions by level."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from soprag.tools.evaluation.retrieval.benchmark import Benchmark
from soprag.tools.evaluation.retrieval.measures import rank_of_first
from soprag.tools.evaluation.retrieval.significance import bootstrap
from soprag.tools.evaluation.retrieval.systems import System
from soprag.tools.evaluation.retrieval.trial import Trial, try_system
from soprag.tools.questions.statistics import fingerprint, overlap, repeated_sentences
from soprag.tools.store.panel_record import BaselinePanel, Estimate, PanelLevel, PanelSystem

Floats = NDArray[np.float64]

PANEL = (
    "bm25",
    "bm25-pairs",
    "dense",
    "dense-passages",
    "hybrid-rrf",
    "hybrid",
    "hybrid-pairs",
    "hybrid-passages",
    "soprag",
)
# Below these numbers the order of the systems is chance.
FEWEST_SOPS = 5
FEWEST_QUESTIONS = 20
DIGITS = 4  # of a reported figure; the last bits of a sum depend on the machine


@dataclass(frozen=True)
class PanelPlan:
    """How deep to rank, how often and from which seed to draw the intervals, and the name of the embedding model."""

    k: int
    draws: int
    seed: int
    embedding: str = ""


@dataclass(frozen=True)
class PanelTrials:
    """The reciprocal rank of every question by every system of the panel (system x question)."""

    benchmark: Benchmark
    names: tuple[str, ...]
    reciprocal: Floats

    def mean(self) -> dict[str, float]:
        """The MRR of each system."""
        return dict(zip(self.names, map(float, self.reciprocal.mean(axis=1)), strict=True))

    def of_level(self, level: str) -> Floats:
        """The MRR of each system on the questions of one level."""
        means: Floats = self.reciprocal[:, self.benchmark.levels[level]].mean(axis=1)
        return means

    def by_document(self) -> dict[str, Floats]:
        """SOP id -> MRR over its questions, one value per system."""
        columns: dict[str, list[int]] = {}
        for index, query in enumerate(self.benchmark.queries):
            for sop in query.relevant:
                columns.setdefault(sop, []).append(index)
        return {sop: self.reciprocal[:, places].mean(axis=1) for sop, places in columns.items()}


@dataclass(frozen=True)
class PanelMeasurement:
    """Measures a benchmark by the systems that `open_systems` opens; its second value closes them."""

    open_systems: Callable[[], tuple[Sequence[System], Callable[[], None]]]
    plan: PanelPlan

    def measure(self, benchmark: Benchmark, note: Callable[[str], None] = lambda _: None) -> BaselinePanel:
        """The record of the panel on `benchmark`; without systems where it is too small."""
        if reason := too_small(benchmark):
            return skipped(benchmark, reason)
        systems, close = self.open_systems()
        try:
            return summarise(try_panel(benchmark, systems, self.plan.k, note), self.plan)
        finally:
            close()


def too_small(benchmark: Benchmark) -> str:
    """Why the benchmark is too small for a panel; empty when it is not."""
    if len(benchmark.corpus) < FEWEST_SOPS:
        return f"{len(benchmark.corpus)} SOPs; at least {FEWEST_SOPS} are needed to tell systems apart."
    if len(benchmark.queries) < FEWEST_QUESTIONS:
        return f"{len(benchmark.queries)} questions; at least {FEWEST_QUESTIONS} are needed to tell systems apart."
    return ""


def try_panel(
    benchmark: Benchmark, systems: Sequence[System], k: int, note: Callable[[str], None] = lambda _: None
) -> PanelTrials:
    """Ask every system every question; `note` hears the name of each system when it is done."""
    rows = []
    for system in systems:
        rows.append(_reciprocal(benchmark, try_system(system, benchmark, k)))
        note(system.name)
    return PanelTrials(benchmark, tuple(system.name for system in systems), np.array(rows))


def summarise(trials: PanelTrials, plan: PanelPlan) -> BaselinePanel:
    """The record of these trials."""
    benchmark = trials.benchmark
    systems = [_system(name, row, benchmark, plan) for name, row in zip(trials.names, trials.reciprocal, strict=True)]
    return BaselinePanel(
        benchmark=_fingerprint(benchmark),
        documents=len(benchmark.corpus),
        questioned=len({sop for query in benchmark.queries for sop in query.relevant}),
        questions=len(benchmark.queries),
        levels=level_statistics(benchmark, trials.reciprocal.mean(axis=0)),
        systems=tuple(sorted(systems, key=lambda system: (-system.mrr.mean, system.name))),
        embedding=plan.embedding,
        draws=plan.draws,
        seed=plan.seed,
    )


def skipped(benchmark: Benchmark, reason: str) -> BaselinePanel:
    """The record of a panel that was not tried."""
    questioned = {sop for query in benchmark.queries for sop in query.relevant}
    return BaselinePanel(
        benchmark=_fingerprint(benchmark),
        documents=len(benchmark.corpus),
        questioned=len(questioned),
        questions=len(benchmark.queries),
        skipped=reason,
    )


def level_statistics(benchmark: Benchmark, reciprocal: Floats) -> tuple[PanelLevel, ...]:
    """Statistics of the questions by level; `reciprocal` has the reciprocal rank of each question."""
    sops = {sop.id: sop for sop in benchmark.corpus}
    queries = benchmark.queries
    repeated = repeated_sentences([query.text for query in queries])
    golds = [sops[next(iter(query.relevant))] for query in queries]
    shared = [overlap(query.text, sop.title, sop.body) for query, sop in zip(queries, golds, strict=True)]
    return tuple(
        PanelLevel(
            level=level,
            questions=len(places),
            words=_rounded(fmean(len(queries[index].text.split()) for index in places)),
            mrr=_rounded(fmean(reciprocal[index] for index in places)),
            overlap=_rounded(fmean(shared[index] for index in places)),
            repeated=_rounded(
                sum(repeated[index][1] for index in places) / max(sum(repeated[index][0] for index in places), 1)
            ),
        )
        for level, places in benchmark.levels.items()
    )


def _fingerprint(benchmark: Benchmark) -> str:
    queries = [(query.id, query.text, query.level, query.relevant) for query in benchmark.queries]
    return fingerprint(benchmark.corpus, queries)


def _reciprocal(benchmark: Benchmark, trial: Trial) -> Floats:
    ranks = [rank_of_first(query, ranking) for query, ranking in zip(benchmark.queries, trial.rankings, strict=True)]
    return np.array([1 / rank if rank else 0.0 for rank in ranks])


def _system(name: str, reciprocal: Floats, benchmark: Benchmark, plan: PanelPlan) -> PanelSystem:
    def estimate(places: NDArray[np.intp]) -> Estimate:
        interval = bootstrap(reciprocal[places][:, None], benchmark.groups[places], plan.draws, plan.seed)
        mean, low, high = (_rounded(float(part[0])) for part in (interval.mean, interval.low, interval.high))
        return Estimate(mean=mean, low=low, high=high)

    levels = {level: estimate(np.array(places)) for level, places in benchmark.levels.items()}
    return PanelSystem(name=name, mrr=estimate(np.arange(len(reciprocal))), levels=levels)


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
