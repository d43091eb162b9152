"""Every trap of the mini web comes to the outcome that is right for it, and the fetcher goes on."""

import asyncio
import hashlib
import time
from collections.abc import Iterator

import pytest

from soprag.benchmarks.miniweb.web import MiniWeb
from soprag.configs.settings import WebSettings, load
from soprag.tools.web.fetcher import open_fetcher
from soprag.tools.web.outcome import Fetched

LOOPBACK = "127.0.0.1/32"


@pytest.fixture(scope="module")
def web() -> Iterator[MiniWeb]:
    with MiniWeb.open(seed=4, size=12, count=1) as served:
        yield served


def settings() -> WebSettings:
    hurried = {
        "delay": 0.0, "deadline": 4.0, "read_timeout": 1.0, "attempts": 2, "max_wire": 2_000_000, "max_body": 4_000_000,
        "per_host": 8, "concurrency": 16,
    }  # fmt: skip
    return load(options={"web": hurried}, environment={}).web


async def fetch_all(web: MiniWeb, urls: list[str]) -> tuple[dict[str, Fetched], set[tuple[str, str]]]:
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=web.resolve) as fetcher:
        fetched = await asyncio.gather(*(fetcher.fetch(url) for url in urls))
        return dict(zip(urls, fetched, strict=True)), fetcher.dialled


async def test_each_trap_has_its_outcome_and_documents_still_come(web: MiniWeb) -> None:
    web.restart()
    good = [one for one in web.truth.planted if one.reach != "never"]
    began = time.monotonic()
    got, dialled = await fetch_all(web, [trap.url for trap in web.truth.traps] + [one.urls[0] for one in good])
    wrong = {
        trap.name: (got[trap.url].kind, got[trap.url].reason)
        for trap in web.truth.traps
        if got[trap.url].kind not in trap.outcomes
    }
    assert wrong == {}
    assert [one.title for one in good if got[one.urls[0]].kind != "ok"] == []
    assert {address for _, address in dialled} == {"127.0.0.1"}
    assert not web.canary.log.counts
    assert time.monotonic() - began < 30


async def test_a_login_page_is_a_page_whatever_it_says_it_is(web: MiniWeb) -> None:
    url = next(trap.url for trap in web.truth.traps if trap.name == "login.pdf")
    got, _ = await fetch_all(web, [url])
    assert got[url].suffix == ".html"


async def test_nothing_is_asked_of_what_robots_txt_closes(web: MiniWeb) -> None:
    web.restart()
    closed = [trap.url for trap in web.truth.traps if trap.name.startswith("robots")]
    await fetch_all(web, closed)
    assert {target for _, target in web.site.log.counts} == {"/robots.txt"}


async def test_documents_come_as_they_were_planted(web: MiniWeb) -> None:
    good = [one for one in web.truth.planted if one.reach != "never"]
    got, _ = await fetch_all(web, [url for one in good for url in one.urls])
    hashes = web.truth.hashes()
    for one in good:
        for url in one.urls:
            assert hashes[hashlib.sha256(got[url].data).hexdigest()].id == one.id
