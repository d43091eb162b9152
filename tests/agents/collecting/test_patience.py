from dataclasses import replace

from soprag.agents.collecting.patience import Progress, patience

FREQUENT = Progress(pages=100, documents=50, requests_left=280, promised=5.0, newly_promised=0.0)


def test_the_budget_is_spent_on_looking_further_while_the_waiting_links_promise_a_document() -> None:
    assert patience(FREQUENT, 120) == 120
    assert patience(replace(FREQUENT, requests_left=60), 120) == 30


def test_a_web_that_has_dried_up_is_left_soon_where_documents_were_frequent() -> None:
    dry = replace(FREQUENT, promised=0.4)
    assert patience(dry, 120) == 16
    assert patience(replace(dry, documents=4), 120) == 120


def test_new_links_that_promise_documents_at_most_double_it() -> None:
    dry = replace(FREQUENT, promised=0.4)
    assert patience(replace(dry, newly_promised=1.0), 120) == 21
    assert patience(replace(dry, newly_promised=50.0), 120) == 32
