"""Wikipedia's own search, free and without a key; it wants to know who asks."""

import re
from dataclasses import dataclass, field, replace
from html import unescape
from urllib.parse import quote

from soprag.tools.errors import SearchError
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.json_api import JsonApi, SearchRefused

_TAG = re.compile(r"<[^>]+>")
LICENCE = "CC BY-SA 4.0"
MOST = 50  # results; the service has one page only


@dataclass(frozen=True)
class Wikipedia:
    """The REST search of the Wikipedia in the language of the query; `{language}` in `api.base_url` stands for it."""

    api: JsonApi
    name: str = "wikipedia"
    kinds: frozenset[Kind] = field(default=frozenset({"wiki"}))

    async def search(self, query: SearchQuery) -> ResultPage:
        """The one page there is; those after it are empty."""
        if query.page > 1:
            return ResultPage()
        base = self.api.base_url.replace("{language}", quote(query.language, safe=""))
        api = replace(self.api, base_url=base)
        try:
            answer = await api.get("/w/rest.php/v1/search/page", q=query.text, limit=str(MOST))
        except SearchRefused as refusal:
            status = refusal.status
            raise SearchError(f"Wikipedia cannot search for {query.text!r} (status {status}).") from None
        pages = [page for page in answer.get("pages") or [] if isinstance(page, dict) and page.get("key")]
        return ResultPage(hits=tuple(self._hit(base, page, rank) for rank, page in enumerate(pages, 1)))

    def _hit(self, base: str, page: dict[str, object], rank: int) -> SearchHit:
        key, excerpt = str(page["key"]), unescape(_TAG.sub("", str(page.get("excerpt") or "")))
        facts = {"licence": LICENCE, "description": str(page.get("description") or "")}
        return SearchHit(
            url=f"{base.rstrip('/')}/wiki/{quote(key, safe='/:()_,-')}",
            title=str(page.get("title") or key),
            snippet=" ".join(excerpt.split()),
            rank=rank,
            engine=self.name,
            facts={name: value for name, value in facts.items() if value},
        )
