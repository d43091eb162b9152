import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from soprag.tools.errors import ConfigError, CreditsSpent, NothingFound, SearchError
from soprag.tools.search.engine import ResultPage, SearchQuery
from soprag.tools.search.registry import ReadyEngines
from tests.agents.collecting import plants
from tests.agents.collecting.plants import PLENTY, Engine, collect, source
from tests.tools.web.site import Request, Site, serve

UNHURRIED = PLENTY.model_copy(update={"seconds": 600})
PATIENT = {"deadline": 60.0, "read_timeout": 30.0}  # a busy machine is no slow page


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as site:
        plants.build(site)
        yield site


@pytest.fixture
def engine(site: Site) -> Engine:
    return Engine(plants.hits(site.port))


def visits(site: Site) -> Counter[tuple[str, str]]:
    return Counter(seen for seen in site.asked if seen[1] != "/robots.txt")


def test_every_sheet_is_found_once_and_nothing_else(site: Site, engine: Engine, tmp_path: Path) -> None:
    found, summary = collect(source(tmp_path, engine))
    assert sorted(one.provenance.title or "" for one in found if one.provenance.query) == sorted(
        map(plants.title, range(5))
    )
    assert len(found) == plants.LISTED + plants.LINKED
    assert set(visits(site).values()) == {1}
    assert ("north.test", "/closed/1") not in visits(site)
    assert summary.pages["ok"] >= len(found)


def test_a_document_tells_where_it_comes_from(site: Site, engine: Engine, tmp_path: Path) -> None:
    origin = source(tmp_path, engine)
    found, _ = collect(origin)
    linked = next(one for one in found if one.provenance.location.endswith("/sop/6"))
    assert linked.provenance.referrer == site.url("/library", "north.test")
    assert linked.provenance.query is None
    listed = next(one for one in found if one.provenance.location.endswith("/sop/1"))
    assert listed.provenance.engine == "test:engine"
    assert listed.provenance.rank == 2
    assert listed.provenance.query == engine.calls[0]
    assert b"Shutdown of slurry pump" in origin.read(listed)
    assert listed.provenance.fetched


def test_no_request_is_sent_beyond_the_budget(site: Site, engine: Engine, tmp_path: Path) -> None:
    limits = PLENTY.model_copy(update={"fetches": 6, "credits": 2})
    found, summary = collect(source(tmp_path, engine, limits))
    assert len(site.asked) <= 6
    assert len(engine.calls) <= 2
    assert 0 < len(found) < 8
    assert summary.stopped
    assert summary.spent["fetches"] == len(site.asked)


def test_who_starts_again_asks_for_nothing_twice(site: Site, engine: Engine, tmp_path: Path) -> None:
    first, summary = collect(source(tmp_path, engine))
    before, calls = len(site.asked), len(engine.calls)
    again, resumed = collect(source(tmp_path, engine))
    assert [one.provenance.sha256 for one in again] == [one.provenance.sha256 for one in first]
    assert (len(site.asked), len(engine.calls)) == (before, calls)
    assert resumed.spent["credits"] == summary.spent["credits"] == calls


def test_a_topic_nobody_writes_about_says_what_was_tried(site: Site, engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="aircraft de-icing"):
        collect(source(tmp_path, engine), "aircraft de-icing")


def test_procedures_that_are_off_the_topic_are_left_out_with_reasons_and_can_be_included(
    site: Site, engine: Engine, tmp_path: Path
) -> None:
    origin = source(tmp_path, engine)
    with pytest.raises(NothingFound, match=r"procedures were fetched, and none .* --include"):
        collect(origin, "aircraft de-icing")
    rows = json.loads((tmp_path / "left_out" / "list.json").read_text())
    off_topic = [row for row in rows if row["file"]]
    assert off_topic
    assert all(row["reason"].startswith("off the topic") for row in off_topic)
    assert (tmp_path / "left_out" / off_topic[0]["file"]).stat().st_size > 0
    before = len(site.asked)
    included, _ = collect(replace(origin, include=(off_topic[0]["url"],)), "aircraft de-icing")
    assert [document.provenance.location for document in included] == [off_topic[0]["url"]]
    assert len(site.asked) == before


