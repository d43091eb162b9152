import numpy as np
import pytest

from soprag.tools.evaluation.retrieval import significance
from soprag.tools.evaluation.retrieval.significance import bootstrap, flip_test

EACH = np.arange(200)


def test_the_interval_of_a_mean_is_that_of_theory() -> None:
    values = (np.arange(200) % 2 == 0).astype(float)[:, None]
    interval = bootstrap(values, EACH, 10_000, 7)
    half = 1.96 * 0.5 / np.sqrt(200)
    assert interval.mean[0] == 0.5
    assert interval.low[0] == pytest.approx(0.5 - half, abs=0.006)
    assert interval.high[0] == pytest.approx(0.5 + half, abs=0.006)


def test_questions_on_one_sop_count_as_little_as_they_are_worth() -> None:
    values = np.repeat(np.arange(40) % 2, 5).astype(float)[:, None]
    alone = bootstrap(values, EACH, 2_000, 7)
    together = bootstrap(values, np.repeat(np.arange(40), 5), 2_000, 7)
    assert (together.high - together.low)[0] > 2 * (alone.high - alone.low)[0]


def test_the_seed_decides_and_blocks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).random((200, 3))
    whole, test = bootstrap(values, EACH, 500, 7), flip_test(values[:, 0] - 0.5, EACH, 500, 7)
    monkeypatch.setattr(significance, "BLOCK", 200 * 90)
    again = bootstrap(values, EACH, 500, 7)
    assert np.array_equal(whole.low, again.low)
    assert flip_test(values[:, 0] - 0.5, EACH, 500, 7) == test
    assert not np.array_equal(whole.low, bootstrap(values, EACH, 500, 8).low)


def test_a_clear_gain_is_sure_and_none_is_not() -> None:
    rng = np.random.default_rng(3)
    assert flip_test(rng.normal(0.5, 1, 200), EACH, 2_000, 7) < 0.01
    assert flip_test(np.zeros(200), EACH, 2_000, 7) == 1
    even = np.where(EACH % 2 == 0, 1.0, -1.0)
    assert flip_test(even, EACH, 2_000, 7) > 0.9


def test_the_test_is_right_about_chance() -> None:
    """Without a difference, p is below 0.1 about one time in ten, also when the questions of an SOP are alike."""
    rng, groups = np.random.default_rng(5), np.repeat(np.arange(40), 5)
    found = [flip_test(np.repeat(rng.normal(size=40), 5), groups, 400, seed) < 0.1 for seed in range(300)]
    assert 0.05 < np.mean(found) < 0.16
