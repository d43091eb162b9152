"""How many SQL statements a search and a put send: what would count on a database across a network."""

from collections.abc import Callable
from pathlib import Path

from soprag.benchmarks.statements import noted_statements
from soprag.tools.retriever.index.index import Index
from tests.tools.retriever import words
from tests.tools.retriever.test_index import add, opened, written


def statements(index: Index, work: Callable[[], object]) -> list[str]:
    """The statements that `work` sends."""
    with noted_statements(index.database) as sent:
        work()
    return sent


def test_a_search_sends_at_most_ten(place: str | Path) -> None:
    retriever = words.opened(place)
    retriever.find("close the suction valve")  # reads what is kept in memory
    sent = statements(retriever.index, lambda: retriever.find("the coolant pump tripped on overcurrent"))
    assert 0 < len(sent) <= 10, sent


def test_an_added_procedure_sends_few_whatever_its_length(place: str | Path) -> None:
    index = opened(place)
    add(index, written(1, 2))
    sent = statements(index, lambda: add(index, written(3)))
    more = statements(index, lambda: add(index, written(*range(4, 14))))
    assert 0 < len(sent) <= 32, sent
    assert (len(more) - len(sent)) / 9 <= 10, more
