"""Pools the gated score of the paper with the judgement of a model on the candidates.

    S(Q, S) = R(Q, S) + τ·ln((1 - r) + r·L(S))        R of Eq. 6, τ its scale in nats, r the reliability of the judge

L is the likelihood of what the judge says of a candidate when that is the right one, relative to a judge that answers
at random: above 1 for a candidate that fits, below 1 for one that does not. r is learned from every question: a judge
that picks candidates with a high prior more often than chance is reliable, one that answers at random soon counts for
nothing. So a bad judge costs a few questions and not the ranking.
"""

import math
import threading
from dataclasses import dataclass, field

import numpy as np

from soprag.tools.retriever.query.ranking import Scores
from soprag.tools.retriever.query.results import Fit
from soprag.tools.tasks.choice import CandidateChoice

# Chosen on the corpus `runbooks` (the largest of 0.3, 0.5, 0.7 and 1 with which a judge that picks at random loses less
# than 0.02 MRR over its first 60 questions) and reported on `observatory`: `soprag measure judges`.
TAU = 0.50  # score difference that makes a candidate e times as probable
_FITS, _PARTLY, _REST = 9.0, 2.0, 0.15  # L of the first that fits, of the first that fits in part, of those left out
_NEXT = 0.5  # L of each later candidate of a list, relative to the one before it
_START = 1.5  # logit of r before the first question
_LEAST, _MOST = -6.0, 4.0
_FLOOR = 0.2  # share of an even distribution in the prior, so that one surprising pick does not condemn a judge


@dataclass(frozen=True)
class CandidateJudgement:
    """What a judge said of the candidates: `shown` are their rows in the order of the sheets; `by` who judged."""

    choice: CandidateChoice
    shown: tuple[int, ...]
    by: str

    @property
    def fits(self) -> list[int]:
        """Rows of the candidates that fit, the best first."""
        return self._rows(self.choice.fits)

    @property
    def partly(self) -> list[int]:
        """Rows of the candidates that fit in part, the best first; without those that fit."""
        return [row for row in self._rows(self.choice.partly) if row not in self.fits]

    def fit(self, row: int) -> Fit:
        """What was said of a candidate; empty when it was not shown."""
        if row not in self.shown:
            return ""
        return "fits" if row in self.fits else "partly" if row in self.partly else "no"

    def likelihoods(self, size: int) -> Scores:
        """L of each of `size` candidates."""
        ratio = np.full(size, _REST, np.float32)
        for rows, first in ((self.partly, _PARTLY), (self.fits, _FITS)):
            for position, row in enumerate(rows):
                ratio[row] = max(first * _NEXT**position, _REST)
        return ratio if self.fits or self.partly else np.ones(size, np.float32)

    def _rows(self, numbers: list[int]) -> list[int]:
        valid = dict.fromkeys(number for number in numbers if 1 <= number <= len(self.shown))
        return [self.shown[number - 1] for number in valid]


@dataclass
class JudgeReliability:
    """The reliability r of one judge, learned from its picks; safe for several threads."""

    logit: float = _START
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def learn(self, totals: Scores, judgement: CandidateJudgement) -> float:
        """r after the pick of one question; unchanged when nothing was picked."""
        picks = judgement.fits or judgement.partly
        with self._lock:
            if picks and len(judgement.shown) > 1:
                shown = list(judgement.shown)
                prior = np.exp((totals[shown] - totals[shown].max()) / TAU)
                share = float(prior[shown.index(picks[0])] / prior.sum())
                evidence = math.log((1 - _FLOOR) * share * len(shown) + _FLOOR)
                self.logit = min(max(self.logit + evidence, _LEAST), _MOST)
            return 1 / (1 + math.exp(-self.logit))


def pool(totals: Scores, judgement: CandidateJudgement, reliability: float) -> Scores:
    """S of every candidate."""
    ratios = judgement.likelihoods(len(totals))
    pooled: Scores = totals + TAU * np.log(1 - reliability + reliability * ratios)
    return pooled
