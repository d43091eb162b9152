"""Web search without a key over JSON: a SearXNG instance of one's own, or the public key of Marginalia Search.

SearXNG: https://docs.searxng.org/dev/search_api (the instance must allow `format: json`). Marginalia:
https://about.marginalia-search.com/article/api (results under CC BY-NC-SA 4.0; the key `public` is shared by all).
"""

import asyncio
import time
from dataclasses import dataclass, field

from soprag.tools.errors import SearchError
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.json_api import JsonApi, SearchRefused


@dataclass(frozen=True)
class JsonSearchForm:
    """How a service names its path, parameters and fields; `licence` of its results, if it states one."""

    path: str
    query: str
    page: str
    snippet: str
    fixed: tuple[tuple[str, str], ...] = ()
    language: str = ""
    licence: str = ""


SEARXNG = JsonSearchForm("/search", "q", "pageno", "content", (("format", "json"),), language="language")
MARGINALIA = JsonSearchForm(
    "/search", "query", "page", "description", (("count", "20"),), licence="CC BY-NC-SA 4.0"
)  # fmt: skip


@dataclass
class _Pace:
    last: float = 0.0  # monotonic seconds
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True)
class OpenWebSearch:
    """One search at a time, with `pause` seconds between two."""

    api: JsonApi
    form: JsonSearchForm
    name: str
    pause: float
    kinds: frozenset[Kind] = field(default=frozenset({"web"}))
    _pace: _Pace = field(default_factory=_Pace)

    async def search(self, query: SearchQuery) -> ResultPage:
        """One page of results; raises `Throttled` or `SearchError`."""
        form = self.form
        parameters = {form.query: query.text, form.page: str(query.page), **dict(form.fixed)}
        if form.language:
            parameters[form.language] = query.language
        async with self._pace.lock:
            await asyncio.sleep(max(0.0, self._pace.last + self.pause - time.monotonic()))
            try:
                answer = await self.api.get(form.path, **parameters)
            except SearchRefused as refusal:
                hint = "; does it allow format=json?" if refusal.status == 403 else ""
                raise SearchError(f"{self.api.title} refused the search (status {refusal.status}){hint}.") from None
            finally:
                self._pace.last = time.monotonic()
        results = answer.get("results")
        rows = [row for row in results if isinstance(row, dict)] if isinstance(results, list) else []
        hits = [
            SearchHit(
                url=str(row["url"]), title=str(row.get("title") or row["url"]), rank=rank, engine=self.name,
                snippet=" ".join(str(row.get(form.snippet) or "").split()),
                facts={"licence": form.licence} if form.licence else {},
            )
            for rank, row in enumerate((row for row in rows if row.get("url")), 1)
        ]  # fmt: skip
        return ResultPage(hits=tuple(hits), more=bool(hits))
