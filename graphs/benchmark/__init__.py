"""The benchmark builder: a topic or a folder of documents becomes SOPs with questions, published as a benchmark."""

from soprag.graphs.benchmark.context import BenchmarkContext
from soprag.graphs.benchmark.graph import create_benchmark_builder

__all__ = ["BenchmarkContext", "create_benchmark_builder"]
