from typing import Literal

from soprag.agents.collecting.candidate_urls import CandidateUrl, Discovery
from soprag.agents.collecting.coverage import estimate
from soprag.agents.collecting.frontier import Frontier
from soprag.agents.collecting.link_scorer import LinkScorer
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.topic_similarity import Topic
from soprag.configs.settings import load
from soprag.tools.web import urls
from tests.words import WordEmbedder


def frontier() -> Frontier:
    settings = load(options={"collect": {"depth": 2, "good": 0.5, "fair": 0.3}}, environment={}).collect
    return Frontier(Topic("slurry pump", WordEmbedder()), settings)


def hit(title: str, text: str = "slurry pump steps", query: str = "q") -> Discovery:
    return Discovery(title, text, query=query, engine="e", rank=1)


def reading(
    kind: Literal["document", "other", "unread", "missed"], text: str = "", close: float = 0.5
) -> PageJudgement:
    meaning = tuple(map(float, WordEmbedder().embed([text])[0]))
    return PageJudgement(kind=kind, reason="", text=text, close=close, sha256=text, meaning=meaning)


def test_a_procedure_comes_before_news_and_a_page_of_links_before_nothing() -> None:
    pages = frontier()
    pages.see([("http://a.test/1", hit("News: slurry pump sold"))], 0)
    pages.see([("http://a.test/2", hit("Start-up procedure of slurry pump P-101"))], 0)
    best = pages.best(0.5)
    assert best is not None
    assert best.url.endswith("/2")
    assert pages.best(0.5) is None


def test_a_search_without_results_changes_nothing() -> None:
    pages = frontier()
    assert pages.see([], 0) == []
    assert pages.best(0.0) is None
    assert pages.titles() == []


def test_two_spellings_are_one_lead_and_links_too_deep_are_none() -> None:
    pages = frontier()
    pages.see([("http://a.test/x?utm_source=1", hit("A")), ("http://a.test/x", hit("B"))], 0)
    pages.see([("http://a.test/deep", hit("C"))], 3)
    assert list(pages.leads) == ["a.test/x"]
    assert len(pages.leads["a.test/x"].sightings) == 2


def test_what_is_said_of_a_lead_follows_its_sightings() -> None:
    pages = frontier()
    pages.see([("http://a.test/x", hit("Pump"))], 0)
    lead = pages.leads["a.test/x"]
    before = lead.title, lead.groups, lead.traits, lead.tags, lead.words
    pages.see([("http://a.test/x", hit("Slurry pump P-101 shutdown"))], 0)
    after = lead.title, lead.groups, lead.traits, lead.tags, lead.words
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_a_copy_waits_until_the_original_has_failed() -> None:
    pages = frontier()
    for host in ("a", "b"):
        pages.see(
            [(f"http://{host}.test/1", hit("Shutdown procedure of slurry pump P-101", "Close the valve slowly."))], 0
        )
    first = pages.best(0.5)
    assert first is not None
    assert pages.best(0.5) is None
    pages.settle(first, reading("missed"), [])
    assert pages.best(0.2) is not None


def test_pages_like_one_that_has_led_to_a_document_are_expected_to_lead_to_one() -> None:
    pages = frontier()
    pages.see([(f"http://a.test/support/{number}", hit(f"Slurry pump P-{number}")) for number in (1, 2)], 0)
    abstract, other = pages.leads["a.test/support/1"], pages.leads["a.test/support/2"]
    pages.settle(abstract, reading("other"), [("http://a.test/dam/1.pdf", Discovery("PDF", "", parent=abstract.key))])
    before = pages._hubs.shift(other.traits)
    pages.settle(pages.leads["a.test/dam/1.pdf"], reading("document", "slurry pump", close=0.9), [])
    assert pages.titles()
    assert pages._hubs.shift(other.traits) > before


def test_the_endless_pages_of_a_calendar_are_given_up() -> None:
    pages = frontier()
    visits = 0
    pages.see([("http://a.test/log/1", hit("Slurry pump procedure, day 1"))], 0)
    for at in range(2, 60):
        lead = pages.best(0.05)
        if lead is None:
            break
        visits += 1
        link = Discovery(f"Slurry pump procedure, day {at}", "", parent=lead.key, about=0.9)
        lead.depth = 0
        pages.settle(lead, reading("other"), [(f"http://a.test/log/{at}", link)])
    assert visits <= 6


