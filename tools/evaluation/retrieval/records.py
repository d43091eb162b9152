"""Evaluation records by benchmark, system and level, with intervals, tests and latencies."""

from soprag.tools.evaluation.retrieval.systems import Kind
from soprag.tools.sop import Frozen
from soprag.tools.store.panel_record import Estimate


class SystemComparison(Frozen):
    """A system against another, question by question: the gain in MRR, and p of the paired randomisation test."""

    other: str
    gain: Estimate
    p: float
    better: int
    worse: int
    same: int


class Latency(Frozen):
    """Milliseconds per question."""

    median: float
    p95: float


class SystemResult(Frozen):
    """One system on one benchmark.

    `levels` has the metrics of each level; `latency` and `index_seconds` are by stage, `total` included; `ranks` is the
    place of the first right SOP per question (None: not found); `weights` are the router's (entity, causal, flow).
    """

    name: str
    kind: Kind
    metrics: dict[str, Estimate]
    levels: dict[str, dict[str, Estimate]]
    against_baseline: SystemComparison | None
    against_full: SystemComparison | None
    latency: dict[str, Latency]
    index_seconds: dict[str, float]
    ranks: dict[str, int | None]
    weights: tuple[tuple[float, float, float], ...] | None


class BenchmarkResult(Frozen):
    """All systems on one benchmark; `best_baseline` has the highest MRR of the baselines, "" when none was run."""

    name: str
    path: str
    documents: int
    questions: int
    groups: int
    levels: dict[str, int]
    best_baseline: str
    systems: tuple[SystemResult, ...]


class Evaluation(Frozen):
    """An evaluation and how it was made: version, embedding model, cut-off, bootstrap draws and seed."""

    version: str
    created: str
    embedding: str
    k: int
    bootstrap: int
    seed: int
    benchmarks: tuple[BenchmarkResult, ...]

    def text(self) -> str:
        """The tables a person reads on a terminal."""
        from soprag.tools.evaluation.retrieval.tables import tables

        return tables(self)
