"""Which SOPs of a benchmark with real questions are examined when only some are."""

from pathlib import Path

from soprag.benchmarks.quality.prediction import some_sops
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, BenchmarkQuery
from soprag.tools.sop import Sop, Span

SOPS = tuple(Sop(id=id, title=id, text="", document=id, span=Span(start=1, end=1)) for id in "abcdefgh")
REAL = Benchmark(
    "real", Path(), SOPS, tuple(BenchmarkQuery(f"{sop.id}{n}", "", {sop.id: 1}) for sop in SOPS for n in "12")
)


def test_all_questions_of_so_many_sops_are_kept_over_the_whole_corpus() -> None:
    drawn = some_sops(REAL, 3, seed=1)
    assert drawn.corpus == SOPS
    assert len(drawn.queries) == 6
    assert len({query.id[0] for query in drawn.queries}) == 3


def test_the_seed_decides_and_a_larger_draw_holds_the_smaller() -> None:
    three = {query.id for query in some_sops(REAL, 3, seed=1).queries}
    five = {query.id for query in some_sops(REAL, 5, seed=1).queries}
    assert three < five
    assert some_sops(REAL, 3, seed=1) == some_sops(REAL, 3, seed=1)
    assert any(some_sops(REAL, 3, seed=seed) != some_sops(REAL, 3, seed=1) for seed in range(2, 6))
    assert some_sops(REAL, None, seed=1) == REAL
