"""How an agent reads a hit: the page behind it, or for pictures what they show."""

from dataclasses import dataclass
from typing import Protocol

from soprag.tools.research.sources import Got, Sources
from soprag.tools.search.engine import SearchHit


class SourceReader(Protocol):
    """Turns a hit into a stored source."""

    async def read(self, hit: SearchHit, query: str) -> Got:
        """The source, or why there is none."""
        ...


@dataclass(frozen=True)
class PageReader:
    """Reads the page; an open PDF of an article or patent is read instead of the page about it."""

    sources: Sources

    async def read(self, hit: SearchHit, query: str) -> Got:
        """The document, else the page, else what the search engine showed of it."""
        pdf = hit.facts.get("pdf", "")
        if pdf and pdf != hit.url:
            got = await self.sources.page(hit.model_copy(update={"url": pdf}), query)
            if got.source and got.source.read == "page":
                return got
        return await self.sources.page(hit, query)
