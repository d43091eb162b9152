import math

import numpy as np
import pytest

from soprag.tools.evaluation.retrieval.benchmark import BenchmarkQuery
from soprag.tools.evaluation.retrieval.measures import METRICS, measure, rank_of_first
from soprag.tools.evaluation.retrieval.systems import SystemRanking


def ranked(*scores: tuple[str, float]) -> SystemRanking:
    return SystemRanking(tuple(scores))


def falling(count: int) -> SystemRanking:
    return ranked(*((f"d{place}", float(-place)) for place in range(1, count + 1)))


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (1, [1, 1, 1, 1, 1, 1]),
        (3, [1 / 3, 0, 1, 1, 1, 0.5]),
        (4, [0.25, 0, 0, 1, 1, 1 / math.log2(5)]),
        (10, [0.1, 0, 0, 0, 1, 1 / math.log2(11)]),
        (11, [1 / 11, 0, 0, 0, 0, 0]),
        (99, [0, 0, 0, 0, 0, 0]),
    ],
)
def test_the_metrics_follow_from_the_place(place: int, expected: list[float]) -> None:
    query = BenchmarkQuery("q", "?", {f"d{place}": 1})
    assert METRICS == ("MRR", "Acc@1", "Acc@3", "Acc@5", "Acc@10", "nDCG@10")
    assert measure([query], [falling(20)])[0] == pytest.approx(expected)


def test_a_tie_is_never_lucky() -> None:
    query = BenchmarkQuery("q", "?", {"right": 1})
    assert rank_of_first(query, ranked(("right", 1.0), ("a", 1.0), ("b", 1.0), ("c", 0.5))) == 3
    assert measure([query], [ranked(("right", 1.0), ("a", 1.0))])[0][0] == 0.5


def test_of_several_answers_the_first_counts_and_ndcg_counts_all() -> None:
    query = BenchmarkQuery("q", "?", {"d2": 1, "d4": 1})
    values = measure([query], [falling(10)])[0]
    ideal = 1 + 1 / math.log2(3)
    assert values[0] == 0.5
    assert values[-1] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)


def test_a_question_without_hits_counts_as_a_miss() -> None:
    queries = [BenchmarkQuery("q1", "?", {"d1": 1}), BenchmarkQuery("q2", "?", {"d1": 1})]
    values = measure(queries, [ranked(), falling(3)])
    assert np.array_equal(values[:, 0], [0, 1])
    assert rank_of_first(queries[0], ranked()) is None


def test_the_order_of_the_list_does_not_matter_the_scores_do() -> None:
    query = BenchmarkQuery("q", "?", {"b": 1})
    assert rank_of_first(query, ranked(("a", 0.1), ("b", 0.9), ("b", 0.05))) == 1
