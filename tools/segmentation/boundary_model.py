"""The log-odds that a title line begins an independent procedure: small networks, and a regression on what they say.

The networks judge each line by its evidence, whose columns weigh differently where all headings are at one level or
nothing is numbered. The regression sees their judgements on the other lines of the text, so that titles of one level
are judged alike and neighbours compete (stacked sequential learning, Cohen and Carvalho 2005). The coefficients are
data: `boundary_model.json`, fitted by `benchmarks.quality.split_fitting`, which also writes where they come from. A
second regression judges the parts between the lines that these propose (`parts.py`).
"""

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soprag.tools.segmentation.evidence import Evidence

Matrix = NDArray[np.float64]

_FEWEST = 12  # terms before the first title, when something stands before it
_CLIP = 6.0  # log-odds beyond this are certain
_FAR = 4.0  # standard deviations beyond which a column counts no more
_CLOSE = 3  # titles on each side that compete with one


@dataclass(frozen=True)
class Logistic:
    """Weights of the columns and the bias of a logistic regression."""

    weights: Matrix
    bias: float

    def log_odds(self, rows: Matrix) -> Matrix:
        """One number per row; shapes (n, columns) to (n,)."""
        return np.asarray(rows @ self.weights + self.bias, np.float64)


@dataclass(frozen=True)
class Networks:
    """Networks with one hidden layer, whose log-odds are averaged.

    Columns are standardised by `mean` and `scale` and clipped. For m networks of h units and k columns: `inner` is
    (m, k, h), `inner_bias` (m, h), `outer` (m, h), `outer_bias` (m,).
    """

    mean: Matrix
    scale: Matrix
    inner: Matrix
    inner_bias: Matrix
    outer: Matrix
    outer_bias: Matrix

    def standardised(self, rows: Matrix) -> Matrix:
        """The rows as the networks read them."""
        return np.clip((rows - self.mean) / self.scale, -_FAR, _FAR)

    def log_odds(self, rows: Matrix) -> Matrix:
        """One number per row; shapes (n, k) to (n,)."""
        table = self.standardised(rows)
        said = [
            np.tanh(table @ inner + inner_bias) @ outer + outer_bias
            for inner, inner_bias, outer, outer_bias in zip(
                self.inner, self.inner_bias, self.outer, self.outer_bias, strict=True
            )
        ]
        return np.asarray(np.mean(said, axis=0), np.float64)


@dataclass(frozen=True)
class BoundaryModel:
    """The networks and the regression on lines, and the one on the parts they propose (columns: `parts.COLUMNS`).

    `proposed` are the log-odds from which a line is proposed. A text is split when the log-odds of its boundaries, of
    lines and parts together, add up to `prior`, because most texts are one procedure; less is needed where the
    boundaries have levels of their own.
    """

    names: tuple[str, ...]
    first: Networks
    second: Logistic
    parts: Logistic
    proposed: float
    prior: float

    def log_odds(self, evidence: Evidence) -> Matrix:
        """The log-odds of every title line without its parts; shape (n,). A line that opens the text is no boundary."""
        if not len(evidence.rows):
            return np.zeros(0)
        ahead = inside(evidence)
        judged = self.second.log_odds(in_context(self.first.log_odds(evidence.rows), evidence, ahead))
        return np.where(ahead, judged, -_CLIP)


def inside(evidence: Evidence) -> NDArray[np.bool_]:
    """Which title lines have text before them: all but a first one that opens the text; shape (n,)."""
    mask = np.ones(len(evidence.rows), bool)
    if len(mask):
        mask[0] = evidence.terms_before >= _FEWEST
    return mask


def in_context(log_odds: Matrix, evidence: Evidence, ahead: NDArray[np.bool_]) -> Matrix:
    """The rows of the regression, from the log-odds of the networks; shape (n, 12)."""
    z = np.where(ahead, np.clip(log_odds, -_CLIP, _CLIP), -_CLIP)
    p = np.where(ahead, 1 / (1 + np.exp(-z)), 0.0)
    count = len(z)
    level_mean, level_best, other_best = _by_level(p, evidence.levels)
    best = _best_but(p)
    padded = np.concatenate([np.zeros(_CLOSE), p, np.zeros(_CLOSE)])
    before = np.max([padded[k : k + count] for k in range(_CLOSE)], axis=0)
    after = np.max([padded[_CLOSE + 1 + k : _CLOSE + 1 + k + count] for k in range(_CLOSE)], axis=0)
    columns = [
        z, level_mean, level_best, other_best, np.concatenate([[0.0], z[:-1]]), np.concatenate([z[1:], [0.0]]),
        before, after, (p.sum() - p) / 10, best, np.full(count, p.mean()), np.full(count, np.log1p(count) / 5),
    ]  # fmt: skip
    return np.stack(columns, axis=1)


def _by_level(p: Matrix, levels: tuple[int, ...]) -> tuple[Matrix, Matrix, Matrix]:
    """For every line: the mean and the largest chance of the others of its level, and the largest of other levels."""
    members: dict[int, list[int]] = defaultdict(list)
    for index, level in enumerate(levels):
        members[level].append(index)
    mean, best, other = np.zeros(len(p)), np.zeros(len(p)), np.zeros(len(p))
    peaks = {level: float(p[indices].max()) for level, indices in members.items()}
    for level, indices in members.items():
        own = p[indices]
        mean[indices] = (own.sum() - own) / max(len(indices) - 1, 1)
        best[indices] = _best_but(own)
        other[indices] = max((peak for key, peak in peaks.items() if key != level), default=0.0)
    return mean, best, other


def _best_but(p: Matrix) -> Matrix:
    """For every number the largest of the others; 0 when there are none."""
    if len(p) < 2:
        return np.zeros(len(p))
    second, first = np.sort(p)[-2:]
    highest = int(np.argmax(p))
    return np.asarray(np.where(np.arange(len(p)) == highest, second, first), np.float64)


@cache
def fitted() -> BoundaryModel:
    """The model that ships."""
    data = json.loads((Path(__file__).parent / "boundary_model.json").read_text(encoding="utf-8"))
    first = Networks(**{name: np.array(values) for name, values in data["first"].items()})
    second, parts = (Logistic(np.array(data[key]["weights"]), data[key]["bias"]) for key in ("second", "parts"))
    return BoundaryModel(tuple(data["names"]), first, second, parts, data["proposed"], data["prior"])
