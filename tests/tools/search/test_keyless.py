"""Searching without a key: Wikipedia, Stack Exchange, DuckDuckGo."""

import json
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from soprag.benchmarks.miniweb.reply import Reply
from soprag.benchmarks.miniweb.server import Site
from soprag.configs.settings import SettingsError, load
from soprag.tools.errors import ConfigError, SearchError, Throttled
from soprag.tools.search.duckduckgo import DuckDuckGo
from soprag.tools.search.engine import Kind, ResultPage, SearchQuery
from soprag.tools.search.registry import ReadyEngines, find_key, keyless_web, open_engines, which

Open = Callable[..., ReadyEngines]


async def ask(opened: Open, kind: Kind, text: str = "pump", page: int = 1, **changes: object) -> ResultPage:
    engine = opened(engine="keyless", **changes).for_kind(kind)
    assert engine is not None
    return await engine.search(SearchQuery(text=text, kind=kind, page=page))


async def test_wikipedia_gives_addresses_and_plain_words(opened: Open) -> None:
    hit = (await ask(opened, "wiki")).hits[0]
    assert hit.url.endswith("/wiki/Pump")
    assert hit.snippet == "Pump A pump moves fluids."
    assert hit.facts["licence"] == "CC BY-SA 4.0"


async def test_wikipedia_has_one_page_only(opened: Open) -> None:
    page = await ask(opened, "wiki", page=2)
    assert (page.hits, page.more, page.credits) == ((), False, 0)


async def test_a_long_retry_after_is_not_waited_for(opened: Open) -> None:
    began = time.monotonic()
    with pytest.raises(Throttled) as caught:
        await ask(opened, "wiki", "__late__")
    assert caught.value.retry_after == 900
    assert time.monotonic() - began < 30


async def test_stack_exchange_gives_plain_words(opened: Open) -> None:
    hit = (await ask(opened, "answers")).hits[0]
    assert hit.title == "Why does my pump & motor trip?"
    assert "<" not in hit.snippet
    assert hit.url == "https://engineering.stackexchange.com/q/1000"


async def test_stack_exchange_is_left_alone_as_long_as_it_asks(opened: Open) -> None:
    engine = opened(engine="keyless", cache_hours=0).for_kind("answers")
    assert engine is not None
    await engine.search(SearchQuery(text="__backoff__"))
    began = time.monotonic()
    await engine.search(SearchQuery(text="pump"))
    assert time.monotonic() - began >= 0.95


async def test_a_used_up_quota_names_when_there_is_more(opened: Open) -> None:
    with pytest.raises(Throttled, match="too many requests") as caught:
        await ask(opened, "answers", "__quota__")
    assert caught.value.retry_after == 4242


async def test_an_answer_without_end_is_refused(opened: Open) -> None:
    def flood() -> Any:
        for _ in range(100):
            yield b" " * 1_000_000

    with (
        Site(lambda request: Reply(stream=flood, mime="application/json")) as site,
        pytest.raises(SearchError, match="more than 5,000,000 bytes"),
    ):
        await ask(opened, "wiki", wikipedia_url=f"http://127.0.0.1:{site.port}", retries=0)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(b"<html>", "text/html"), "not JSON"),
        (Reply(b"[]", "application/json"), "not JSON"),
        (Reply(b"{}", "application/json", 400), "status 400"),
        (Reply(b"oops", "text/plain", 503), "status 503"),
        (Reply(b"{", "application/json", claimed=999), "cannot be reached"),
        (Reply(b"{}", delay=2.0), "no answer in 0.3 s"),
    ],
)
async def test_what_a_free_service_does_wrong_is_said(opened: Open, reply: Reply, words: str) -> None:
    timeout = 0.3 if reply.delay else 10.0
    with Site(lambda request: reply) as site, pytest.raises(SearchError, match=words):
        await ask(opened, "wiki", wikipedia_url=f"http://127.0.0.1:{site.port}", retries=0, timeout=timeout)


def fake_ddgs(monkeypatch: pytest.MonkeyPatch, rows: list[dict[str, str]] | Exception) -> None:
    class DDGS:
        def __init__(self, **options: object) -> None: ...

        def text(self, query: str, **options: object) -> list[dict[str, str]]:
            if isinstance(rows, Exception):
                raise rows
            return rows

    package, errors = types.ModuleType("ddgs"), types.ModuleType("ddgs.exceptions")
    package.DDGS = DDGS  # type: ignore[attr-defined]
    errors.DDGSException = RuntimeError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ddgs", package)
    monkeypatch.setitem(sys.modules, "ddgs.exceptions", errors)


