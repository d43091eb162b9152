"""A search service on the loopback interface with a handful of entries."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from soprag.benchmarks.miniweb.endpoint import Endpoint
from soprag.benchmarks.miniweb.ground import Entry
from soprag.benchmarks.miniweb.index import Index
from soprag.configs.settings import load
from soprag.tools.search.registry import ReadyEngines, open_engines

Open = Callable[..., ReadyEngines]


def entries() -> list[Entry]:
    pages = [Entry(f"http://plant-{at}.test/pump-{at}", f"Pump start-up {at}", "Open the valve.") for at in range(25)]
    special = [
        Entry("http://en.wikipedia.org/wiki/Pump", "Pump", "A pump moves fluids."),
        Entry("http://engineering.stackexchange.com/q/1", "Why does my pump & motor trip?", "Look at the pump seal."),
        Entry("http://papers.test/pump.pdf", "Wear of pump seals", "Abstract of a pump study.", "pdf", "scholar"),
        Entry("http://patents.test/pump", "Arrangement for a pump", "A pump comprises a seal.", "html", "patent"),
        Entry("http://pictures.test/1/pump.png", "Diagram of a pump", "A pump in section.", "html", "image"),
    ]
    return [*pages, *special]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(Index(entries())) as running:
        yield running


@pytest.fixture
def opened(endpoint: Endpoint, tmp_path: Path) -> Open:
    """Opens engines that ask the loopback service."""

    def make(key: str = endpoint.key, **changes: Any) -> ReadyEngines:
        section = {
            "engine": "serpapi",
            "base_url": endpoint.url,
            "wikipedia_url": endpoint.url,
            "stack_exchange_url": endpoint.url,
            "timeout": 5.0,
            "first_wait": 0.01,
            **changes,
        }
        settings = load(options={"search": section}, environment={}).search
        return open_engines(settings, tmp_path / "cache", environment={"SERPAPI_API_KEY": key} if key else {})

    return make
