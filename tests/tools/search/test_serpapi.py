"""SerpAPI on the wire: every kind of search, every form of failure, and where its key goes."""

import asyncio
import io
import logging
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from soprag.benchmarks.miniweb.endpoint import Endpoint
from soprag.benchmarks.miniweb.reply import Reply, Request, moved
from soprag.benchmarks.miniweb.server import Site
from soprag.tools.errors import ConfigError, CreditsSpent, SearchError, SopragError, Throttled
from soprag.tools.search.engine import Kind, ResultPage, SearchQuery
from soprag.tools.search.registry import ReadyEngines
from soprag.tools.search.serpapi_answers import read

Open = Callable[..., ReadyEngines]
LOUD = ("urllib3.connectionpool", "requests")


async def ask(engines: Open, text: str = "pump", kind: Kind = "web", page: int = 1, **changes: object) -> ResultPage:
    engine = engines(**changes).for_kind(kind)
    assert engine is not None
    return await engine.search(SearchQuery(text=text, kind=kind, page=page))


async def test_a_page_of_results_costs_one_credit_and_is_ranked_from_one(opened: Open, endpoint: Endpoint) -> None:
    page = await ask(opened)
    assert [hit.rank for hit in page.hits] == list(range(1, 11))
    assert page.hits[0].engine == "serpapi:google"
    assert (page.credits, page.cached, page.more) == (1, False, True)
    assert endpoint.spent == 1


async def test_pages_follow_each_other_without_gap_or_repetition(opened: Open) -> None:
    seen: list[str] = []
    for number in range(1, 10):
        page = await ask(opened, "start-up", page=number)
        seen += [hit.url for hit in page.hits]
        if not page.more:
            break
    assert len(seen) == len(set(seen)) == 25


@pytest.mark.parametrize("web", ["google_light", "duckduckgo", "bing"])
async def test_every_general_engine_counts_its_pages_in_its_own_way(opened: Open, web: str) -> None:
    first, second = await ask(opened, web=web), await ask(opened, web=web, page=2)
    urls = {hit.url for hit in first.hits}
    assert first.hits[0].engine == f"serpapi:{web}"
    assert urls.isdisjoint(hit.url for hit in second.hits)
    assert len(urls) + len(second.hits) >= 20


@pytest.mark.parametrize(
    ("kind", "url", "fact"),
    [
        ("images", "http://pictures.test/1/", ("image", "http://pictures.test/1/pump.png")),
        ("scholar", "http://papers.test/pump.pdf", ("authors", "A Author")),
        ("patents", "http://patents.test/pump", ("assignee", "Acme")),
        ("wiki", "http://en.wikipedia.org/wiki/Pump", ("source", "en.wikipedia.org")),
        ("answers", "http://engineering.stackexchange.com/q/1", ("source", "engineering.stackexchange.com")),
    ],
)
async def test_every_kind_has_its_engine_and_its_facts(
    opened: Open, kind: Kind, url: str, fact: tuple[str, str]
) -> None:
    page = await ask(opened, kind=kind)
    assert [hit.url for hit in page.hits] == [url]
    assert fact in page.hits[0].facts.items()


async def test_no_results_are_an_empty_page_and_no_failure(opened: Open) -> None:
    assert (await ask(opened, "__empty__")).hits == ()


@pytest.mark.parametrize(
    ("key", "error", "words", "code"),
    [
        ("bad-key-42", ConfigError, "SERPAPI_API_KEY", 3),
        ("deleted", ConfigError, "refuses this account", 3),
        ("empty", CreditsSpent, "used up", 6),
        ("throttled", Throttled, "too often", 6),
    ],
)
async def test_faults_of_the_account_say_what_to_do(
    opened: Open, key: str, error: type[SopragError], words: str, code: int
) -> None:
    with pytest.raises(error, match=words) as caught:
        await ask(opened, key=key)
    assert caught.value.exit_code == code


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__503__", "couldn't get valid results"),
        ("__500__", "status 500"),
        ("__broken__", "not JSON"),
        ("__html__", "not JSON"),
        ("__slow__", "no answer in 0.3 s"),
        ("__drip__", "no answer in 0.3 s"),
    ],
)
async def test_faults_of_the_service_end_in_a_search_error_after_every_try(
    opened: Open, endpoint: Endpoint, text: str, words: str
) -> None:
    began = time.monotonic()
    with pytest.raises(SearchError, match=words) as caught:
        await ask(opened, text, retries=1, timeout=0.3 if "answer in" in words else 5.0)
    assert caught.value.exit_code == 6
    assert endpoint.asked[text] == 2
    assert endpoint.spent == 0
    assert time.monotonic() - began < 20


