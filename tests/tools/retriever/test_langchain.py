"""The LangChain adapter."""

import asyncio

import pytest

from soprag.tools.retriever.query.langchain import open_langchain
from soprag.tools.retriever.query.retriever import Retriever
from tests.tools.retriever.words import PUMP, opened


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    return opened(tmp_path_factory.mktemp("index"))


def test_it_is_a_base_retriever_that_gives_whole_procedures(retriever: Retriever) -> None:
    from langchain_core.retrievers import BaseRetriever

    adapter = open_langchain(retriever, keep=2)
    assert isinstance(adapter, BaseRetriever)
    first, _ = adapter.invoke("reset the breaker of coolant pump P-101")
    assert (first.id, first.page_content) == ("pump", PUMP)
    assert first.metadata["parts"].keys() == {"card", "entity", "causal", "flow", "lexical", "purpose"}
    assert first.metadata["source"] == next(one.source for one in retriever.index.listing() if one.id == "pump")


def test_it_awaits_too(retriever: Retriever) -> None:
    found = asyncio.run(open_langchain(retriever, keep=1).ainvoke("brush the tubes of the condenser"))
    assert [document.id for document in found] == ["chiller"]


def test_nothing_is_given_when_nothing_fits(retriever: Retriever) -> None:
    assert open_langchain(retriever).invoke("which wine goes with grilled salmon and asparagus") == []
