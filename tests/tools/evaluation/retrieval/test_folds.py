import numpy as np
import pytest

from soprag.tools.errors import UsageError
from soprag.tools.evaluation.retrieval import CalibrationSetup, EvaluationPlan, Fold, calibrate, nested_folds

GROUPS = np.repeat(np.arange(20), 5)
PLAN = EvaluationPlan(k=100, bootstrap=500, seed=7)


def apart(fold: Fold) -> bool:
    return not set(GROUPS[fold.fit]) & set(GROUPS[fold.report])


def test_no_sop_is_fitted_and_reported_also_inside() -> None:
    folds = nested_folds(GROUPS, 5, seed=1, inner=3)
    assert sorted(np.concatenate([fold.report for fold in folds])) == list(range(100))
    for fold in folds:
        assert apart(fold)
        assert len(fold.report) == 20
        assert all(apart(one) for one in fold.inner)
        inside = sorted(np.concatenate([one.report for one in fold.inner]))
        assert inside == sorted(fold.fit)


def test_the_seed_decides() -> None:
    first, again, other = (nested_folds(GROUPS, 5, seed)[0].report for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_too_few_sops_are_refused() -> None:
    with pytest.raises(UsageError, match="3 folds of the questions of 2 SOPs"):
        nested_folds(np.array([0, 0, 1]), 3, seed=1)


def test_a_real_gain_is_shown_and_learning_by_heart_is_not() -> None:
    rng = np.random.default_rng(2)
    good = rng.random(100)
    values = {0.0: good * 0.5, 1.0: good}
    honest = CalibrationSetup[float](
        fit=lambda places, _: max(values, key=lambda p: values[p][places].mean()),
        score=lambda parameter, places: values[parameter][places],
        default=0.0,
    )
    found = calibrate(honest, GROUPS, 5, 0, PLAN)
    assert found.parameters == 1.0
    assert found.gain.gain.low > 0
    parrot = CalibrationSetup[frozenset[int]](
        fit=lambda places, _: frozenset(places.tolist()),
        score=lambda known, places: np.array([1.0 if place in known else 0.3 for place in places]),
        default=frozenset(),
    )
    assert calibrate(parrot, GROUPS, 5, 3, PLAN).gain.gain.mean == 0