def test_a_way_of_links_that_leads_to_nothing_is_left() -> None:
    pages, visits = frontier(), 0
    pages.see([("http://a.test/alpha/", hit("Library of slurry pump procedures"))], 0)
    for name in ("beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"):
        if (lead := pages.best(0.5)) is None:
            break
        visits, lead.depth = visits + 1, 0
        link = Discovery("More slurry pump procedures", "", parent=lead.key, about=0.9)
        pages.settle(lead, reading("other", name), [(f"http://a.test/{name}/", link)])
    assert 1 < visits <= 5


def test_the_waiting_links_promise_fewer_documents_when_those_like_them_were_none() -> None:
    pages, names = frontier(), [f"{a}{b}" for a in "abcdefgh" for b in "stuvwxyz"]
    pages.see([(f"http://{name}.test/{name}", hit(f"Slurry pump procedure {name}")) for name in names], 0)
    promised = []
    for name in names[:45]:
        lead = pages.best(0.0)
        assert lead
        pages.settle(lead, reading("other", f"news {name}"), [])
        promised.append(pages.promised)
    assert promised[0] > promised[25] > promised[-1]
    assert promised[-1] < 1


def test_what_became_of_neighbours_is_learned() -> None:
    def traits(host: str, number: int) -> tuple[str, ...]:
        return CandidateUrl(f"{host}{number}", f"http://{host}.test/docs/{number}", 0, [hit(f"T {number}")]).traits

    scorer = LinkScorer()
    for number in range(5):
        scorer.learn(traits("good", number), 0.0, 1.0)
        scorer.learn(traits("bad", number), 0.0, 0.0)
    good, bad, unknown = (scorer.shift(traits(host, 9)) for host in ("good", "bad", "new"))
    assert bad < unknown < good
    assert LinkScorer().shift(traits("good", 1)) == 0


def test_coverage_counts_what_was_found_once_and_twice() -> None:
    def found(*queries: str) -> CandidateUrl:
        return CandidateUrl("k", "http://a.test", 0, [hit("A", query=query) for query in queries])

    assert estimate([found("a", "b"), found("a", "b", "c")]).share == 1.0
    covered = estimate([found("a"), found("b"), found("c"), found("a", "b")])
    assert covered.estimated == 5.5
    assert estimate([]).share == 0.0


def test_the_list_that_documents_link_to_comes_before_the_menu_of_all_pages() -> None:
    pages = frontier()
    names = ["Start-up", "Shutdown", "Draining", "Flushing", *(f"News {number}" for number in range(8))]
    pages.see([(f"http://a.test/?t={name}", hit(f"{name} of slurry pump, procedure")) for name in names], 0)
    for number, name in enumerate(names):
        lead = pages.leads[urls.key(f"http://a.test/?t={name}")]
        kind: Literal["document", "other"] = "document" if number < 4 else "other"
        board = [("http://a.test/?f=7", Discovery("Slurry", "", parent=lead.key))] if number < 4 else []
        members = ("http://a.test/?m=7", Discovery("Slurry", "", parent=lead.key))
        pages.settle(lead, reading(kind, f"slurry pump {name}"), [*board, members])
    list_, menu = (pages.score(pages.leads[f"a.test/?{name}=7"]) for name in "fm")
    assert list_ > 2 * menu


def test_a_menu_link_to_the_folder_of_a_document_is_followed() -> None:
    pages = frontier()
    pages.see([("http://a.test/help/slurry/full", hit("Start-up procedure of slurry pump"))], 0)
    lead = pages.best(0.5)
    assert lead is not None
    menu = [(f"http://a.test/{name}/", Discovery(name, "", parent=lead.key, menu=True)) for name in ("help", "zeta")]
    pages.see(menu, 1)
    before = [pages.score(pages.leads[f"a.test/{name}/"]) for name in ("help", "zeta")]
    pages.settle(lead, reading("document", "slurry pump start up"), [])
    after = [pages.score(pages.leads[f"a.test/{name}/"]) for name in ("help", "zeta")]
    assert before[0] == before[1]
    assert after[0] > 2 * after[1]
