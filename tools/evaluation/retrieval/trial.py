"""One system on one benchmark: indexed, asked every question, and timed."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

from soprag.tools.evaluation.retrieval.benchmark import Benchmark
from soprag.tools.evaluation.retrieval.systems import Kind, System, SystemRanking

TOTAL = "total"


@dataclass(frozen=True)
class Trial:
    """What a system answered to each question, and its time: to index (seconds by stage), and for every question."""

    name: str
    kind: Kind
    indexed: Mapping[str, float]
    rankings: tuple[SystemRanking, ...]
    seconds: tuple[float, ...]


def try_system(system: System, benchmark: Benchmark, k: int) -> Trial:
    """Index the corpus and ask every question for `k` SOPs."""
    indexed = system.index(benchmark.corpus)
    system.rank(benchmark.queries[0].text, k)  # warms what is loaded on first use; not timed
    rankings, seconds = [], []
    for query in benchmark.queries:
        began = perf_counter()
        rankings.append(system.rank(query.text, k))
        seconds.append(perf_counter() - began)
    return Trial(system.name, system.kind, indexed, tuple(rankings), tuple(seconds))
