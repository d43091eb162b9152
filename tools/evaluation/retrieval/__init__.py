"""Retrieval evaluation on BEIR folders: systems, baselines, metrics, confidence intervals, tests, latency, report."""

from soprag.tools.evaluation.retrieval.baselines import open_baselines
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, BenchmarkQuery, read_benchmark
from soprag.tools.evaluation.retrieval.calibration import Calibration, CalibrationSetup, calibrate
from soprag.tools.evaluation.retrieval.folds import Fold, nested_folds
from soprag.tools.evaluation.retrieval.judge import EvaluationPlan, evaluate
from soprag.tools.evaluation.retrieval.records import BenchmarkResult, Evaluation, SystemResult
from soprag.tools.evaluation.retrieval.report import write_evaluation
from soprag.tools.evaluation.retrieval.systems import Kind, Stopwatch, System, SystemRanking

__all__ = [
    "Benchmark",
    "BenchmarkQuery",
    "BenchmarkResult",
    "Calibration",
    "CalibrationSetup",
    "Evaluation",
    "EvaluationPlan",
    "Fold",
    "Kind",
    "Stopwatch",
    "System",
    "SystemRanking",
    "SystemResult",
    "calibrate",
    "evaluate",
    "nested_folds",
    "open_baselines",
    "read_benchmark",
    "write_evaluation",
]
