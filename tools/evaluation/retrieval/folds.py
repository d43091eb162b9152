"""Splits questions so that nothing is fitted on what it reports: the questions of one SOP stay together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.errors import UsageError

Places = NDArray[np.intp]


@dataclass(frozen=True)
class Fold:
    """Places of the questions to fit on and of those to report on; `inner` splits the first once more, for choices."""

    fit: Places
    report: Places
    inner: tuple["Fold", ...] = ()


def nested_folds(groups: Places, k: int, seed: int, inner: int = 0) -> tuple[Fold, ...]:
    """`k` folds over questions whose groups are `groups` (see `Benchmark.groups`), each with `inner` folds inside.

    Every question is reported exactly once; no group is on both sides of any fold.
    Sizes are as even as the groups allow.
    """
    return tuple(_folds(groups, np.arange(len(groups)), k, seed, inner))


def _folds(groups: Places, places: Places, k: int, seed: int, inner: int) -> list[Fold]:
    part = _parts(groups[places], k, seed)
    folds = []
    for number in range(k):
        fit, report = places[part != number], places[part == number]
        inside = _folds(groups, fit, inner, seed + number + 1, 0) if inner else []
        folds.append(Fold(fit, report, tuple(inside)))
    return folds


def _parts(groups: Places, k: int, seed: int) -> Places:
    """For each question the number of its part: groups in random order, each to the part with the fewest questions."""
    names, number, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if k < 2 or len(names) < k:
        raise UsageError(
            f"Cannot make {k} folds of the questions of {len(names)} SOPs; give more questions, or 2 folds or more."
        )
    part = np.zeros(len(names), dtype=np.intp)
    filled = np.zeros(k, dtype=np.intp)
    for group in np.random.default_rng(seed).permutation(len(names)):
        part[group] = filled.argmin()
        filled[part[group]] += sizes[group]
    return part[number]
