"""Similarity of the question, or of its named entities, with whole elements of an SOP."""

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.query import Query
from soprag.tools.retriever.query.ranking import Scores
from soprag.tools.text.terms import terms


def compare(query: Query, candidate: Elements, mixed: bool) -> Scores:
    """Sim of the question with every element, shape (elements,): cosine, `mixed` averages it with term overlap."""
    cosine: Scores = (candidate.vectors @ query.vector)[_standing_in(candidate)]
    half = np.float32(0.5)
    return half * (cosine + _shared(query, candidate)) if mixed else cosine


def name_scores(entities: tuple[str, ...], names: Vectors, candidate: Elements) -> tuple[float, float]:
    """The two sums of Eq. 7: the share of named entities that the SOP has, and their mean maximum cosine to it."""
    rows = candidate.rows("entity")
    if not entities or rows.stop == rows.start:
        return 0.0, 0.0
    sop_entities = {tuple(terms(text)) for text in candidate.texts[rows]}
    near = names @ candidate.vectors[_standing_in(candidate)[rows]].T
    return sum(tuple(terms(name)) in sop_entities for name in entities) / len(entities), float(near.max(axis=1).mean())


def _standing_in(candidate: Elements) -> NDArray[np.intp]:
    """The vector row of every element; for elements without a vector that of their passage, or of the card."""
    identity = np.arange(len(candidate.kinds))
    if len(candidate.vectors) == len(identity):
        return identity
    passages = candidate.rows("passage")
    holding = np.searchsorted(candidate.lines[passages, 0], candidate.lines[:, 0], side="right") - 1
    rows: NDArray[np.intp] = np.where(candidate.lines[:, 0] > 0, passages.start + np.maximum(holding, 0), 0)
    rows[: len(candidate.vectors)] = identity[: len(candidate.vectors)]
    return rows


def _shared(query: Query, candidate: Elements) -> Scores:
    """The idf-weighted share of the question's terms in every element, shape (elements,)."""
    asked = dict.fromkeys(query.terms)
    total = sum(query.idf[term] for term in asked)
    shared = [sum(query.idf[term] for term in asked if term in words) for words in candidate.terms]
    return np.array(shared, np.float32) / np.float32(total or 1)
