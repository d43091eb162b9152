"""Retrieval evaluation on BEIR folders: systems, baselines, metrics, confidence intervals, tests, latency, report."""

from tools.evaluation.retrieval.baselines import open_baselines
from tools.evaluation.retrieval.benchmark import Benchmark, Query, read_benchmark
from tools.evaluation.retrieval.calibration import Bench, Calibration, calibrate
from tools.evaluation.retrieval.folds import Fold, nested_folds
from tools.evaluation.retrieval.judge import Plan, evaluate
from tools.evaluation.retrieval.records import BenchmarkResult, Evaluation, SystemResult
from tools.evaluation.retrieval.report import write_evaluation
from tools.evaluation.retrieval.systems import Kind, Ranked, Stopwatch, System

__all__ = [
    "Bench",
    "Benchmark",
    "BenchmarkResult",
    "Calibration",
    "Evaluation",
    "Fold",
    "Kind",
    "Plan",
    "Query",
    "Ranked",
    "Stopwatch",
    "System",
    "SystemResult",
    "calibrate",
    "evaluate",
    "nested_folds",
    "open_baselines",
    "read_benchmark",
    "write_evaluation",
]
