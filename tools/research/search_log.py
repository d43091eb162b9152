"""Searches of one run: each is paid for once and kept, and a kind nobody can look for is looked for on the web."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from soprag.tools.research.records import key_of
from soprag.tools.search.engine import Kind, ResultPage, SearchEngine, SearchHit, SearchQuery
from soprag.tools.sop import Frozen
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.web.budget import RunBudget

_PAID = "serpapi:"  # names of engines whose searches cost credits begin like this
_INSTEAD: tuple[Kind, ...] = ("web", "wiki", "answers")


class EngineChoice(Protocol):
    """Who can look for what."""

    def for_kind(self, kind: Kind) -> SearchEngine | None:
        """The engine for one kind of thing; None when there is none."""
        ...


class SearchRecord(Frozen):
    """One search as it is kept: what was asked of whom, and what came back."""

    phrase: str
    kind: Kind
    engine: str
    page: ResultPage


@dataclass(frozen=True)
class SearchFindings:
    """The hits of one search, and what is worth saying about it."""

    hits: tuple[SearchHit, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Searches:
    """Asks the engines of a run within its budget."""

    run: RunFolder
    engines: EngineChoice
    budget: RunBudget
    locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    @property
    def can_search(self) -> bool:
        """Whether there is an engine at all."""
        return any(self.engines.for_kind(kind) for kind in _INSTEAD)

    async def find(self, kind: Kind, phrase: str, language: str) -> SearchFindings:
        """The first page for this phrase.

        Raises what the engine raises, `BudgetSpent` before a search that may no longer be paid.
        """
        able = [(candidate, engine) for candidate in (kind, *_INSTEAD) if (engine := self.engines.for_kind(candidate))]
        if not able:
            return SearchFindings(note="No search engine can be asked.")
        searched_kind, engine = able[0]
        note = f"Nobody here looks for {kind}: {engine.name} was asked instead." if searched_kind != kind else ""
        query = SearchQuery(text=phrase, kind=searched_kind, language=language)
        key = key_of(searched_kind, engine.name, phrase, language)
        async with self.locks.setdefault(key, asyncio.Lock()):
            if not await asyncio.to_thread(self.run.has, "search", key):
                record = SearchRecord(
                    phrase=phrase, kind=searched_kind, engine=engine.name, page=await self._ask(engine, query)
                )
                await asyncio.to_thread(self.run.write, "search", key, record)
        record = await asyncio.to_thread(self.run.read, "search", key, SearchRecord)
        return SearchFindings(record.page.hits, note)

    async def _ask(self, engine: SearchEngine, query: SearchQuery) -> ResultPage:
        """One page, paid for before it is asked for; what it did not cost is given back."""
        if not engine.name.startswith(_PAID):
            self.budget.check()
            return await engine.search(query)
        self.budget.take(credits=1)
        cost = 1
        try:
            page = await engine.search(query)
            cost = page.credits
            return page
        finally:
            if cost != 1:
                self.budget.give_back(credits=1 - cost)
