"""The SOPs with the largest sums over the terms of a question, found without adding up all sums (MaxScore).

Every term has a bound on what it adds. Terms are taken by falling bound, and what they add is summed for all SOPs that
have them, until all terms that are left could not together lift an SOP among the best k: such an SOP has at least one
of the terms taken so far. The rest, which are the frequent terms, are looked up for the few SOPs only that may still
be among the best (Turtle and Flood 1995; Strohman, Turtle and Croft 2005).
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Sums = NDArray[np.float64]

_SLACK = 1 - 1e-9  # sums in another order differ in their last bits


class BoundedTerm(Protocol):
    """A term with the SOPs that have it; what it adds to one is above 0 and at most `bound`."""

    @property
    def numbers(self) -> Numbers:
        """The SOPs, ascending."""

    @property
    def bound(self) -> float:
        """The most that it adds to one of them."""

    def gains(self, places: slice | Numbers) -> Sums:
        """What it adds to the SOPs at these places of `numbers`."""

    def places(self, wanted: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
        """The places of those of the `wanted` SOPs that have it, and which those are."""


def best(terms: Sequence[BoundedTerm], k: int) -> Numbers:
    """The `k` SOPs with the largest sums, all that tie with the last of them, and hardly any other; ascending."""
    if k < 1 or not terms:
        return np.zeros(0, np.int64)
    order = sorted(terms, key=lambda term: -term.bound)
    rest = [*accumulate([term.bound for term in reversed(order)], initial=0.0)][::-1]  # of the terms from here on
    sums, taken, least = _summed(order, rest, k)
    numbers = np.flatnonzero(sums)
    held = sums[numbers]
    for term, more in zip(order[taken:], rest[taken:], strict=False):
        least = max(least, _last_of(held, k))
        possible = held >= least * _SLACK - more
        numbers, held = numbers[possible], held[possible]
        places, there = term.places(numbers)
        held[there] += term.gains(places)
    return numbers[held >= _last_of(held, k) * _SLACK]


def _summed(order: Sequence[BoundedTerm], rest: Sequence[float], k: int) -> tuple[Sums, int, float]:
    """Sums by number over as many terms as are needed, their count, and what the best `k` have at least."""
    sums, least = np.zeros(max(int(term.numbers[-1]) for term in order) + 1), 0.0
    for taken, term in enumerate(order):
        if rest[taken] < least * _SLACK:
            return sums, taken, least
        sums[term.numbers] += term.gains(slice(None))
        least = max(least, _last_of(sums[term.numbers], k))
    return sums, len(order), least


def _last_of(sums: Sums, k: int) -> float:
    """The sum of the last of the best `k`; 0 when there are fewer."""
    return float(np.partition(sums, -k)[-k]) if len(sums) >= k else 0.0
