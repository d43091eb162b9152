"""A disk cache of result pages; concurrent identical searches share one request."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from soprag.tools.search.engine import Kind, ResultPage, SearchEngine, SearchQuery
from soprag.tools.sop import digest
from soprag.tools.store.single_flight import SingleFlight
from soprag.tools.store.sqlite import CacheFile

log = logging.getLogger(__name__)


class SearchCache:
    """Pages of results in one SQLite file, for `hours`; 0 hours: none is kept."""

    def __init__(self, path: Path, hours: float, clock: Callable[[], float] = time.time) -> None:
        self.hours = hours
        self._cache = CacheFile.open(path, hours * 3600, clock)

    def find(self, key: str) -> ResultPage | None:
        """The page that was kept, if it is not too old."""
        stored = self._cache.get(key)
        if stored is None:
            return None
        try:
            return ResultPage.model_validate_json(stored).model_copy(update={"cached": True, "credits": 0})
        except ValidationError:
            log.warning("A cached search is damaged and is requested again.")
            return None

    def keep(self, key: str, engine: str, query: SearchQuery, page: ResultPage) -> None:
        """Keep a page in place of an older one."""
        self._cache.put(key, page.model_dump_json().encode(), f"{engine} {query.model_dump_json()}")


@dataclass(frozen=True)
class CachedEngine:
    """`engine` behind the cache; `edition` is what its answers depend on besides the query, never a key."""

    engine: SearchEngine
    cache: SearchCache
    edition: str = ""
    _flights: SingleFlight = field(default_factory=SingleFlight)

    @property
    def name(self) -> str:
        """The engine's name."""
        return self.engine.name

    @property
    def kinds(self) -> frozenset[Kind]:
        """What it can look for."""
        return self.engine.kinds

    async def search(self, query: SearchQuery) -> ResultPage:
        """The cached page, or the engine's, which is then cached."""
        key = digest(f"{self.name}\n{sorted(self.kinds)}\n{self.edition}\n{query.model_dump_json()}")
        async with self._flights.of(key):
            cached = await asyncio.to_thread(self.cache.find, key)
            if cached is not None:
                return cached
            page = await self.engine.search(query)
            await asyncio.to_thread(self.cache.keep, key, self.name, query, page)
            return page
