"""Sim by whole elements: a question, or what it names, against each text of an SOP."""

import numpy as np
from numpy.typing import NDArray

from tools.embedding import Vectors
from tools.retriever.question import Asked
from tools.retriever.ranking import Scores
from tools.retriever.reader import Elements
from tools.retriever.terms import hashes, terms


def compare(asked: Asked, one: Elements, mixed: bool) -> Scores:
    """Sim of the question with every element: the cosine, and if `mixed` one half of it the words they share."""
    cosine: Scores = (one.vectors @ asked.vector)[_standing_in(one)]
    half = np.float32(0.5)
    return half * (cosine + _shared(asked, one)) if mixed else cosine


def name_scores(named: tuple[str, ...], names: Vectors, one: Elements) -> tuple[float, float]:
    """The two sums of Eq. 7: the share of the names that the SOP has too, and how near its nearest entities are."""
    rows = one.rows("entity")
    if not named or rows.stop == rows.start:
        return 0.0, 0.0
    known = {tuple(terms(text)) for text in one.texts[rows]}
    near = names @ one.vectors[_standing_in(one)[rows]].T
    return sum(tuple(terms(name)) in known for name in named) / len(named), float(near.max(axis=1).mean())


def _standing_in(one: Elements) -> NDArray[np.intp]:
    """The row of the vector of every element; without one of its own, of the passage it is in, or of the card."""
    own = np.arange(len(one.kinds))
    if len(one.vectors) == len(own):
        return own
    passages = one.rows("passage")
    holding = np.searchsorted(one.lines[passages, 0], one.lines[:, 0], side="right") - 1
    rows: NDArray[np.intp] = np.where(one.lines[:, 0] > 0, passages.start + np.maximum(holding, 0), 0)
    rows[: len(one.vectors)] = own[: len(one.vectors)]
    return rows


def _shared(asked: Asked, one: Elements) -> Scores:
    """The share of the question's terms, by idf, that stand in every element."""
    wanted = dict.fromkeys(asked.terms)
    total = sum(asked.idf[term] for term in wanted)
    shared = np.zeros(len(one.kinds), np.float32)
    for term, key in zip(wanted, hashes(list(wanted)).tolist(), strict=True):
        shared[np.unique(one.owners[one.terms == key])] += asked.idf[term]
    return shared / np.float32(total or 1)
