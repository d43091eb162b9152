"""The Collector on a small mini web, in a process of its own: what it may never do, and what it must find."""

import pytest

from soprag.benchmarks.collection import LIMITS, measure
from soprag.benchmarks.miniweb.web import MiniWeb

PATIENT = LIMITS.model_copy(update={"seconds": 500.0})


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_collector_is_polite_thrifty_and_precise() -> None:
    """A small web gives it little to learn from: `python -m benchmarks.collection` measures recall on whole ones."""
    with MiniWeb.open(seed=1, size=15, count=1) as web:
        (topic,) = web.truth.topics
        figures = measure(web, topic, PATIENT)
    assert figures.violations == figures.outside == figures.duplicates == figures.refetched == 0
    assert figures.over == figures.leaks == ()
    assert figures.precision >= 0.9, figures.wrong
    assert figures.recall >= 0.5, figures.missed
