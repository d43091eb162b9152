"""Vectors selected by their signs, before their cosines are computed."""

import numpy as np
import pytest

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index import anchors
from soprag.tools.retriever.index.codes import encode
from soprag.tools.retriever.index.sign_filter import SignFilter

RNG = np.random.default_rng(11)
MANY, DIMENSION = 6000, 100  # no multiple of 64


def vectors() -> Vectors:
    """Unit vectors around a common mean, as those of sentences are."""
    rows: Vectors = RNG.standard_normal((MANY, DIMENSION)).astype(np.float32) + 0.3
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def test_it_selects_those_with_the_fewest_different_signs_and_all_that_tie() -> None:
    rows = vectors()
    coded = encode(rows, 8)
    question = rows[17]
    differing = ((coded.packed >= 128) != (question >= 0)).sum(axis=1)
    selected = SignFilter.of(coded.packed).select(question, 500)
    assert selected.tolist() == np.flatnonzero(differing <= np.sort(differing)[499]).tolist()


def test_the_nearest_of_many_are_found_with_the_cosines_of_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchors, "_LEAST", 100)
    rows = vectors()
    coded = encode(rows, 8)
    matrix = anchors.Matrix.of("gist", np.arange(MANY), coded)
    found = 0
    for question in rows[:20]:
        cosines = coded.vectors() @ question
        nearest = set(np.argsort(-cosines)[:12].tolist())
        scores = matrix.search(question, 12)
        found += len(nearest & scores.keys())
        assert all(score == pytest.approx(cosines[number], abs=1e-5) for number, score in scores.items())
    assert found > 0.9 * 240
