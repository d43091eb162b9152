from soprag.agents.collecting.candidate_urls import CandidateUrl, Discovery
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.procedure_rates import BOUND, ProcedureRates
from soprag.agents.collecting.selection import select

RUNBOOKS, NEWS = frozenset({"page runbooks"}), frozenset({"page news"})


def rates() -> ProcedureRates:
    known = ProcedureRates()
    for _ in range(12):
        known.add(RUNBOOKS, 2.0)
        known.add(NEWS, -3.0)
    return known


def test_a_page_in_doubt_follows_its_list() -> None:
    assert rates().shift(RUNBOOKS) > 0 > rates().shift(NEWS)


def test_an_unknown_list_says_nothing_and_no_list_says_more_than_the_bound() -> None:
    assert rates().shift(frozenset({"page unknown"})) == 0
    assert abs(rates().shift(RUNBOOKS | frozenset({"folder runbooks"}))) <= BOUND


def test_a_single_page_says_little() -> None:
    known = ProcedureRates()
    known.add(RUNBOOKS, 3.0)
    assert 0 < known.shift(RUNBOOKS) < BOUND


def page(number: int, listed: str, form: float) -> tuple[CandidateUrl, PageJudgement]:
    url = f"http://a.test/{listed}/{number}"
    words = " ".join(f"{listed}{number}x{word}" for word in range(60))
    reading = PageJudgement(
        kind="document" if form > 0 else "other", reason="", title=f"Alert {words}", text=words, close=0.6,
        sha256=f"{listed}{number}", meaning=(1.0, 0.0), form=form,
    )  # fmt: skip
    return CandidateUrl(url, url, 1, [Discovery("Alert", "", parent=listed)]), reading


def test_the_selection_takes_doubtful_pages_of_good_lists_and_says_by_how_much() -> None:
    sure = [page(number, "runbooks", 2.0) for number in range(12)]
    chatter = [page(number, "news", -3.0) for number in range(12)]
    doubtful = [page(99, "runbooks", -0.8), page(99, "news", -0.3)]
    accepted = {document.lead.url: document for document in select([*sure, *chatter, *doubtful]).accepted}
    assert "http://a.test/runbooks/99" in accepted
    assert accepted["http://a.test/runbooks/99"].context > 0.8
    assert "http://a.test/news/99" not in accepted
