"""Ranking metrics per question by `ir_measures`: reciprocal rank, accuracy at k, nDCG."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from soprag.tools.errors import ConfigError
from soprag.tools.evaluation.retrieval.benchmark import BenchmarkQuery
from soprag.tools.evaluation.retrieval.systems import SystemRanking

Values = NDArray[np.float64]  # questions x METRICS

METRICS = ("MRR", "Acc@1", "Acc@3", "Acc@5", "Acc@10", "nDCG@10")


def measure(queries: Sequence[BenchmarkQuery], rankings: Sequence[SystemRanking]) -> Values:
    """The metrics of every question (0 to 1), cut where its ranking ends; the mean over questions is what is reported.

    Among equal scores the right SOP counts as the last, so that no tie is ever lucky.
    """
    try:
        from ir_measures import RR, Success, iter_calc, nDCG
    except ImportError as missing:
        advice = "`pip install soprag[evaluation]`, or `uv sync --extra evaluation` in the checkout"
        raise ConfigError(f"The metrics need ir_measures, which is not installed: {advice}.") from missing
    measures = (RR, Success @ 1, Success @ 3, Success @ 5, Success @ 10, nDCG @ 10)
    column = {measure: index for index, measure in enumerate(measures)}
    names = [str(index) for index in range(len(queries))]
    judged = {name: query.relevant for name, query in zip(names, queries, strict=True)}
    run = {name: _run(query, ranked) for name, query, ranked in zip(names, queries, rankings, strict=True)}
    values = np.zeros((len(queries), len(measures)))
    for score in iter_calc(measures, judged, run):
        values[int(score.query_id), column[score.measure]] = score.value
    return values


def in_order(query: BenchmarkQuery, ranked: SystemRanking) -> list[str]:
    """The ids by falling score, each once; among equals those that answer the question come last."""
    best = dict(sorted(ranked.hits, key=lambda hit: hit[1]))  # of an id twice, the better score
    return sorted(best, key=lambda sop: (-best[sop], sop in query.relevant))


def rank_of_first(query: BenchmarkQuery, ranked: SystemRanking) -> int | None:
    """The place of the first SOP that answers the question, from 1; None when it is not there."""
    places = (position for position, sop in enumerate(in_order(query, ranked), 1) if sop in query.relevant)
    return next(places, None)


def _run(query: BenchmarkQuery, ranked: SystemRanking) -> dict[str, float]:
    """Strictly falling scores: trec_eval would break ties by name."""
    order = in_order(query, ranked)
    return {sop: float(len(order) - position) for position, sop in enumerate(order)}
