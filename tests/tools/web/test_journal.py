from pathlib import Path

import pytest

from soprag.tools.errors import BudgetSpent
from soprag.tools.search.engine import ResultPage, SearchHit, SearchQuery
from soprag.tools.sop import Card
from soprag.tools.web.budget import BudgetLimits
from soprag.tools.web.journal import open_journal
from soprag.tools.web.outcome import Fetched

SOME = BudgetLimits(credits=2, fetches=9, bytes=9000, seconds=60, tokens=9)
QUERY = SearchQuery(text="pump")
PAGE = ResultPage(hits=(SearchHit(url="http://a.test/", title="A", rank=1, engine="e"),), credits=1)


def test_an_answered_search_is_there_in_the_next_process_and_paid_once(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        budget = journal.budget(SOME)
        journal.take_query(QUERY, budget)
        journal.keep_answer(QUERY, PAGE, budget)
    with open_journal(tmp_path) as journal:
        assert journal.answer(QUERY) == PAGE
        assert journal.budget(SOME).spent("credits") == 1


def test_who_was_killed_while_asking_has_paid_and_does_not_pay_again(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        journal.take_query(QUERY, journal.budget(SOME))
    with open_journal(tmp_path) as journal:
        budget = journal.budget(SOME)
        assert journal.answer(QUERY) is None
        journal.take_query(QUERY, budget)
        journal.keep_answer(QUERY, PAGE, budget)
        assert budget.spent("credits") == 1


def test_what_comes_from_a_cache_or_fails_costs_nothing(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        budget = journal.budget(SOME)
        journal.take_query(QUERY, budget)
        journal.keep_answer(QUERY, PAGE.model_copy(update={"credits": 0}), budget)
        other = SearchQuery(text="other")
        journal.take_query(other, budget)
        journal.drop_query(other, budget)
        assert budget.spent("credits") == 0


def test_a_search_that_cannot_be_paid_leaves_no_trace(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        budget = journal.budget(SOME.model_copy(update={"credits": 0}))
        with pytest.raises(BudgetSpent):
            journal.take_query(QUERY, budget)
        assert journal.connection.execute("SELECT count(*) FROM query").fetchone() == (0,)


def test_a_page_is_claimed_until_it_is_fetched_and_never_after(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        journal.see("k", "http://a.test/")
        assert journal.take("k")
        journal.keep_fetched("k", Fetched(url="http://a.test/", kind="ok", data=b"body"))
    with open_journal(tmp_path) as journal:
        assert not journal.take("k")
        page = journal.fetched("k")
        assert page is not None
        assert page.data == b"body"


def test_the_body_of_a_page_nobody_wants_is_not_kept(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        for key in ("a", "b"):
            journal.see(key, f"http://{key}.test/")
            journal.keep_fetched(key, Fetched(url=f"http://{key}.test/", kind="ok", data=key.encode()))
        journal.keep_judged("a", Card(title="A", abstract=""), keep_body=True)
        journal.keep_judged("b", Card(title="B", abstract=""), keep_body=False)
        assert [file.read_bytes() for file in sorted(tmp_path.glob("??/*"))] == [b"a"]
        assert journal.judged("b", Card) == Card(title="B", abstract="")


def test_robots_files_are_believed_for_their_time(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        journal.keep_robots("http://a.test", "x", fetched_at=100.0)
        assert journal.robots("http://a.test", youngest=50.0) == "x"
        assert journal.robots("http://a.test", youngest=150.0) is None
