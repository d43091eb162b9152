"""The ranking: every equation of the paper's 3.3 that follows the anchor, in one place.

    R(Q, S) = λ·card + (1 - λ)·Σ w_m·R_m       m ∈ {entity, causal, flow}, w from the router            (6)
    R_E     = α·exact + (1 - α)·similar        what the question names                                  (7)
    R_C     = max_p Σ_t rarity(t)·C(t, p)      C(t, p) = max cos(t, t')·Path(s → card), t' in no step,
                                               or in a state s; paths of up to k hops                   (8)
    R_F     = max_p Σ_t rarity(t)·F(t, p)      F(t, p) = max cos(t, t'), t' in a step                   (9)

over the words t of the question and the passages p of the SOP. With late interaction the causal and the flow view
compete for every word, and each word counts for the view that scores it higher:

    w_C·R_C + w_F·R_F = max_p Σ_t rarity(t)·max(w_C·C(t, p), w_F·F(t, p))

`C`, `F`, `exact` and `similar` come from `similarity.py`; the anchor (5) is in `anchoring.py`, the router in
`router.py`. By default every part is standardised over the candidates of the question before it is weighted, because
BM25, cosines and late interaction live on different scales.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.configs.settings import RetrieverSettings
from soprag.tools.embedding import Vectors
from soprag.tools.retriever.query.router import Weights

Scores = NDArray[np.float32]  # one per candidate
Places = NDArray[np.intp]

_FLAT = 1e-6  # added to deviations, which are 0 when all candidates score the same


@dataclass(frozen=True)
class PassageShares:
    """Scores of the causal and the flow view per question word and passage: `causal` and `flow` (words, passages).

    `rarity` (words,) are the word weights, with sum 1; `owners` (passages,) the candidate of each passage. When the
    question is compared as a whole, `by_word` is false and it is a single word.
    """

    causal: Vectors
    flow: Vectors
    rarity: Vectors
    owners: Places
    by_word: bool

    def best(self, scores: Vectors, size: int) -> Places:
        """The index of the best passage of each of `size` candidates by `scores` (passages,); each has at least one."""
        places = np.zeros(size, np.intp)
        order = np.argsort(scores, kind="stable")  # the best of each candidate is written last
        places[self.owners[order]] = order
        return places


@dataclass(frozen=True)
class CandidateScores:
    """The unweighted score parts of every candidate, each of shape (candidates,).

    `purpose` is the agreement of purpose, -1 to 1; None when it is not used.
    """

    card: Scores
    exact: Scores
    similar: Scores
    matches: PassageShares
    purpose: Scores | None = None


@dataclass(frozen=True)
class RankedCandidates:
    """The score of every candidate: R (Eq. 6) by card and view, and `purpose`; and the lexical part of `entity`.

    `gates` (candidates, 3) are the effective weights of the entity, causal and flow view: where views compete for
    words, in proportion to the words each won.
    """

    total: Scores
    card: Scores
    entity: Scores
    causal: Scores
    flow: Scores
    lexical: Scores
    gates: Vectors
    purpose: Scores


def rank(parts: CandidateScores, weights: Weights, settings: RetrieverSettings) -> RankedCandidates:
    """The score of every candidate by Eq. 6."""
    lambda_ = 0.0 if "card" in settings.without else settings.card
    scale = standardise if settings.standardise else _as_it_is
    routed = parts.matches.by_word and "router" not in settings.without
    causal, flow, gates = (_compete if routed else _apart)(parts, weights, settings)
    card = lambda_ * scale(parts.card)
    entity = (1 - lambda_) * weights[0] * scale(entity_score(parts, settings))
    causal, flow = (1 - lambda_) * causal, (1 - lambda_) * flow
    lexical = (1 - lambda_) * weights[0] * settings.alpha * scale(parts.exact)
    purpose = np.zeros_like(card) if parts.purpose is None else settings.purpose * parts.purpose
    total = card + entity + causal + flow + purpose
    return RankedCandidates(total, card, entity, causal, flow, lexical, gates, purpose)


def entity_score(parts: CandidateScores, settings: RetrieverSettings) -> Scores:
    """R_E of every candidate by Eq. 7."""
    scale = standardise if settings.standardise else _as_it_is
    score: Scores = settings.alpha * scale(parts.exact) + (1 - settings.alpha) * scale(parts.similar)
    return score


def _compete(parts: CandidateScores, weights: Weights, settings: RetrieverSettings) -> tuple[Scores, Scores, Vectors]:
    """w_C·R_C and w_F·R_F with every question word assigned to the view that scores it higher; and the gates."""
    matches, size, together = parts.matches, len(parts.card), weights[1] + weights[2]
    causal, flow = weights[1] * matches.causal, weights[2] * matches.flow
    best = matches.best(matches.rarity @ np.maximum(causal, flow), size)
    causal, flow = causal[:, best], flow[:, best]
    to_flow = flow > causal
    won = matches.rarity @ to_flow
    gates = np.stack([np.full(size, weights[0]), together * (1 - won), together * won], axis=1)
    of_causal, of_flow = matches.rarity @ np.where(to_flow, 0, causal), matches.rarity @ np.where(to_flow, flow, 0)
    if settings.standardise:  # on one scale, or a word would count more where its view has few
        unit = together / (np.std(of_causal + of_flow) + _FLAT)
        of_causal, of_flow = unit * (of_causal - of_causal.mean()), unit * (of_flow - of_flow.mean())
    return of_causal, of_flow, gates


def _apart(parts: CandidateScores, weights: Weights, settings: RetrieverSettings) -> tuple[Scores, Scores, Vectors]:
    """w_C·R_C and w_F·R_F with both views scoring all words independently (Eq. 8, 9); and the gates."""
    matches, size = parts.matches, len(parts.card)
    scale = standardise if settings.standardise else _as_it_is
    scores = [matches.rarity @ view for view in (matches.causal, matches.flow)]
    causal, flow = (scale(view[matches.best(view, size)]) for view in scores)
    return weights[1] * causal, weights[2] * flow, np.tile(np.array(weights), (size, 1))


def path(hops: NDArray[np.uint8], settings: RetrieverSettings) -> Scores:
    """Path of Eq. 8: 1 for a state linked to the card, times `decay` per further hop, 0 beyond k hops."""
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
