"""Closeness of the parts of a procedure to a question: cosine of the embedded model, and the shared rare terms."""

from collections.abc import Sequence

from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.text.relevance import relevance

_LEXICAL = 0.5  # weight of the terms, on the scale of a cosine


def closeness(question: str, texts: Sequence[str]) -> list[float]:
    """One score per text, the larger the closer."""
    asked, *vectors = MiniLm().embed([question, *texts])
    shared = relevance(question, texts)
    most = max(shared, default=0.0) or 1.0
    return [float(vector @ asked) + _LEXICAL * score / most for vector, score in zip(vectors, shared, strict=True)]
