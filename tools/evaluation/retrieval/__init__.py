"""Measures retrieval: any BEIR folder, any list of systems, strong baselines, intervals, tests, times and a report."""

from tools.evaluation.retrieval.baselines import open_baselines
from tools.evaluation.retrieval.benchmark import Benchmark, Query, read_benchmark
from tools.evaluation.retrieval.judge import Plan, evaluate
from tools.evaluation.retrieval.records import BenchmarkResult, Evaluation, SystemResult
from tools.evaluation.retrieval.report import write_evaluation
from tools.evaluation.retrieval.systems import Kind, Ranked, Stopwatch, System

__all__ = [
    "Benchmark",
    "BenchmarkResult",
    "Evaluation",
    "Kind",
    "Plan",
    "Query",
    "Ranked",
    "Stopwatch",
    "System",
    "SystemResult",
    "evaluate",
    "open_baselines",
    "read_benchmark",
    "write_evaluation",
]
