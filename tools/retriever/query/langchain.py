"""The retriever as a LangChain `BaseRetriever`, for chains and agents that are built with LangChain.

    documents = open_langchain(retriever, keep=3).invoke("coolant pump tripped")

Every document is one SOP, word for word, with its reasons as metadata.
"""

from typing import TYPE_CHECKING, Any

from soprag.tools.retriever.query.results import Ranking
from soprag.tools.retriever.query.retriever import Retriever

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever


def open_langchain(retriever: Retriever, keep: int | None = None) -> "BaseRetriever":
    """An adapter that gives the best `keep` SOPs, and none when none fits."""
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict

    class SopRetriever(BaseRetriever):
        """SOPRAG behind LangChain's interface."""

        model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

        retriever: Any
        keep: int | None

        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> "list[Document]":  # noqa: ANN401 - LangChain's
            return documents(self.retriever, self.retriever.find(query, self.keep))

        async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> "list[Document]":  # noqa: ANN401
            return documents(self.retriever, await self.retriever.search(query, self.keep))

    return SopRetriever(retriever=retriever, keep=keep)


def documents(retriever: Retriever, ranking: Ranking) -> "list[Document]":
    """The hits of a ranking as LangChain documents."""
    from langchain_core.documents import Document

    hits = () if ranking.abstained else ranking.hits
    sources = {listed.id: listed.source for listed in retriever.index.listing()} if hits else {}
    return [
        Document(
            id=hit.sop,
            page_content=retriever.index.sop(hit.sop).body,
            metadata={"source": sources.get(hit.sop, hit.sop), **hit.model_dump(mode="json", exclude_none=True)},
        )
        for hit in hits
    ]
