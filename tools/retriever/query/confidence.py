"""Confidence of a hit: the calibrated probability that it answers; below a threshold the retriever abstains.

A logistic model over four features. Its weights were fitted by `soprag measure abstention` on answerable questions, the
same questions without the SOP that answers them, and questions of another corpus of the same kind.
"""

from dataclasses import astuple, dataclass

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.query.ranking import CandidateScores, RankedCandidates, Scores

BIAS = -10.263
WEIGHTS = (8.501, 1.271, 1.187, 1.664)
FEATURES = ("similarity", "lead", "matched", "length")

_FIFTH = 5  # the lead is measured to the hit after this one
# With few candidates there is no lead to measure, and the similarity alone decides.
_FEW_BIAS, _FEW_WEIGHT = -4.04, 9.0
_MATCHES = 0.7  # cosine from which on a word of the question counts as found


@dataclass(frozen=True)
class ConfidenceFeatures:
    """The features of every candidate, each of shape (candidates,).

    `similarity` is the mean of the card's cosine and the similarity of the nearest text; `lead` the distance of the
    ranking score to that of the sixth candidate, NaN where there are few; `matched` the weighted share of the
    question's words that occur in the candidate by cosine; `length` ln(1 + terms of the question): long questions are
    less similar to any text.
    """

    similarity: Scores
    lead: Scores
    matched: Scores
    length: Scores

    def matrix(self) -> Vectors:
        """One row per candidate, shape (candidates, features)."""
        return np.stack(astuple(self), axis=1).astype(np.float32)


def confidence_features(parts: CandidateScores, total: Scores, terms: int) -> ConfidenceFeatures:
    """The features of candidates with the ranking scores `total`, for a question of `terms` terms."""
    return ConfidenceFeatures(
        similarity=similarity(parts),
        lead=_lead(total),
        matched=_matched(parts),
        length=np.full(len(total), np.log1p(terms), np.float32),
    )


def confidences(features: ConfidenceFeatures) -> Scores:
    """The probability of each candidate, shape (candidates,), 0 to 1."""
    return probabilities(features.matrix())


def likeliest(parts: CandidateScores, ranked: RankedCandidates, terms: int) -> Vectors:
    """The features of the candidate that shows best that the index has an answer; shape (features,).

    It is the first, or the first by topic alone: the purpose says which procedure on a topic is wanted, not whether the
    index knows the topic.
    """
    rows = []
    for total in (ranked.total, ranked.total - ranked.purpose):
        rows.append(confidence_features(parts, total, terms).matrix()[total.argmax()])
    features = np.stack(rows)
    best: Vectors = features[probabilities(features).argmax()]
    return best


def probabilities(matrix: Vectors) -> Scores:
    """The probability of each row of features, shape (rows,), 0 to 1."""
    similar, lead = matrix[:, 0], matrix[:, 1]
    odds = np.nan_to_num(matrix) @ np.array(WEIGHTS, np.float32) + BIAS
    odds = np.where(np.isnan(lead), _FEW_WEIGHT * similar + _FEW_BIAS, odds)
    sure: Scores = (1 / (1 + np.exp(-odds))).astype(np.float32)
    return sure


def similarity(parts: CandidateScores) -> Scores:
    """The mean of the card similarity and the similarity of the candidate's best passage or entities, 0 to 1."""
    matches = parts.matches
    passage_scores = matches.rarity @ np.maximum(matches.causal, matches.flow)
    nearest = np.maximum(parts.similar, passage_scores[matches.best(passage_scores, len(parts.card))])
    near: Scores = np.clip((parts.card + nearest) / 2, 0, 1)
    return near


def _lead(total: Scores) -> Scores:
    ranked = np.sort(total)[::-1]
    if len(ranked) <= _FIFTH + 2:
        return np.full(len(total), np.nan, np.float32)
    lead: Scores = total - ranked[_FIFTH]
    return lead


def _matched(parts: CandidateScores) -> Scores:
    matches = parts.matches
    words = np.maximum(matches.causal, matches.flow)
    best = np.full((len(parts.card), len(words)), -1.0, np.float32)
    np.maximum.at(best, matches.owners, words.T)
    share: Scores = (best > _MATCHES) @ matches.rarity
    return share
