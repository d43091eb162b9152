"""When nothing fits: how sure a hit is, on a scale that is the same for every question."""

from collections.abc import Sequence

from tools.retriever.question import Asked
from tools.retriever.ranking import Parts
from tools.retriever.reader import Elements
from tools.retriever.terms import hashes


def confidences(asked: Asked, candidates: Sequence[Elements], parts: Parts) -> list[float]:
    """How much of the question is in each candidate, 0 to 1 and on one scale for all questions.

    The mean of two views of the same thing: how near its tokens are (`similar`), and how many of its words, by idf,
    stand there. The ranking's own scores are no use: they are relative to the other candidates.
    """
    return [
        (min(max(float(near), 0.0), 1.0) + coverage(asked, one)) / 2
        for near, one in zip(parts.similar, candidates, strict=True)
    ]


def coverage(asked: Asked, one: Elements) -> float:
    """The share of the question's terms, by idf, that the SOP has."""
    wanted = list(dict.fromkeys(asked.terms))
    total = sum(asked.idf[term] for term in wanted)
    has = (hashes(wanted)[:, None] == one.terms).any(axis=1)
    held = sum(asked.idf[term] for term, there in zip(wanted, has, strict=True) if there)
    return held / total if total else 0.0
