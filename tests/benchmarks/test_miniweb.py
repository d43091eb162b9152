"""The mini web itself: its truth is true, and its search service has the form of the real one."""

import hashlib
import json
import urllib.request
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode

import pytest

from soprag.benchmarks.miniweb.endpoint import Endpoint
from soprag.benchmarks.miniweb.ground import Entry, Ground
from soprag.benchmarks.miniweb.index import Index
from soprag.benchmarks.miniweb.score import Limits, Work, score
from soprag.benchmarks.miniweb.web import MiniWeb, build

SMALL = {"size": 12, "count": 1, "traps": False}


@cache
def ground(seed: int, built: int = 1) -> Ground:
    made = Ground(port=8080)
    build(made, seed, 12, 1, True)
    return made


def test_the_same_seed_gives_the_same_web_and_another_one_another() -> None:
    first, second, other = ground(1), ground(1, built=2), ground(2)
    assert first.planted == second.planted
    assert first.entries == second.entries
    assert {one.title for one in first.planted} != {one.title for one in other.planted}


def test_every_document_stands_where_the_truth_says() -> None:
    made = ground(1)
    pages = {made.url(*address): page for address, page in made.pages.items()}
    for one in made.planted:
        for url, sha256 in zip(one.urls, one.hashes, strict=True):
            page = pages[url]
            data = page.body if not callable(page) else b""
            assert callable(page) or hashlib.sha256(data).hexdigest() == sha256
    ids = Counter(one.id for one in made.planted)
    assert set(ids.values()) == {1}


def test_engines_list_what_can_be_searched_and_nothing_that_can_only_be_linked() -> None:
    made = ground(1)
    listed = {entry.url for entry in made.entries}
    for one in made.planted:
        if one.reach == "links":
            assert listed.isdisjoint(one.urls), one
        if one.reach == "search":
            assert listed.issuperset(one.urls), one
    assert {one.reach for one in made.planted} == {"search", "links", "never"}


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}


def test_no_two_documents_are_so_alike_that_they_should_be_merged() -> None:
    made = ground(2)
    texts = {entry.text.split("\n")[0]: shingles(entry.text) for entry in made.entries if "WARNING" in entry.text}
    alike = [len(one & other) / len(one | other) for one, other in combinations(texts.values(), 2)]
    assert 0.4 < max(alike) < 0.8  # there are twins, and they are no copies


def get(endpoint: Endpoint, path: str = "/search", **asked: str) -> tuple[int, dict[str, Any]]:
    url = f"{endpoint.url}{path}?{urlencode({'api_key': endpoint.key, **asked}, quote_via=quote)}"
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as fault:
        with fault:
            return fault.code, json.loads(fault.read())


INDEX = Index(
    [
        Entry("http://a.test/one.pdf", "Pump start", "Open the valve of the pump.", "pdf"),
        Entry("http://www.b.test/two", "Pump stop", "Close the gate of the pump."),
        Entry("http://b.test/news", "Pump news", "A pump was sold."),
    ]
)


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("pump", {"Pump start", "Pump stop", "Pump news"}),
        ("pump site:b.test", {"Pump stop", "Pump news"}),
        ("pump -site:b.test", {"Pump start"}),
        ("pump filetype:pdf", {"Pump start"}),
        ('"close the gate"', {"Pump stop"}),
        ("pump -sold.", {"Pump start", "Pump stop", "Pump news"}),
        ("pump intitle:news", {"Pump news"}),
        ("zebra", set()),
    ],
)
def test_operators_of_a_query_are_obeyed(query: str, titles: set[str]) -> None:
    assert {result.title for result in INDEX.search(query)} == titles


def test_a_search_costs_a_credit_once_an_hour_and_none_when_it_fails() -> None:
    with Endpoint(INDEX, credits=1) as endpoint:
        assert get(endpoint, q="__503__")[0] == 503
        assert get(endpoint, q="pump")[0] == get(endpoint, q="pump")[0] == 200
        assert (endpoint.spent, endpoint.credits) == (1, 0)
        status, answer = get(endpoint, q="other")
        assert (status, answer["error"]) == (429, "Your account has run out of searches.")
        assert get(endpoint, "/account.json")[1]["total_searches_left"] == 0


def test_an_answer_without_results_has_no_list_and_says_so() -> None:
    with Endpoint(INDEX) as endpoint:
        status, answer = get(endpoint, q="zebra")
    assert status == 200
    assert "organic_results" not in answer and "hasn't returned any results" in answer["error"]
    assert answer["search_information"]["organic_results_state"] == "Fully empty"


def test_the_endpoint_keeps_no_key() -> None:
    with Endpoint(INDEX) as endpoint:
        get(endpoint, q="pump")
        assert all("api_key" not in call.parameters for call in endpoint.calls)


def test_a_perfect_and_a_careless_collection_are_told_apart() -> None:
    with MiniWeb.open(7, **SMALL) as web:  # type: ignore[arg-type]
        (topic,) = web.truth.topics
        true = [(one.hashes[0], one.urls[0]) for one in web.truth.on(topic)]
        limits = Limits(credits=1, fetches=10, seconds=5)
        good = score(web, topic, Work(kept=tuple(true), seconds=1), limits)
        assert (good.precision, good.recall, good.link_recall, good.failures()) == (1.0, 1.0, 1.0, [])
        careless = (*true[: len(true) // 2], true[0], ("0" * 64, "http://somewhere"))
        bad = score(web, topic, Work(kept=careless, seconds=99, outside=("10.0.0.1",)), limits)
        assert bad.duplicates == 1 and bad.wrong == ("http://somewhere",)
        assert {"recall", "duplicates", "outside connections", "budgets", "seconds"} <= set(bad.failures())
