"""The three similarity functions (Sim) that compute the score parts of each candidate.

late     token by token, see `late.py`; needs a model that gives vectors of tokens, else `hybrid` stands in
hybrid   half the cosine, half the share of the question's words, each by its idf
cosine   the cosine of the whole question with whole elements: the paper's form
"""

from dataclasses import dataclass

import numpy as np

from soprag.configs.settings import RetrieverSettings
from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.bm25 import Scored
from soprag.tools.retriever.index.elements import Kind
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.element_similarity import compare, name_scores
from soprag.tools.retriever.query.late_interaction import interact
from soprag.tools.retriever.query.query import Query
from soprag.tools.retriever.query.ranking import CandidateScores, PassageShares, Places, Scores, path


@dataclass(frozen=True)
class SimilarityScores:
    """The score parts of every candidate, and the element rows of its best state and step (-1: none)."""

    parts: CandidateScores
    states: Places
    steps: Places


@dataclass(frozen=True)
class SimilarityInput:
    """Input of a similarity function: question, named entities, candidates, BM25 of all SOPs, settings.

    `names` (entities, d) are the vectors of the named entities; `late` does not use them.
    """

    query: Query
    entities: tuple[str, ...]
    names: Vectors
    candidates: list[Elements]
    scored: Scored
    settings: RetrieverSettings


def weigh_evidence(material: SimilarityInput) -> SimilarityScores:
    """The score parts by the configured similarity; `candidates` must not be empty."""
    return late(material) if is_late(material.query, material.settings) else whole(material)


def is_late(query: Query, settings: RetrieverSettings) -> bool:
    """Whether late interaction is configured and the question has token vectors."""
    return settings.sim == "late" and bool(query.tokens.size)


def late(material: SimilarityInput) -> SimilarityScores:
    """Score parts by late interaction over the lines of the passages."""
    all_of = interact(material.query, material.candidates, material.settings.passages)
    parts = CandidateScores(gist(material), words(material), all_of.similar(), all_of.shown(material.settings))
    return SimilarityScores(parts, all_of.nearest("state"), all_of.nearest("step"))


def whole(material: SimilarityInput) -> SimilarityScores:
    """Score parts by cosine or hybrid similarity of whole elements."""
    query, settings = material.query, material.settings
    mixed = settings.sim != "cosine"
    similarities = [compare(query, candidate, mixed) for candidate in material.candidates]
    entity_scores = [name_scores(material.entities, material.names, candidate) for candidate in material.candidates]
    states = [
        _best(candidate, sims * path(candidate.hops, settings), "state")
        for candidate, sims in zip(material.candidates, similarities, strict=True)
    ]
    steps = [_best(candidate, sims, "step") for candidate, sims in zip(material.candidates, similarities, strict=True)]
    parts = CandidateScores(
        card=gist(material) if mixed else np.array([sims[0] for sims in similarities], np.float32),
        exact=words(material) if mixed else np.array([exact for exact, _ in entity_scores], np.float32),
        similar=np.array([near for _, near in entity_scores], np.float32),
        matches=_as_one_word([score for score, _ in states], [score for score, _ in steps]),
    )
    return SimilarityScores(parts, np.array([row for _, row in states]), np.array([row for _, row in steps]))


def _as_one_word(causal: list[float], flow: list[float]) -> PassageShares:
    rarity, owners = np.ones(1, np.float32), np.arange(len(causal))
    return PassageShares(np.array([causal], np.float32), np.array([flow], np.float32), rarity, owners, by_word=False)


def _best(candidate: Elements, scores: Scores, kind: Kind) -> tuple[float, int]:
    """The largest of the scores of one kind of element, and its row."""
    rows = candidate.rows(kind)
    if rows.stop == rows.start:
        return 0.0, -1
    row = rows.start + int(scores[rows].argmax())
    return float(scores[row]), row


def gist(material: SimilarityInput) -> Scores:
    """Cosine of the question with the gist, or the nearest alarm card, of each candidate, shape (candidates,)."""
    return np.array([candidate.about(material.query.vector) for candidate in material.candidates], np.float32)


def words(material: SimilarityInput) -> Scores:
    """BM25 of each candidate over terms and term pairs, shape (candidates,)."""
    return material.scored.of([candidate.number for candidate in material.candidates]).astype(np.float32)
