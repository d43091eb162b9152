"""How likely each title line begins a new topic, given all ways to cut the text at its title lines.

The words of a segment come from one source under a Dirichlet prior (Eisenstein and Barzilay 2008). The chance of a
boundary is summed over all segmentations (forward and backward). A long text has more words than its topics have
independent choices of words, so the likelihood is raised to a power below 1; the powers and costs are the columns.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from soprag.tools.segmentation.parts import Matrix, Sections, log_rising

COLUMNS = ("new topic", "new topic softly", "new topic often", "new topic rarely")
_POWERS = ((1.0, -10.0), (0.3, -6.0), (0.1, -3.0), (0.1, -6.0))  # of the likelihood, and log-odds of a boundary
_REACH = 40  # sections of the longest segment, which keeps the time linear
_PRIOR = 0.1  # pseudo-count of each term
_FLOOR = -30.0


@dataclass(frozen=True)
class _Spans:
    """`scores[i, k]`: the log-likelihood of the segment of the k + 1 sections from section i on; -inf past the end."""

    scores: Matrix

    @staticmethod
    def of(sections: Sections) -> "_Spans":
        count = len(sections.names)
        bounds = [0, *sections.offsets[1:]]
        units = [np.unique(sections.terms[a:b], return_counts=True) for a, b in pairwise(bounds)]
        size = int(sections.terms.max(initial=0)) + 1
        rising = log_rising(len(sections.terms), _PRIOR)
        whole = log_rising(len(sections.terms), _PRIOR * size)
        scores = np.full((count, min(_REACH, count)), -np.inf)
        held = np.zeros(size, np.int64)
        for first in range(count):
            held[:] = 0
            gained, length = 0.0, 0
            for k, (terms, counts) in enumerate(units[first : first + _REACH]):
                before = held[terms]
                held[terms] = before + counts
                gained += float((rising[before + counts] - rising[before]).sum())
                length += int(counts.sum())
                scores[first, k] = gained - whole[length]
        return _Spans(scores)

    def chances(self, power: float, cost: float) -> Matrix:
        """The chance that a segment begins with each section; shape (n,)."""
        scores = self.scores * power + cost
        count, reach = scores.shape
        before, after = np.full(count + 1, -np.inf), np.full(count + 1, -np.inf)
        before[0] = after[count] = 0.0
        for end in range(1, count + 1):
            firsts = np.arange(max(0, end - reach), end)
            before[end] = np.logaddexp.reduce(before[firsts] + scores[firsts, end - firsts - 1])
        for first in range(count - 1, -1, -1):
            lengths = np.arange(1, min(reach, count - first) + 1)
            after[first] = np.logaddexp.reduce(scores[first, lengths - 1] + after[first + lengths])
        return np.asarray(np.exp(np.clip(before[:count] + after[:count] - before[count], _FLOOR, 0.0)), np.float64)


def topic_chances(sections: Sections) -> Matrix:
    """The chances of a new topic at every title line; shape (n, columns). What stands before the first goes with it."""
    if not sections.names:
        return np.zeros((0, len(COLUMNS)))
    spans = _Spans.of(sections)
    return np.stack([spans.chances(power, cost) for power, cost in _POWERS], axis=1)
