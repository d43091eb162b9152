"""Cross-validated parameter fitting, the framework of `soprag calibrate`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from soprag.tools.evaluation.retrieval.folds import Fold, Places, nested_folds
from soprag.tools.evaluation.retrieval.judge import EvaluationPlan, compare
from soprag.tools.evaluation.retrieval.measures import Values
from soprag.tools.evaluation.retrieval.records import SystemComparison

Parameters = TypeVar("Parameters")

Fit = Callable[[Places, tuple[Fold, ...]], Parameters]
Score = Callable[[Parameters, Places], Values]


@dataclass(frozen=True)
class Calibration(Generic[Parameters]):
    """What fitting gives: `parameters` fitted on all questions, those of each fold, and the honest gain.

    `before` and `after` are the values of every question with the defaults, and with parameters of a fold that has not
    seen it; `gain` compares them.
    """

    parameters: Parameters
    of_folds: tuple[Parameters, ...]
    before: Values
    after: Values
    gain: SystemComparison


@dataclass(frozen=True)
class CalibrationSetup(Generic[Parameters]):
    """How to fit and to score.

    `fit` gets the places of the questions it may see and inner folds of them for choices it makes; `score` gives one
    value per place, such as the reciprocal rank.
    """

    fit: Fit[Parameters]
    score: Score[Parameters]
    default: Parameters


def calibrate(
    bench: CalibrationSetup[Parameters], groups: Places, folds: int, inner: int, plan: EvaluationPlan
) -> Calibration[Parameters]:
    """Fit on each fold, report on the questions left out, and fit on all for use."""
    everything = np.arange(len(groups))
    before = bench.score(bench.default, everything)
    after = np.empty_like(before)
    fitted = []
    for fold in nested_folds(groups, folds, plan.seed, inner):
        parameters = bench.fit(fold.fit, fold.inner)
        after[fold.report] = bench.score(parameters, fold.report)
        fitted.append(parameters)
    chosen = bench.fit(everything, nested_folds(groups, inner, plan.seed) if inner else ())
    gain = compare(after, "defaults", before, groups, plan)
    return Calibration(chosen, tuple(fitted), before, after, gain)
