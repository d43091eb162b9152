"""A local index as a source of research: the operator's own, or that of the example library."""

import asyncio
from dataclasses import dataclass

from soprag.tools.retriever.query.results import RankedHit
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.search.engine import SearchHit

SCHEME = "index:"


@dataclass(frozen=True)
class LocalHit:
    """A procedure of a local index: its hit, its whole Markdown, and the retriever's confidence (0 to 1).

    The first `preamble` lines are those that all procedures of its document share.
    """

    hit: SearchHit
    text: str
    preamble: int
    confidence: float


@dataclass(frozen=True)
class LocalProcedures:
    """Ranks the procedures of one index; `name` stands in citations."""

    name: str
    retriever: Retriever
    least: float

    async def find(self, query: str, keep: int) -> list[LocalHit]:
        """At most `keep` procedures with a confidence of at least `least`, best first. Costs nothing."""
        ranking = await self.retriever.search_aside(query, keep)
        fitting = [(hit, rank) for rank, hit in enumerate(ranking.hits, 1) if hit.confidence >= self.least]
        return await asyncio.to_thread(lambda: [self._hit(hit, rank) for hit, rank in fitting])

    def _hit(self, hit: RankedHit, rank: int) -> LocalHit:
        found = SearchHit(url=f"{SCHEME}{hit.sop}", title=hit.title, rank=rank, engine=self.name)
        sop = self.retriever.index.sop(hit.sop)
        shared = sop.preamble_text.count("\n") + 1 if sop.preamble else 0
        return LocalHit(found, sop.body, shared, hit.confidence)
