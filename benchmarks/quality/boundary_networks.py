"""Networks that judge title lines, fitted by gradient descent with dropout; the same rows give the same networks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.segmentation.boundary_model import Matrix, Networks

Floats = NDArray[np.float32]

_COUNT, _UNITS = 3, 48
_EPOCHS, _BATCH, _RATE = 30, 512, 2e-3
_DROPPED = 0.3  # share of the columns that each step does not see
_DECAY = 1e-3  # of the weights
_FIRST, _SECOND = 0.9, 0.999  # moments of Adam (Kingma and Ba 2015)


@dataclass(frozen=True)
class Cases:
    """Rows of one text with their truth; those of every corpus together weigh its `share`."""

    corpus: str
    rows: Matrix
    truth: Matrix
    weight: float
    share: float = 1.0


def importance(cases: Sequence[Cases]) -> Matrix:
    """The weight of every row: every corpus weighs the same, by its share."""
    whole: dict[str, float] = {}
    for case in cases:
        whole[case.corpus] = whole.get(case.corpus, 0.0) + case.weight * len(case.truth)
    mean = sum(whole.values()) / len(whole)
    rows: list[NDArray[np.float64]] = [
        np.full(len(c.truth), c.share * c.weight * mean / whole[c.corpus]) for c in cases
    ]
    return np.concatenate(rows)


def fit_networks(cases: Sequence[Cases]) -> Networks:
    """The networks of `cases`."""
    values, truth = np.vstack([case.rows for case in cases]), np.concatenate([case.truth for case in cases])
    weights = importance(cases)
    mean, scale = values.mean(0), values.std(0) + 1e-6
    empty = np.zeros(0)
    table = Networks(mean, scale, empty, empty, empty, empty).standardised(values).astype(np.float32)
    asked, even = truth.astype(np.float32), (weights / weights.mean()).astype(np.float32)
    fitted = [_Descent(table.shape[1], seed).run(table, asked, even) for seed in range(_COUNT)]
    inner, inner_bias, outer, outer_bias = (np.stack(each).astype(np.float64) for each in zip(*fitted, strict=True))
    return Networks(mean, scale, inner, inner_bias, outer, outer_bias)


class _Descent:
    """Adam on one network with one hidden layer of tanh units and the logistic loss."""

    def __init__(self, columns: int, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        inner = self._random.normal(0, columns**-0.5, (columns, _UNITS))
        outer = self._random.normal(0, _UNITS**-0.5, _UNITS)
        start = (inner, np.zeros(_UNITS), outer, np.array(-3.0))
        self._weights = [each.astype(np.float32) for each in start]
        self._moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self._weights]
        self._steps = 0

    def run(self, table: Floats, truth: Floats, weights: Floats) -> list[Floats]:
        """The fitted weights: inner, inner bias, outer, outer bias."""
        for epoch in range(_EPOCHS):
            order = self._random.permutation(len(table))
            for first in range(0, len(order), _BATCH):
                rows = order[first : first + _BATCH]
                seen = self._random.random((len(rows), table.shape[1]), np.float32) > _DROPPED
                self._step(
                    table[rows] * seen / (1 - _DROPPED), truth[rows], weights[rows], _RATE * (1 - epoch / _EPOCHS)
                )
        return self._weights

    def _step(self, rows: Floats, truth: Floats, weights: Floats, rate: float) -> None:
        inner, inner_bias, outer, outer_bias = self._weights
        hidden = np.tanh(rows @ inner + inner_bias)
        wrong = weights * (1 / (1 + np.exp(-(hidden @ outer + outer_bias))) - truth) / len(rows)
        back = np.outer(wrong, outer) * (1 - hidden * hidden)
        gradients = (rows.T @ back + _DECAY * inner, back.sum(0), hidden.T @ wrong + _DECAY * outer, wrong.sum())
        self._steps += 1
        for place, gradient in enumerate(gradients):
            first, second = self._moments[place]
            first = _FIRST * first + (1 - _FIRST) * gradient
            second = _SECOND * second + (1 - _SECOND) * gradient**2
            self._moments[place] = (first, second)
            even = first / (1 - _FIRST**self._steps) / (np.sqrt(second / (1 - _SECOND**self._steps)) + 1e-8)
            self._weights[place] = (self._weights[place] - rate * even).astype(np.float32)