class Broken(Engine):
    async def search(self, query: SearchQuery) -> ResultPage:
        self.calls.append(query.text)
        raise CreditsSpent("no credits are left")


def test_an_engine_without_credits_ends_the_search_at_once(tmp_path: Path) -> None:
    broken = Broken([])
    with pytest.raises(SearchError, match="no credits"):
        collect(source(tmp_path, broken))
    assert len(broken.calls) <= 4  # those that were under way


def test_without_an_engine_there_is_advice(tmp_path: Path) -> None:
    bare = source(tmp_path, Engine([]))
    with pytest.raises(ConfigError, match="SERPAPI_API_KEY"):
        collect(replace(bare, means=replace(bare.means, engines=ReadyEngines())))


def test_pages_of_a_host_that_asked_for_a_pause_are_fetched_in_the_end(
    site: Site, engine: Engine, tmp_path: Path
) -> None:
    page = site.pages["north.test", "/sop/0"]
    statuses = iter([429])

    def busy_once(request: Request) -> None:
        status = next(statuses, 200)
        page(request) if status == 200 else request.answer(b"", status=status, retry_after="86400")

    site.put("/sop/0", busy_once, "north.test")
    found, summary = collect(source(tmp_path, engine, longest_pause=0.0, longest_hold=3.0))
    locations = {one.provenance.location.partition(str(site.port))[2] for one in found}
    assert locations >= {f"/sop/{number}" for number in range(1, plants.LISTED + plants.LINKED)}
    assert summary.pages["http"] >= 1  # the one that was busy, and hosts and folders without an index page
    assert "paused" not in summary.pages


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_delays_of_the_network_change_nothing(site: Site, engine: Engine, tmp_path: Path, seed: int) -> None:
    chance, handlers = random.Random(seed), dict(site.pages)

    def delayed(handler: Callable[[Request], None]) -> Callable[[Request], None]:
        def answer(request: Request) -> None:
            time.sleep(chance.random() * 0.1)
            handler(request)

        return answer

    calm, _ = collect(source(tmp_path / "calm", engine, UNHURRIED, **PATIENT))
    order = list(site.asked)
    site.asked.clear()
    site.pages.update({address: delayed(handler) for address, handler in handlers.items()})
    shaken, _ = collect(source(tmp_path / "shaken", engine, UNHURRIED, **PATIENT))
    assert [document.provenance.sha256 for document in shaken] == [document.provenance.sha256 for document in calm]
    assert sorted(site.asked) == sorted(order)


@pytest.mark.parametrize("workers", [1, 3])
def test_several_processes_fetch_what_one_fetches(site: Site, engine: Engine, tmp_path: Path, workers: int) -> None:
    alone, summary = collect(source(tmp_path / "alone", engine, UNHURRIED, **PATIENT))
    order = sorted(site.asked)
    site.asked.clear()
    shared, same = collect(source(tmp_path / "shared", engine, UNHURRIED, **PATIENT, fetch_workers=workers))
    assert [document.provenance.sha256 for document in shared] == [document.provenance.sha256 for document in alone]
    assert sorted(site.asked) == order
    assert (same.pages, same.readings) == (summary.pages, summary.readings)
    amounts = ("credits", "fetches", "bytes")
    assert [same.spent[name] for name in amounts] == [summary.spent[name] for name in amounts]


def test_with_a_nearly_spent_budget_delays_change_nothing_either(site: Site, engine: Engine, tmp_path: Path) -> None:
    limits = UNHURRIED.model_copy(update={"fetches": 8, "credits": 2})
    calm, _ = collect(source(tmp_path / "calm", engine, limits, **PATIENT))
    slow = site.pages["north.test", "/sop/0"]

    def later(request: Request) -> None:
        time.sleep(0.2)
        slow(request)

    site.put("/sop/0", later, "north.test")
    shaken, _ = collect(source(tmp_path / "shaken", engine, limits, **PATIENT))
    assert [document.provenance.sha256 for document in shaken] == [document.provenance.sha256 for document in calm]
