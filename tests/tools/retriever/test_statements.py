"""How many SQL statements a search and a put send: what would count on a database across a network."""

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from soprag.tools.retriever.index.index import Index
from tests.tools.retriever import words
from tests.tools.retriever.test_index import add, opened, written


def statements(index: Index, work: Callable[[], object]) -> list[str]:
    """The statements that `work` sends; those of triggers repeat the one that set them off."""
    sent: list[str] = []
    index.database.here.set_trace_callback(sent.append)
    work()
    index.database.here.set_trace_callback(None)
    return [line for line, _ in groupby(sent)]


def test_a_search_sends_at_most_ten(tmp_path: Path) -> None:
    retriever = words.opened(tmp_path)
    retriever.find("close the suction valve")  # reads what is kept in memory
    sent = statements(retriever.index, lambda: retriever.find("the coolant pump tripped on overcurrent"))
    assert len(sent) <= 10, sent


def test_an_added_procedure_sends_few_whatever_its_length(tmp_path: Path) -> None:
    index = opened(tmp_path)
    add(index, written(1, 2))
    sent = statements(index, lambda: add(index, written(3)))
    more = statements(index, lambda: add(index, written(*range(4, 14))))
    assert len(sent) <= 26, sent
    assert (len(more) - len(sent)) / 9 <= 10, more
