"""Confidence of a hit on an absolute scale from 0 to 1; below a threshold the retriever abstains."""

import numpy as np

from soprag.tools.retriever.query.ranking import CandidateScores, Scores


def confidences(parts: CandidateScores) -> Scores:
    """The confidence of each candidate, shape (candidates,), 0 to 1.

    The mean of the card similarity and the similarity of the candidate's best passage or entities. Ranking scores are
    not used: they are standardised over the candidates of a question, so the first hit scores high even when no
    candidate matches.
    """
    matches = parts.matches
    passage_scores = matches.rarity @ np.maximum(matches.causal, matches.flow)
    nearest = np.maximum(parts.similar, passage_scores[matches.best(passage_scores, len(parts.card))])
    sure: Scores = np.clip((parts.card + nearest) / 2, 0, 1)
    return sure
