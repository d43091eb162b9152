"""Whether a page is a procedure where its wording leaves doubt: how common procedures are in its lists decides.

The log-odds of the document filter hold for an average collection of pages. In one list, a folder or a page of links,
procedures may be far more or less common. The rate of each list is estimated from all its pages that were read, by
expectation-maximisation (Saerens et al. 2002), and shifts the log-odds of its pages within a bound.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

BOUND = 1.0  # log-odds that the lists of a page add at most
_PSEUDO = 4.0  # pages that an even rate counts for
_ROUNDS = 12


@dataclass
class ProcedureRates:
    """The pages of every list that were read, by the log-odds of their wording."""

    _lists: dict[str, list[float]] = field(default_factory=dict)
    _shifts: dict[str, float] = field(default_factory=dict)

    def add(self, lists: frozenset[str], odds: float) -> None:
        """Count one more page; `odds` are those of its wording."""
        for name in lists:
            self._lists.setdefault(name, []).append(odds)
            self._shifts.pop(name, None)

    def shift(self, lists: frozenset[str]) -> float:
        """The log-odds that its lists add for a page; 0 when none of its lists has a page that was read."""
        total = sum(self._shift(name) for name in sorted(lists & self._lists.keys()))
        return max(-BOUND, min(BOUND, total))

    def _shift(self, name: str) -> float:
        if name not in self._shifts:
            rate = _rate(np.sort(np.array(self._lists[name])))
            self._shifts[name] = float(np.log(rate / (1 - rate)))
        return self._shifts[name]


def _rate(odds: NDArray[np.float64]) -> float:
    """The most likely share of procedures among pages with these log-odds, drawn to one half."""
    rate = 0.5
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-np.clip(odds + np.log(rate / (1 - rate)), -15, 15)))
        rate = float((likely.sum() + _PSEUDO / 2) / (len(odds) + _PSEUDO))
    return rate