async def test_what_passes_is_asked_again_and_answered(opened: Open, endpoint: Endpoint) -> None:
    assert (await ask(opened, "__busy__", retries=2)).credits == 1
    assert endpoint.asked["__busy__"] == 3


async def test_a_wrong_key_is_not_tried_twice(opened: Open, endpoint: Endpoint) -> None:
    with pytest.raises(ConfigError):
        await ask(opened, key="wrong", retries=5)
    assert len(endpoint.calls) == 1


async def test_a_429_that_says_nothing_is_told_apart_by_the_account(opened: Open) -> None:
    def silent(left: int) -> Site:
        def answer(request: Request) -> Reply:
            if request.path.startswith("/account"):
                return Reply(f'{{"total_searches_left": {left}}}'.encode(), "application/json")
            return Reply(b'{"error": "no"}', "application/json", 429)

        return Site(answer)

    for left, error in ((0, CreditsSpent), (7, Throttled)):
        with silent(left) as site, pytest.raises(error):
            await ask(opened, base_url=f"http://127.0.0.1:{site.port}", retries=0)


async def test_nobody_there_is_said_with_the_address(opened: Open) -> None:
    with pytest.raises(SearchError, match=r"cannot be reached at http://127.0.0.1:1;"):
        await ask(opened, base_url="http://127.0.0.1:1", retries=0)


async def test_the_key_follows_no_redirect(opened: Open, endpoint: Endpoint) -> None:
    with (
        Site(lambda request: Reply(b"{}", "application/json")) as other,
        Site(lambda request: moved(f"http://127.0.0.1:{other.port}{request.path}?{request.query}")) as service,
    ):
        with pytest.raises(SearchError):
            await ask(opened, base_url=f"http://127.0.0.1:{service.port}", retries=0)
        assert service.log.counts and not other.log.counts


async def test_searches_run_side_by_side(opened: Open, endpoint: Endpoint) -> None:
    endpoint.delay = 1.0
    began = time.monotonic()
    await asyncio.gather(*(ask(opened, f"pump {number}") for number in range(6)))
    assert time.monotonic() - began < 5  # one after the other they take six


async def test_a_hanging_service_does_not_outlive_its_deadline(opened: Open) -> None:
    began = time.monotonic()
    with pytest.raises(SearchError):
        await ask(opened, "__drip__", retries=0, timeout=0.4)
    assert time.monotonic() - began < 20


async def test_the_key_is_nowhere_but_in_the_request(
    opened: Open, endpoint: Endpoint, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spoken = io.StringIO()
    listener = logging.StreamHandler(spoken)
    caplog.set_level(logging.DEBUG)
    for name in LOUD:
        caplog.set_level(logging.DEBUG, name)
        logging.getLogger(name).addHandler(listener)
    keys = [endpoint.key, "bad key/with+signs&more=1", "empty", "throttled", "deleted"]
    try:
        for key in keys:
            for text in ("pump", "__500__", "__broken__", "__slow__"):
                try:
                    page = await ask(opened, text, key=key, retries=1, timeout=0.3)
                    spoken.write(page.model_dump_json())
                except SopragError as fault:
                    spoken.write("".join(traceback.format_exception(fault)) + repr(fault.__context__))
            spoken.write(repr(opened(key=key)))
    finally:
        for name in LOUD:
            logging.getLogger(name).removeHandler(listener)
    written = (
        spoken.getvalue()
        + caplog.text
        + "".join(file.read_bytes().decode("latin-1") for file in tmp_path.rglob("*") if file.is_file())
    )
    assert "pump" in written and "GET /search" in written  # the verbose log of the HTTP library is in there
    for key in (endpoint.key, "bad key/with+signs&more=1", "bad%20key", "bad+key", "with%2Bsigns"):
        assert key not in written


def test_items_without_an_address_and_repetitions_are_left_out() -> None:
    items: list[object] = [
        {"title": "one", "link": "http://a.test/1"},
        {"title": "no address"},
        {"title": "again", "link": "http://a.test/1"},
        {"title": "script", "link": "javascript:alert(1)"},
        "nonsense",
        {"title": None, "link": "http://a.test/2", "snippet": ["x"]},
    ]
    page = read("google", {"organic_results": items})
    assert [(hit.url, hit.title, hit.rank) for hit in page.hits] == [
        ("http://a.test/1", "one", 1),
        ("http://a.test/2", "http://a.test/2", 2),
    ]


def test_an_address_behind_a_bing_redirect_is_unwrapped() -> None:
    wrapped = "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cDovL2EudGVzdC9zb3AucGRm&ntb=1"
    odd = "https://www.bing.com/ck/a?u=a1%%%"
    page = read("bing", {"organic_results": [{"title": "t", "link": wrapped}, {"title": "u", "link": odd}]})
    assert [hit.url for hit in page.hits] == ["http://a.test/sop.pdf", odd]
