"""The Collector on a small mini web, in a process of its own: what it may never do, and what it must find."""

import pytest

from benchmarks.collection import LIMITS, kill_often, measure
from benchmarks.miniweb.web import MiniWeb

PATIENT = LIMITS.model_copy(update={"seconds": 500.0})


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_collector_is_polite_thrifty_and_precise() -> None:
    with MiniWeb.open(seed=11, size=15, count=1) as web:
        (topic,) = web.truth.topics
        figures = measure(web, topic, PATIENT)
    assert figures.violations == figures.outside == figures.duplicates == figures.refetched == 0
    assert figures.over == ()
    assert figures.precision >= 0.9, figures.wrong
    assert figures.recall >= 0.7, figures.missed


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_killed_collection_goes_on_and_pays_nothing_twice() -> None:
    with MiniWeb.open(seed=12, size=12, count=1) as web:
        (topic,) = web.truth.topics
        done = kill_often(web, topic, 3, PATIENT)
    assert (done.settled, done.searches) == (0, 0)
    assert (done.lost, done.extra) == ([], [])
