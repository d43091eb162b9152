"""What the host of a procedure says about it: the others of the host vote, for as much as hosts tell in this web."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_BOUND = 3.5  # log-odds
_RATES = 0.1, 0.9  # bounds of the general rate


def host_votes(hosts: Sequence[str], chances: Vector) -> Vector:
    """Log-odds of every procedure from the other procedures of its host, which have these chances to be on the topic.

    They are weighted by what hosts tell here: by the correlation of the chances with those of the other procedures of
    the host, and by the probability that two procedures are of different hosts. On a web of one site, or of sites that
    write about everything, hosts say nothing.
    """
    if not hosts:
        return np.zeros(0)
    _, places = np.unique(np.array(hosts), return_inverse=True)
    sizes, sums = np.bincount(places), np.bincount(places, chances)
    rate = float(np.clip(chances.mean(), *_RATES))
    others = (sums[places] - chances + rate) / sizes[places]
    variety = 1 - float(np.square(sizes / len(hosts)).sum())
    odds = variety * _agreement(others, chances) * (_logit(others) - _logit(np.float64(rate)))
    return np.asarray(np.clip(odds, -_BOUND, _BOUND))


def _agreement(others: Vector, chances: Vector) -> float:
    """Their correlation; 0 when it is negative or there is none."""
    if min(others.std(), chances.std()) < 1e-9:
        return 0.0
    return max(0.0, float(np.corrcoef(others, chances)[0, 1]))


def _logit(rate: Vector | np.float64) -> Vector:
    return np.asarray(np.log(rate / (1 - rate)))
