"""DuckDuckGo without a key, through the optional package ddgs: it reads pages meant for people, and may fail any day.

A limit, an empty result and a changed page look the same from here, so two empty answers in a row count as a refusal.
"""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from soprag.tools.errors import ConfigError, SearchError, Throttled
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.retry import aside


@dataclass
class _State:
    last: float = 0.0
    empties: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True)
class DuckDuckGo:
    """One search at a time, with a pause between two; `timeout` and `pause` are in seconds.

    After `most_empties` empty answers in a row nothing more is asked.
    """

    timeout: float
    pause: float
    most_empties: int
    name: str = "ddgs:duckduckgo"
    kinds: frozenset[Kind] = field(default=frozenset({"web"}))
    _state: _State = field(default_factory=_State)

    async def search(self, query: SearchQuery) -> ResultPage:
        """One page of results; raises `Throttled` when it has stopped answering."""
        state = self._state
        async with state.lock:
            if state.empties >= self.most_empties:
                raise Throttled("DuckDuckGo does not answer any more; use a SerpAPI key, or try again later.", 3600.0)
            await asyncio.sleep(max(0.0, state.last + self.pause - time.monotonic()))
            try:
                rows = await aside(lambda: _ask(query, self.timeout), self.timeout + 5)
            except TimeoutError:
                raise SearchError(f"DuckDuckGo gave no answer in {self.timeout:g} s; try again later.") from None
            finally:
                state.last = time.monotonic()
            state.empties = 0 if rows else state.empties + 1
        hits = [
            SearchHit(url=row["href"], title=row.get("title") or row["href"], snippet=row.get("body") or "", rank=rank,
                engine=self.name)
            for rank, row in enumerate((row for row in rows if row.get("href")), 1)
        ]  # fmt: skip
        return ResultPage(hits=tuple(hits), more=bool(hits))


def _ask(query: SearchQuery, timeout: float) -> list[dict[str, Any]]:
    try:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException
    except ImportError:
        raise ConfigError(
            "search.keyless_web = duckduckgo needs the package ddgs: pip install 'soprag[duckduckgo]'."
        ) from None
    region = "us-en" if query.language == "en" else f"wt-{query.language}"
    try:
        rows = DDGS(timeout=round(timeout)).text(query.text, region=region, page=query.page, backend="duckduckgo")
    except DDGSException as fault:
        if "no results" in str(fault).lower():
            return []
        raise SearchError(f"DuckDuckGo failed: {type(fault).__name__}; try again later.") from None
    return list(rows)
