"""Stack Exchange: what people asked and were answered; free, with a quota per day, and pauses it asks for."""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from soprag.tools.errors import SearchError, Throttled
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.json_api import JsonApi, SearchRefused

_TAG = re.compile(r"<[^>]+>")
_SECONDS = re.compile(r"in (\d+) seconds")
LICENCE = "CC BY-SA"
THROTTLE = 502  # their error id, not an HTTP status


@dataclass
class _Pause:
    """The end (monotonic seconds) of the pause the service asked for."""

    until: float = 0.0


@dataclass(frozen=True)
class StackExchange:
    """The search for excerpts on one of its sites, such as `engineering`."""

    api: JsonApi
    site: str
    results: int  # per page
    name: str = "stackexchange"
    kinds: frozenset[Kind] = field(default=frozenset({"answers"}))
    _pause: _Pause = field(default_factory=_Pause)

    async def search(self, query: SearchQuery) -> ResultPage:
        """One page of questions and answers; raises `Throttled` when the quota of the day is used up."""
        await self._rest()
        wish = {"site": self.site, "q": query.text, "page": str(query.page), "pagesize": str(self.results)}
        try:
            answer = await self.api.get("/2.3/search/excerpts", **wish)
        except SearchRefused as refusal:
            failure = _failure(refusal, query.text)
        else:
            self._note(answer)
            items = [item for item in answer.get("items") or [] if isinstance(item, dict) and item.get("question_id")]
            hits = tuple(self._hit(item, rank) for rank, item in enumerate(items, 1))
            return ResultPage(hits=hits, more=bool(answer.get("has_more")))
        raise failure

    async def _rest(self) -> None:
        wait = self._pause.until - time.monotonic()
        if wait > self.api.retry_policy.longest_wait:
            raise Throttled(f"Stack Exchange wants no question for {wait:.0f} s.", retry_after=wait)
        await asyncio.sleep(max(0.0, wait))

    def _note(self, answer: Mapping[str, Any]) -> None:
        backoff = answer.get("backoff")
        if isinstance(backoff, int | float):
            self._pause.until = time.monotonic() + backoff

    def _hit(self, item: Mapping[str, Any], rank: int) -> SearchHit:
        host = self.site if "." in self.site else f"{self.site}.stackexchange.com"
        answer = item.get("answer_id")
        facts = {"licence": LICENCE, "score": str(item.get("score", "")), "kind": str(item.get("item_type", ""))}
        return SearchHit(
            url=f"https://{host}/{'a' if answer else 'q'}/{answer or item['question_id']}",
            title=unescape(str(item.get("title") or "")),
            snippet=" ".join(unescape(_TAG.sub("", str(item.get("excerpt") or ""))).split()),
            rank=rank,
            engine=f"{self.name}:{self.site}",
            facts={name: value for name, value in facts.items() if value},
        )


def _failure(refusal: SearchRefused, text: str) -> SearchError:
    reason = str(refusal.answer.get("error_message") or f"status {refusal.status}")[:200]
    if refusal.answer.get("error_id") == THROTTLE:
        seconds = _SECONDS.search(reason)
        return Throttled(f"Stack Exchange: {reason}", retry_after=float(seconds[1]) if seconds else 86_400.0)
    return SearchError(f"Stack Exchange cannot search for {text!r}: {reason}")