def service_form(body: dict[str, Any], log: list[Any]) -> Callable[[Any], Reply]:
    def answer(request: Any) -> Reply:
        log.append(request)
        return Reply(json.dumps(body).encode(), "application/json")

    return answer


@pytest.mark.parametrize(
    ("service", "field", "target"),
    [("searxng", "content", "/search?q=pump+seal&pageno=2&format=json&language=en"),
     ("marginalia", "description", "/search?query=pump+seal&page=2&count=20")],
)  # fmt: skip
async def test_the_web_is_searched_without_a_key(opened: Open, service: str, field: str, target: str) -> None:
    log: list[Any] = []
    body = {"results": [{"url": "http://a.test/1", "title": "Seal", field: "Replace \n the seal."}, {"title": "none"}]}
    with Site(service_form(body, log)) as site:
        address = f"http://127.0.0.1:{site.port}"
        changes = {"keyless_web": service, f"{service}_url": address, "keyless_pause": 0.0}
        page = await ask(opened, "web", "pump seal", 2, **changes)
    assert [(hit.url, hit.title, hit.snippet, hit.engine) for hit in page.hits] == [
        ("http://a.test/1", "Seal", "Replace the seal.", service)
    ]
    assert (page.more, page.credits) == (True, 0)
    assert [f"{request.path}?{request.query}" for request in log] == [target]


async def test_an_instance_that_gives_no_json_is_named(opened: Open) -> None:
    with Site(lambda request: Reply(b"{}", "application/json", 403)) as site:
        changes = {"keyless_web": "searxng", "searxng_url": f"http://127.0.0.1:{site.port}"}
        with pytest.raises(SearchError, match=r"SearXNG .* format=json"):
            await ask(opened, "web", **changes)


def test_one_service_searches_the_web_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(**changes: object) -> str:
        return keyless_web(load(options={"search": changes}, environment={}).search)

    assert chosen(searxng_url="https://search.test") == "searxng"
    assert chosen(keyless_web="none") == "none"
    monkeypatch.setattr("soprag.tools.search.registry.find_spec", lambda name: None)
    assert chosen() == "marginalia"
    monkeypatch.setattr("soprag.tools.search.registry.find_spec", lambda name: object())
    assert chosen() == "duckduckgo"


def test_searxng_needs_its_address(opened: Open) -> None:
    with pytest.raises(ConfigError, match="searxng_url"):
        opened(engine="keyless", keyless_web="searxng")


async def test_duckduckgo_gives_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_ddgs(monkeypatch, [{"title": "A", "href": "http://a.test", "body": "b"}, {"title": "no address"}])
    page = await DuckDuckGo(timeout=1.0, pause=0.0, most_empties=2).search(SearchQuery(text="x"))
    assert [(hit.url, hit.rank) for hit in page.hits] == [("http://a.test", 1)]


async def test_two_empty_answers_of_duckduckgo_are_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_ddgs(monkeypatch, RuntimeError("No results found."))
    engine = DuckDuckGo(timeout=1.0, pause=0.0, most_empties=2)
    for _ in range(2):
        assert (await engine.search(SearchQuery(text="x"))).hits == ()
    with pytest.raises(Throttled):
        await engine.search(SearchQuery(text="x"))


async def test_duckduckgo_without_its_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(ConfigError, match=r"soprag\[duckduckgo\]"):
        await DuckDuckGo(timeout=1.0, pause=0.0, most_empties=2).search(SearchQuery(text="x"))


def test_auto_asks_nobody_without_a_key(tmp_path: Path) -> None:
    settings = load(environment={}).search
    assert which(settings, {}) == "none"
    assert open_engines(settings, tmp_path, environment={}).every == ()
    assert which(settings, {"SERPAPI_KEY": "k"}) == "serpapi"


def test_the_first_name_of_the_key_wins() -> None:
    key = find_key({"SERPAPI_KEY": "second", "SERPAPI_API_KEY": "first"})
    assert key is not None and key.value == "first"
    assert find_key({"SERPAPI_API_KEY": "  "}) is None


def test_serpapi_without_a_key_says_where_to_get_one(opened: Open) -> None:
    with pytest.raises(ConfigError, match="SERPAPI_API_KEY") as caught:
        opened(key="")
    assert caught.value.exit_code == 3


def test_an_address_with_a_password_is_no_setting() -> None:
    with pytest.raises(SettingsError):
        load(options={"search": {"base_url": "https://me:secret@serpapi.com"}}, environment={})
