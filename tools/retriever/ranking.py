"""The ranking: every equation of the paper's 3.3 that follows the anchor, in one place.

    R(Q, S) = λ·card + (1 - λ)·Σ w_m·R_m       m ∈ {entity, causal, flow}, w from the router            (6)
    R_E     = α·exact + (1 - α)·similar        what the question names                                  (7)
    R_C     = max_s Sim(Q, s)·Path(s → card)   the state that is nearest, paths of up to k hops         (8)
    R_F     = max_p Sim(Q, p)                  the step that is nearest                                 (9)

`Sim`, and so `exact`, `similar`, R_C and R_F, come from `similarity.py`; the anchor (5) is in `anchoring.py`, the
router in `router.py`. By default every part is standardised over the candidates of the question before it is
weighted, because BM25, cosines and late interaction live on different scales.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from configs.settings import RetrieverSettings
from tools.retriever.router import Weights

Scores = NDArray[np.float32]  # one per candidate

_FLAT = 1e-6  # deviation of a part that says the same of all candidates


@dataclass(frozen=True)
class Parts:
    """What is known of every candidate before anything is weighted."""

    card: Scores
    exact: Scores
    similar: Scores
    causal: Scores
    flow: Scores


@dataclass(frozen=True)
class Ranked:
    """The score R of every candidate (6), what card and views added to it, and what shared words added to `entity`."""

    total: Scores
    card: Scores
    entity: Scores
    causal: Scores
    flow: Scores
    lexical: Scores


def rank(parts: Parts, weights: Weights, settings: RetrieverSettings) -> Ranked:
    """Eq. 6."""
    lambda_ = 0.0 if "card" in settings.without else settings.card
    scale = standardise if settings.standardise else _as_it_is
    card = lambda_ * scale(parts.card)
    entity, causal, flow = (
        (1 - lambda_) * weight * scale(view)
        for weight, view in zip(weights, (entity_score(parts, settings), parts.causal, parts.flow), strict=True)
    )
    lexical = (1 - lambda_) * weights[0] * settings.alpha * scale(parts.exact)
    return Ranked(card + entity + causal + flow, card, entity, causal, flow, lexical)


def entity_score(parts: Parts, settings: RetrieverSettings) -> Scores:
    """Eq. 7."""
    scale = standardise if settings.standardise else _as_it_is
    score: Scores = settings.alpha * scale(parts.exact) + (1 - settings.alpha) * scale(parts.similar)
    return score


def path(hops: NDArray[np.uint8], settings: RetrieverSettings) -> Scores:
    """Path of Eq. 8: 1 for a state linked to the card, less by `decay` with every hop more, 0 beyond k hops."""
    near = (hops >= 1) & (hops <= settings.hops)
    decayed: Scores = np.where(near, settings.decay ** (hops.astype(np.float32) - 1), 0).astype(np.float32)
    return decayed


def standardise(scores: Scores) -> Scores:
    """Mean 0 and deviation 1 over the candidates; all 0 where they do not differ."""
    centred = scores - scores.mean()
    scaled: Scores = centred / (scores.std() + _FLAT)
    return scaled


def _as_it_is(scores: Scores) -> Scores:
    return scores
