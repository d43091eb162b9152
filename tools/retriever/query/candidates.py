"""Candidate generation (paper 3.3.1, Eq. 5): only the SOPs selected here are scored later."""

from soprag.configs.settings import RetrieverSettings
from soprag.tools.retriever.index.bm25 import Scored
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.query import EmbeddedQuestion, Query


def anchor(
    index: Index, question: EmbeddedQuestion, settings: RetrieverSettings
) -> tuple[Query, list[Elements], Scored]:
    """The weighed question, the union of the top K SOPs of every anchor (Eq. 5), by id, and the BM25 of all SOPs."""
    anchors = [by for by in settings.anchors if not (by == "gist" and "card" in settings.without)]
    # One transaction: an SOP replaced between two reads has a number that the scores of the first do not reach.
    with index.database.reading():
        scored = index.scored(question.terms, question.vocabulary)
        query = question.weigh(scored, settings.rarity)
        return query, index.candidates(scored, query.vector, settings.candidates, anchors), scored
