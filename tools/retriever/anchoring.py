"""Candidate generation (paper 3.3.1, Eq. 5): only the SOPs selected here are scored later."""

from configs.settings import RetrieverSettings
from tools.retriever.index import Index
from tools.retriever.postings import Scored
from tools.retriever.question import Asked
from tools.retriever.reader import Elements


def anchor(index: Index, query: Asked, settings: RetrieverSettings) -> tuple[list[Elements], Scored]:
    """Eq. 5: the union of the top K SOPs of every anchor, sorted by id; and the BM25 scores of all SOPs."""
    scored = index.scored(query.terms)
    ids: set[str] = set()
    for by in settings.anchors:
        if by == "text":
            ids.update(id for id, _ in index.best(scored, settings.candidates))
        elif not (by == "gist" and "card" in settings.without):
            ids.update(id for id, _ in index.nearest(query.vector, settings.candidates, by))
    return index.elements(sorted(ids)), scored
