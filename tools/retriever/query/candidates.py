"""Candidate generation (paper 3.3.1, Eq. 5): only the SOPs selected here are scored later."""

from soprag.configs.settings import RetrieverSettings
from soprag.tools.retriever.index.bm25 import Scored
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.query import Query


def anchor(index: Index, query: Query, settings: RetrieverSettings) -> tuple[list[Elements], Scored]:
    """Eq. 5: the union of the top K SOPs of every anchor, sorted by id; and the BM25 scores of all SOPs."""
    # One transaction: an SOP replaced between two reads has a number that the scores of the first do not reach.
    with index.database.reading():
        scored = index.scored(query.terms)
        ids: set[str] = set()
        for by in settings.anchors:
            if by == "text":
                ids.update(id for id, _ in index.best(scored, settings.candidates))
            elif not (by == "gist" and "card" in settings.without):
                ids.update(id for id, _ in index.nearest(query.vector, settings.candidates, by))
        return index.elements(sorted(ids)), scored
