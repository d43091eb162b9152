"""When nothing fits: how sure a hit is, on a scale that is the same for every question."""

import numpy as np

from tools.retriever.ranking import Parts, Scores


def confidences(parts: Parts) -> Scores:
    """How much of the question is in each candidate, 0 to 1.

    The mean of how near it is as a whole (`card`) and how near the nearest of its texts are. The ranking's own scores
    are of no use: they are relative to the other candidates, so that one is far ahead even of a hopeless field.
    """
    matches = parts.matches
    passage_scores = matches.rarity @ np.maximum(matches.causal, matches.flow)
    nearest = np.maximum(parts.similar, passage_scores[matches.best(passage_scores, len(parts.card))])
    sure: Scores = np.clip((parts.card + nearest) / 2, 0, 1)
    return sure
