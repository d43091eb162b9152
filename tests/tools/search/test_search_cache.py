"""Never paid twice: pages are kept on disk, and one search is under way once at a time."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from soprag.benchmarks.miniweb.endpoint import Endpoint
from soprag.tools.errors import SearchError
from soprag.tools.search.cache import CachedEngine, SearchCache
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.registry import ReadyEngines

Open = Callable[..., ReadyEngines]


PUMP = SearchQuery(text="pump")


class Counting:
    name = "counting"
    kinds: frozenset[Kind] = frozenset({"web"})

    def __init__(self) -> None:
        self.asked = 0

    async def search(self, query: SearchQuery) -> ResultPage:
        self.asked += 1
        await asyncio.sleep(0.02)
        if query.text == "fails":
            raise SearchError("no")
        return ResultPage(
            hits=(SearchHit(url="http://a.test", title=query.text, rank=1, engine="counting"),), credits=1
        )


async def test_a_second_process_pays_nothing_for_the_same_search(opened: Open, endpoint: Endpoint) -> None:
    pages = []
    for _ in range(2):
        engine = opened().for_kind("web")
        assert engine is not None
        pages.append(await engine.search(PUMP))
    assert [(page.credits, page.cached) for page in pages] == [(1, False), (0, True)]
    assert pages[0].hits == pages[1].hits
    assert len(endpoint.calls) == 1


async def test_kinds_pages_and_languages_do_not_share_an_answer(opened: Open, endpoint: Endpoint) -> None:
    engines = opened()
    for kind in ("web", "wiki", "answers"):
        engine = engines.for_kind(kind)
        assert engine is not None
        await engine.search(PUMP)
    engine = engines.for_kind("web")
    assert engine is not None
    await engine.search(PUMP.model_copy(update={"page": 2}))
    await engine.search(PUMP.model_copy(update={"language": "de"}))
    assert endpoint.spent == 5


async def test_the_same_search_at_once_is_sent_once(tmp_path: Path) -> None:
    engine = Counting()
    cached = CachedEngine(engine, SearchCache(tmp_path / "s.sqlite", 1.0))
    pages = await asyncio.gather(*(cached.search(PUMP) for _ in range(20)))
    assert engine.asked == 1
    assert sum(page.credits for page in pages) == 1


async def test_an_answer_grows_old(tmp_path: Path) -> None:
    now = [1000.0]
    engine = Counting()
    cached = CachedEngine(engine, SearchCache(tmp_path / "s.sqlite", 2.0, clock=lambda: now[0]))
    for moment, asked in ((1000.0, 1), (1000.0 + 7199, 1), (1000.0 + 7201, 2)):
        now[0] = moment
        await cached.search(PUMP)
        assert engine.asked == asked


async def test_a_failure_is_not_remembered(tmp_path: Path) -> None:
    engine = Counting()
    cached = CachedEngine(engine, SearchCache(tmp_path / "s.sqlite", 1.0))
    for _ in range(2):
        with pytest.raises(SearchError):
            await cached.search(SearchQuery(text="fails"))
    assert engine.asked == 2


async def test_a_damaged_entry_is_asked_again(tmp_path: Path) -> None:
    engine = Counting()
    cached = CachedEngine(engine, SearchCache(tmp_path / "s.sqlite", 1.0))
    await cached.search(PUMP)
    with sqlite3.connect(tmp_path / "s.sqlite") as database:
        database.execute("UPDATE entries SET value = '{'")
    database.close()
    assert (await cached.search(PUMP)).cached is False


async def test_no_hours_no_cache(opened: Open, tmp_path: Path) -> None:
    engine = opened(cache_hours=0).for_kind("web")
    assert engine is not None
    await engine.search(PUMP)
    assert not list(tmp_path.rglob("*.sqlite"))
