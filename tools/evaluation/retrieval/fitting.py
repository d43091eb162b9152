"""Fits the query path to a benchmark: λ, α, the prior of the views, and the abstention threshold.

Every question is searched once; the grid search only recomputes the weighted scores. The threshold is a quantile of the
confidence of answerable questions, and is evaluated on the same questions with their answers removed.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from soprag.configs.settings import RetrieverSettings
from soprag.tools.embedding import Vectors
from soprag.tools.evaluation.retrieval.benchmark import Benchmark
from soprag.tools.evaluation.retrieval.calibration import Calibration, CalibrationSetup, calibrate
from soprag.tools.evaluation.retrieval.folds import Fold, Places, nested_folds
from soprag.tools.evaluation.retrieval.judge import EvaluationPlan
from soprag.tools.evaluation.retrieval.measures import Values
from soprag.tools.evaluation.retrieval.records import SystemComparison
from soprag.tools.retriever.query.confidence import likeliest, probabilities
from soprag.tools.retriever.query.ranking import CandidateScores, rank
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.retriever.query.router import Weights, view_weights
from soprag.tools.sop import Frozen

FOLDS = 5
REFUSED = 0.05  # share of the questions with an answer that may be refused
_CARD, _ALPHA, _TEMPERATURE = (0.2, 0.3, 0.4), (0.6, 0.8, 1.0), (0.0, 32.0)
_PRIOR: tuple[Weights, ...] = (
    (0.3, 0.35, 0.35),
    (0.4, 0.3, 0.3),
    (0.5, 0.25, 0.25),
    (0.4, 0.32, 0.28),
    (0.4, 0.28, 0.32),
)


@dataclass(frozen=True)
class QuestionCandidates:
    """The candidates of one question; `right` (candidates,) marks those that answer it.

    `terms` is the number of terms of the question.
    """

    parts: CandidateScores
    scores: Weights
    right: NDArray[np.bool_]
    terms: int

    def value(self, settings: RetrieverSettings) -> float:
        """The reciprocal rank of the first right candidate."""
        total = rank(self.parts, view_weights(self.scores, settings), settings).total
        correct = np.flatnonzero(self.right[np.argsort(-total, kind="stable")])
        return 1 / (int(correct[0]) + 1) if correct.size else 0.0

    def confidence(self, settings: RetrieverSettings, *, answered: bool) -> float:
        """The probability that there is an answer; with `answered` false, without the candidates that answer."""
        return float(probabilities(self.features(settings, answered=answered)[None])[0])

    def features(self, settings: RetrieverSettings, *, answered: bool) -> Vectors:
        """The features by which the search answers or abstains; shape (features,)."""
        ranked = rank(self.parts, view_weights(self.scores, settings), settings)
        if not answered:
            last = np.where(self.right, ranked.total.min(), ranked.total)
            purpose = np.where(self.right, 0, ranked.purpose)
            ranked = replace(ranked, total=last, purpose=purpose)
        return likeliest(self.parts, ranked, self.terms)


class Refusals(Frozen):
    """Shares of questions for which nothing fitted: of those with an answer, and of the same without it."""

    answerable: float
    unanswerable: float


class Fitted(Frozen):
    """What calibration gives; every figure is of questions that the fit has not seen."""

    benchmark: str
    questions: int
    before: float = Field(description="MRR with the settings as they are")
    after: float
    gain: SystemComparison
    refused: Refusals
    settings: dict[str, float | tuple[float, float, float]] = Field(description="fitted on all questions, for use")

    def text(self) -> str:
        """A few lines for a person."""
        gain = self.gain.gain
        values = ", ".join(f"{name} = {value}" for name, value in self.settings.items())
        return (
            f"{self.benchmark}: {self.questions} questions, {FOLDS} folds, each reported with what the others fitted\n"
            f"  MRR {self.before:.3f} as it is, {self.after:.3f} fitted: gain {gain.mean:+.3f} "
            f"[{gain.low:+.3f}, {gain.high:+.3f}], p = {self.gain.p:.3f}\n"
            f"  refuses {self.refused.answerable:.0%} of these questions, and {self.refused.unanswerable:.0%} "
            f"when their answers are taken away\n  for use: {values}"
        )


async def see(
    retriever: Retriever, questions: Sequence[str], relevant: Sequence[Container[str]] = ()
) -> list[QuestionCandidates]:
    """Look up every question; `relevant` are the ids that answer each, none when it is empty."""
    trials = []
    for question, answers in zip(questions, relevant or [()] * len(questions), strict=True):
        looked = await retriever.look(question)
        assert looked.evidence is not None
        right = np.array([candidate.id in answers for candidate in looked.candidates])
        terms = len(looked.query.terms)
        trials.append(QuestionCandidates(looked.evidence.parts, looked.routed.scores, right, terms))
    return trials


def fit(
    trials: Sequence[QuestionCandidates], benchmark: Benchmark, start: RetrieverSettings, plan: EvaluationPlan
) -> Fitted:
    """Fit and report, nested: no question is reported with settings that were fitted on it or on its SOP."""
    grid = _grid(start)
    values = np.array([[trial.value(settings) for trial in trials] for settings in grid])

    def best(places: Places, inner: tuple[Fold, ...]) -> int:
        gains = values[:, places] - values[0, places]
        chosen = int(gains.mean(axis=1).argmax())
        # The best of many is partly lucky: it replaces the settings as they are only when it wins by a standard error.
        return chosen if gains[chosen].mean() > gains[chosen].std() / np.sqrt(len(places)) else 0

    def score(chosen: int, places: Places) -> Values:
        selected: Values = values[chosen, places]
        return selected

    done = calibrate(CalibrationSetup(best, score, 0), benchmark.groups, FOLDS, 0, plan)
    chosen = grid[done.parameters]
    threshold = _threshold(trials, chosen, np.arange(len(trials)))
    return Fitted(
        benchmark=benchmark.name,
        questions=len(trials),
        before=float(done.before.mean()),
        after=float(done.after.mean()),
        gain=done.gain,
        refused=_refusals(trials, grid, done, benchmark.groups, plan),
        settings={**chosen.model_dump(include={"card", "alpha", "prior", "temperature"}), "abstain": threshold},
    )


def _grid(start: RetrieverSettings) -> list[RetrieverSettings]:
    """The settings as they are first, so that they win when nothing is better."""
    tried = product(_CARD, _ALPHA, _PRIOR, _TEMPERATURE)
    names = ("card", "alpha", "prior", "temperature")
    return [start, *(start.model_copy(update=dict(zip(names, values, strict=True))) for values in tried)]


def _threshold(trials: Sequence[QuestionCandidates], settings: RetrieverSettings, places: Places) -> float:
    sure = [trials[index].confidence(settings, answered=True) for index in places]
    return round(float(np.quantile(sure, REFUSED)), 4)


def _refusals(
    trials: Sequence[QuestionCandidates],
    grid: list[RetrieverSettings],
    done: Calibration[int],
    groups: Places,
    plan: EvaluationPlan,
) -> Refusals:
    refused: dict[bool, list[bool]] = {True: [], False: []}
    for fold, chosen in zip(nested_folds(groups, FOLDS, plan.seed), done.of_folds, strict=True):
        threshold = _threshold(trials, grid[chosen], fold.fit)
        for answered, rows in refused.items():
            rows += [trials[index].confidence(grid[chosen], answered=answered) < threshold for index in fold.report]
    return Refusals(answerable=float(np.mean(refused[True])), unanswerable=float(np.mean(refused[False])))
