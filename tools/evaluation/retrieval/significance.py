"""Bootstrap confidence intervals and a paired randomisation test.

Questions on one SOP are correlated, so the resampling unit is the group of questions that share an SOP. When every
question has its own SOP, this is the usual bootstrap over questions.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BLOCK = 4_000_000  # numbers drawn at once, to bound memory


@dataclass(frozen=True)
class Interval:
    """A mean and the ends of its 95 % confidence interval, each with the shape of one question's values."""

    mean: Floats
    low: Floats
    high: Floats


def bootstrap(values: Floats, groups: NDArray[np.intp], draws: int, seed: int) -> Interval:
    """Percentile intervals of the mean of `values` (questions x anything) over its first axis.

    The same seed draws the same questions whatever the values, so that calls are paired.
    """
    sums, sizes = _by_group(values, groups)
    rng = np.random.default_rng(seed)
    means = []
    for count in _blocks(draws, len(sizes)):
        drawn = rng.multinomial(len(sizes), np.full(len(sizes), 1 / len(sizes)), size=count).astype(np.float64)
        means.append((drawn @ sums) / (drawn @ sizes)[:, None])
    low, high = np.percentile(np.concatenate(means), (2.5, 97.5), axis=0)
    shape = values.shape[1:]
    return Interval(values.mean(axis=0), low.reshape(shape), high.reshape(shape))


def flip_test(gains: Floats, groups: NDArray[np.intp], draws: int, seed: int) -> float:
    """Two-sided p of the paired randomisation test: how often random signs give a mean gain as far from 0."""
    sums, _ = _by_group(gains, groups)
    observed = abs(float(sums.sum()))
    rng = np.random.default_rng(seed)
    reached = 0
    for count in _blocks(draws, len(sums)):
        signs = rng.integers(0, 2, size=(count, len(sums))) * 2.0 - 1.0
        reached += int((np.abs(signs @ sums[:, 0]) >= observed - 1e-12).sum())
    return (1 + reached) / (1 + draws)


def _by_group(values: Floats, groups: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """The sums of the values of each group, flat, and how many each has."""
    _, number = np.unique(groups, return_inverse=True)
    flat = values.reshape(len(values), -1)
    sums = np.zeros((int(number.max()) + 1, flat.shape[1]))
    np.add.at(sums, number, flat)
    return sums, np.bincount(number).astype(np.float64)


def _blocks(draws: int, width: int) -> Iterator[int]:
    step = max(1, BLOCK // width)
    for begin in range(0, draws, step):
        yield min(step, draws - begin)
