"""A disk cache of result pages; concurrent identical searches share one request."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakValueDictionary

from pydantic import ValidationError

from soprag.tools.search.engine import Kind, ResultPage, SearchEngine, SearchQuery
from soprag.tools.sop import digest
from soprag.tools.store.sqlite import Cache

log = logging.getLogger(__name__)
_TABLE = """
CREATE TABLE IF NOT EXISTS searches (
    key TEXT PRIMARY KEY, engine TEXT NOT NULL, query TEXT NOT NULL, page TEXT NOT NULL, asked REAL NOT NULL
) WITHOUT ROWID
"""
Flights = WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Lock]


class SearchCache:
    """Pages of results in one SQLite file, for `hours`; 0 hours: none is kept."""

    def __init__(self, path: Path, hours: float, clock: Callable[[], float] = time.time) -> None:
        self.hours = hours
        self._cache = Cache(path, _TABLE)
        self._clock = clock

    def find(self, key: str) -> ResultPage | None:
        """The page that was kept, if it is not too old."""
        with self._cache.open() as database:
            row = database.execute("SELECT page, asked FROM searches WHERE key = ?", (key,)).fetchone()
        if row is None or self._clock() - row[1] > self.hours * 3600:
            return None
        try:
            return ResultPage.model_validate_json(row[0]).model_copy(update={"cached": True, "credits": 0})
        except ValidationError:
            log.warning("A remembered search is damaged and is asked again.")
            return None

    def keep(self, key: str, engine: str, query: SearchQuery, page: ResultPage) -> None:
        """Keep a page in place of an older one."""
        values = (key, engine, query.model_dump_json(), page.model_dump_json(), self._clock())
        with self._cache.open() as database:
            database.execute("INSERT OR REPLACE INTO searches VALUES (?, ?, ?, ?, ?)", values)


@dataclass(frozen=True)
class CachedEngine:
    """`engine` behind the cache; `edition` is what its answers depend on besides the query, never a key."""

    engine: SearchEngine
    cache: SearchCache
    edition: str = ""
    _flights: Flights = field(default_factory=WeakValueDictionary)

    @property
    def name(self) -> str:
        """The engine's name."""
        return self.engine.name

    @property
    def kinds(self) -> frozenset[Kind]:
        """What it can look for."""
        return self.engine.kinds

    async def search(self, query: SearchQuery) -> ResultPage:
        """The remembered page, or the engine's, which is then remembered."""
        key = digest(f"{self.name}\n{sorted(self.kinds)}\n{self.edition}\n{query.model_dump_json()}")
        async with self._flights.setdefault((asyncio.get_running_loop(), key), asyncio.Lock()):
            cached = await asyncio.to_thread(self.cache.find, key)
            if cached is not None:
                return cached
            page = await self.engine.search(query)
            await asyncio.to_thread(self.cache.keep, key, self.name, query, page)
            return page
