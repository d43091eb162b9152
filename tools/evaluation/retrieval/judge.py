"""Runs systems on a benchmark and computes metrics, intervals, comparisons and latencies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.evaluation.retrieval.benchmark import Benchmark
from soprag.tools.evaluation.retrieval.measures import METRICS, Values, measure, rank_of_first
from soprag.tools.evaluation.retrieval.records import BenchmarkResult, Latency, SystemComparison, SystemResult
from soprag.tools.evaluation.retrieval.significance import Interval, bootstrap, flip_test
from soprag.tools.evaluation.retrieval.systems import System
from soprag.tools.evaluation.retrieval.trial import TOTAL, Trial, try_system
from soprag.tools.store.panel_record import Estimate

FULL = "soprag"  # the system that the ablations are compared with
MRR = METRICS.index("MRR")


@dataclass(frozen=True)
class EvaluationPlan:
    """How deep to rank, and how often and from which seed to draw."""

    k: int
    bootstrap: int
    seed: int


def evaluate(
    benchmark: Benchmark, systems: Sequence[System], plan: EvaluationPlan, note: Callable[[str], None] = lambda _: None
) -> BenchmarkResult:
    """Try all systems in turn; `note` hears the name of each when it is done."""
    trials = []
    for system in systems:
        trials.append(try_system(system, benchmark, plan.k))
        note(system.name)
    return judge(benchmark, trials, plan)


def judge(benchmark: Benchmark, trials: Sequence[Trial], plan: EvaluationPlan) -> BenchmarkResult:
    """The benchmark result of these trials."""
    values = {trial.name: measure(benchmark.queries, trial.rankings) for trial in trials}
    means = {trial.name: values[trial.name][:, MRR].mean() for trial in trials if trial.kind == "baseline"}
    best = max(means, key=lambda name: means[name], default="")
    judgement = _Judgement(benchmark, plan, values, best)
    return BenchmarkResult(
        name=benchmark.name,
        path=str(benchmark.path),
        documents=len(benchmark.corpus),
        questions=len(benchmark.queries),
        groups=len(np.unique(benchmark.groups)),
        levels={level: len(places) for level, places in benchmark.levels.items()},
        best_baseline=best,
        systems=tuple(judgement.of(trial) for trial in trials),
    )


@dataclass(frozen=True)
class _Judgement:
    """The values of all systems on one benchmark, to be compared."""

    benchmark: Benchmark
    plan: EvaluationPlan
    values: Mapping[str, Values]
    best: str

    def of(self, trial: Trial) -> SystemResult:
        values = self.values[trial.name]
        levels = self.benchmark.levels
        queries = list(zip(self.benchmark.queries, trial.rankings, strict=True))
        return SystemResult(
            name=trial.name,
            kind=trial.kind,
            metrics=self._estimates(values, np.arange(len(values))),
            levels={level: self._estimates(values, np.array(places)) for level, places in levels.items()},
            against_baseline=self._against(self.best, trial.name),
            against_full=self._against(FULL, trial.name) if trial.kind == "ablation" else None,
            latency=latency(trial),
            index_seconds={**trial.indexed, TOTAL: sum(trial.indexed.values())},
            ranks={query.id: rank_of_first(query, ranked) for query, ranked in queries},
            weights=_weights(trial),
        )

    def _estimates(self, values: Values, places: NDArray[np.intp]) -> dict[str, Estimate]:
        interval = self._bootstrap(values[places], self.benchmark.groups[places])
        return {name: estimate(interval, column) for column, name in enumerate(METRICS)}

    def _against(self, reference: str, name: str) -> SystemComparison | None:
        if reference == name or reference not in self.values:
            return None
        return compare(
            self.values[name][:, MRR], reference, self.values[reference][:, MRR], self.benchmark.groups, self.plan
        )

    def _bootstrap(self, values: Values, groups: NDArray[np.intp]) -> Interval:
        return bootstrap(values, groups, self.plan.bootstrap, self.plan.seed)


def compare(
    values: Values, reference: str, reference_values: Values, groups: NDArray[np.intp], plan: EvaluationPlan
) -> SystemComparison:
    """Paired comparison of `values` with `reference_values`, one value per question each."""
    gains = values - reference_values
    interval = bootstrap(gains[:, None], groups, plan.bootstrap, plan.seed)
    return SystemComparison(
        other=reference,
        gain=estimate(interval, 0),
        p=flip_test(gains, groups, plan.bootstrap, plan.seed),
        better=int((gains > 0).sum()),
        worse=int((gains < 0).sum()),
        same=int((gains == 0).sum()),
    )


def estimate(interval: Interval, column: int) -> Estimate:
    """One column of an interval."""
    mean, low, high = (float(part[column]) for part in (interval.mean, interval.low, interval.high))
    return Estimate(mean=mean, low=low, high=high)


def latency(trial: Trial) -> dict[str, Latency]:
    """Median and 95th percentile per stage; a stage that a question does not enter took no time there."""
    stages = list(dict.fromkeys(stage for ranked in trial.rankings for stage in ranked.seconds))
    times = {stage: [ranked.seconds.get(stage, 0.0) for ranked in trial.rankings] for stage in stages}
    times[TOTAL] = list(trial.seconds)
    both = {stage: np.percentile(np.array(seconds) * 1000, (50, 95)) for stage, seconds in times.items()}
    return {stage: Latency(median=float(median), p95=float(p95)) for stage, (median, p95) in both.items()}


def _weights(trial: Trial) -> tuple[tuple[float, float, float], ...] | None:
    """The weights of every question, when all have some."""
    weights = tuple(ranked.weights for ranked in trial.rankings if ranked.weights is not None)
    return weights if len(weights) == len(trial.rankings) else None
