"""The boundary model is fitted: networks on title lines, regressions on their context and on whole parts.

A regression that reads the judgements of another one is fitted on judgements of corpora which that other one did not
see, because a document of an unknown hand is judged less surely than one of a known hand (stacked generalisation).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from soprag.benchmarks.quality.boundary_networks import Cases, fit_networks, importance
from soprag.tools.segmentation.boundary_model import BoundaryModel, Logistic, Matrix, Networks, in_context, inside
from soprag.tools.segmentation.evidence import Evidence
from soprag.tools.segmentation.independent import proposals
from soprag.tools.segmentation.parts import COLUMNS, PartReader

FOLDS = 4  # groups of corpora, of which one at a time is left out
PROPOSED = -2.0  # log-odds from which a line is proposed
_SINGLE = 3.0  # weight of the lines of a document that is one procedure
_PULL = 3.0  # L2 penalty on the weights of standardised columns
_STEPS, _SMALL = 25, 1e-2  # of Newton's method
_WRONG = 6  # wrong proposals of a text that are tried one by one
# The only sign that each column of `parts.COLUMNS` may have: 1 for a boundary, -1 against it, 0 for either.
_SIGNS = (1, 1, -1, -1, 1, -1, -1, 1, -1, 1, -1, 1, 1, 1, 1, 1, 0, -1, -1, -1, -1, -1, 1, 1)


@dataclass(frozen=True)
class JudgedText:
    """The evidence of one text, and which of its title lines begin an independent procedure."""

    corpus: str
    form: str
    is_single: bool
    evidence: Evidence
    truth: Matrix
    share: float = 1.0  # what its corpus counts


class BoundaryFit:
    """Fits models on `texts` without a fold of their corpora; what several models need is fitted once."""

    def __init__(self, texts: Sequence[JudgedText]) -> None:
        self.texts = [text for text in texts if len(text.truth)]
        self._firsts: dict[frozenset[int], Networks] = {}
        corpora = sorted({text.corpus for text in self.texts})
        self.folds = {corpus: place % FOLDS for place, corpus in enumerate(corpora)}

    def model(self, without: int | None = None, prior: float = 0.0) -> BoundaryModel:
        """The model of all corpora but those of the fold `without`."""
        left_out = frozenset() if without is None else frozenset({without})
        texts = [text for text in self.texts if self.folds[text.corpus] not in left_out]
        unseen = {id(t): self._first(left_out | {self.folds[t.corpus]}).log_odds(t.evidence.rows) for t in texts}

        def context(text: JudgedText) -> Matrix:
            return in_context(unseen[id(text)], text.evidence, inside(text.evidence))

        second = regression([_lines(text, context(text)) for text in texts], _PULL)
        judged = [(text, np.where(inside(text.evidence), second.log_odds(context(text)), -6.0)) for text in texts]
        parts = _signed([case for text, log_odds in judged for case in _parts(text, log_odds)])
        return BoundaryModel(self.texts[0].evidence.names, self._first(left_out), second, parts, PROPOSED, prior)

    def _first(self, without: frozenset[int]) -> Networks:
        if without not in self._firsts:
            texts = [text for text in self.texts if self.folds[text.corpus] not in without]
            self._firsts[without] = fit_networks([_lines(text, text.evidence.rows) for text in texts])
        return self._firsts[without]


def regression(cases: Sequence[Cases], pull: float) -> Logistic:
    """Logistic regression by Newton's method on standardised columns."""
    values, truth = np.vstack([case.rows for case in cases]), np.concatenate([case.truth for case in cases])
    weights = importance(cases)
    mean, scale = values.mean(0), values.std(0) + 1e-6
    table = np.hstack([(values - mean) / scale, np.ones((len(values), 1))]).astype(np.float32)
    penalty = np.eye(table.shape[1]) * pull
    penalty[-1, -1] = 0
    solution = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ solution, -30, 30)))
        gradient = table.T @ (weights * (chance - truth)) + penalty @ solution
        spread = (weights * chance * (1 - chance) + 1e-6).astype(np.float32)
        curvature = (table * spread[:, None]).T @ table + penalty
        step = np.linalg.solve(curvature, gradient)
        solution = solution - step
        if np.abs(step).max() < _SMALL:
            break
    slopes = solution[:-1] / scale
    return Logistic(slopes, float(solution[-1] - slopes @ mean))


def _signed(cases: Sequence[Cases]) -> Logistic:
    """The regression on parts, without the columns whose weight has a sign that makes no sense."""
    signs, used = np.array(_SIGNS), np.ones(len(COLUMNS), bool)
    while True:
        columns = [replace(case, rows=case.rows[:, used]) for case in cases]
        fitted, weights = regression(columns, _PULL), np.zeros(len(COLUMNS))
        weights[used] = fitted.weights
        wrong = weights * signs < 0
        if not wrong.any():
            return Logistic(weights, fitted.bias)
        used &= ~wrong


def _lines(text: JudgedText, rows: Matrix) -> Cases:
    mask = inside(text.evidence)
    return Cases(text.corpus, rows[mask], text.truth[mask], _SINGLE if text.is_single else 1.0, text.share)


def _parts(text: JudgedText, log_odds: Matrix) -> list[Cases]:
    """The proposed boundaries all together, the true ones alone, and the true ones with one wrong one each."""
    proposed = proposals(text.evidence, log_odds, PROPOSED)
    right = [index for index in proposed if text.truth[index]]
    wrong = [index for index in proposed if not text.truth[index]]
    states = [(proposed, proposed), (right, right), *((sorted([*right, one]), [one]) for one in wrong[:_WRONG])]
    reader, weight = PartReader(text.evidence.sections), _SINGLE if text.is_single else 1.0
    return [
        Cases(
            text.corpus,
            reader.rows(chosen, log_odds)[[chosen.index(i) for i in asked]],
            text.truth[asked],
            weight,
            text.share,
        )
        for chosen, asked in states
        if asked
    ]
