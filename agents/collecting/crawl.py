"""The crawl loop: best-first over search results and page links, until no lead scores high enough.

Decisions do not depend on network timing: up to `window` steps are under way, and they are settled in the order in
which they began. A run that was killed and is started again therefore repeats its decisions, reads finished work from
the journal, and ends with the same documents.
"""

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from soprag.agents.collecting.candidate_urls import CandidateUrl, Discovery
from soprag.agents.collecting.frontier import Frontier
from soprag.agents.collecting.page_filter import PageFilter, PageJudgement
from soprag.agents.collecting.patience import Progress, patience
from soprag.agents.collecting.queries import QueryPlanner
from soprag.agents.collecting.selection import Selection, select
from soprag.configs.settings import CollectSettings
from soprag.tools.errors import BudgetSpent, CreditsSpent, SearchError
from soprag.tools.search.engine import ResultPage, SearchEngine, SearchQuery
from soprag.tools.web import urls
from soprag.tools.web.budget import RunBudget
from soprag.tools.web.fetcher import WebFetcher
from soprag.tools.web.journal import Journal
from soprag.tools.web.robots import sitemaps

log = logging.getLogger(__name__)

_NOTHING_YET = 0.001  # least score of a page while there is no document: the budget is used before a run ends empty
_RESERVE = 4  # requests that one page may take, with redirects, retries and robots.txt
_FEW = 5  # links of a page that is about what it links to

Note = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class _Step:
    settle: Callable[[Any], None]
    task: "asyncio.Task[Any]"
    search: bool


@dataclass(frozen=True)
class _Postponed:
    """A page that was not requested because its host asked for a pause; fetched when no other step is left."""

    lead: CandidateUrl
    ends: float  # monotonic seconds


@dataclass(frozen=True)
class _Read:
    """A page that was judged, the requests it took, and the URLs it was redirected through."""

    reading: PageJudgement
    requests: int = 0
    hops: tuple[str, ...] = ()


Outcome = _Read | BudgetSpent | _Postponed


@dataclass
class Crawl:
    """The state of one crawl, with its collaborators."""

    journal: Journal
    budget: RunBudget
    fetcher: WebFetcher
    gate: PageFilter
    asking: QueryPlanner
    frontier: Frontier
    settings: CollectSettings
    window: int
    note: Note
    readings: Counter[str] = field(default_factory=Counter)
    stopped: str = ""
    faults: list[SearchError] = field(default_factory=list)
    _no_search: bool = False
    _turn: int = 0  # counts the beginnings and the ends of steps
    _reached: dict[str, int] = field(default_factory=dict)  # URL key: the turn at which it was first requested
    _requests: int = 0  # of pages that were settled, and robots.txt of their hosts
    _hosts: set[str] = field(default_factory=set)
    _explored: set[str] = field(default_factory=set)  # hosts and folders whose index pages are known
    _vain: int = 0  # pages since the last document ...
    _promised: float = 0.0  # ... and documents that the links found since then promise
    _postponed: deque[_Postponed] = field(default_factory=deque)
    _repeated: set[str] = field(default_factory=set)  # keys of pages that were postponed once

    async def run(self) -> Selection:
        """Run the crawl and select from its pages; raises the engine's error when no search ever succeeded."""
        under_way: deque[_Step] = deque()
        try:
            while True:
                while len(under_way) < self._width() and (step := await self._begin(list(under_way))):
                    under_way.append(step)
                if not under_way:
                    break
                step = under_way.popleft()
                step.settle(await step.task)
        finally:
            for step in under_way:
                step.task.cancel()
        if self.faults and not self.frontier.leads:
            raise self.faults[-1]
        return select(list(self.frontier.pages.values()))

    def _patience(self) -> float:
        """Pages without a new document after which there seem to be none."""
        left = self.budget.limit("fetches") - self._requests
        progress = Progress(
            self.readings.total(), self.frontier.count, int(left), self.frontier.promised, self._promised
        )
        return patience(progress, self.settings.fruitless_pages)

    def _width(self) -> int:
        """Steps under way at once; one when the budget is nearly used up, so that its end depends on no timing."""
        near_end = self.budget.limit("fetches") - self._requests < _RESERVE * self.window
        return 1 if near_end else self.window

    async def _begin(self, under_way: list[_Step]) -> _Step | None:
        """The next step: a good page before a search, a search before a fair page."""
        if self.stopped or self.frontier.count >= self.settings.limit:
            return None
        lead = self.frontier.best(self.settings.good)
        if lead is None and not self._no_search:
            await self.asking.refill(self.frontier.titles())
            if search := self.asking.next():
                return self._search(*search)
        if lead is None and any(step.search for step in under_way):
            return None
        if lead is None and (not self.frontier.count or self._vain < self._patience()):
            lead = self.frontier.best(self.settings.fair if self.frontier.count else _NOTHING_YET)
        if lead is None and self._postponed and not under_way:
            postponed = self._postponed.popleft()
            return self._visit(postponed.lead, postponed.ends)
        return self._visit(lead) if lead else None

    def _search(self, engine: SearchEngine, query: SearchQuery) -> _Step:
        def settle(page: ResultPage | SearchError | BudgetSpent) -> None:
            self._settle_search(engine, query, page)

        return _Step(settle, asyncio.create_task(self._ask(engine, query)), search=True)

    async def _ask(self, engine: SearchEngine, query: SearchQuery) -> ResultPage | SearchError | BudgetSpent:
        try:
            if answer := self.journal.answer(query):
                return answer
            self.journal.take_query(query, self.budget)
        except BudgetSpent as spent:
            return spent
        try:
            page = await engine.search(query)
        except SearchError as error:
            self.journal.drop_query(query, self.budget)
            return error
        self.journal.keep_answer(query, page, self.budget)
        return page

    def _settle_search(
        self, engine: SearchEngine, query: SearchQuery, page: ResultPage | SearchError | BudgetSpent
    ) -> None:
        self.asking.back()
        if isinstance(page, BudgetSpent):
            self._no_search = True
            self.stopped = str(page) if page.resource == "seconds" else self.stopped
            return
        if isinstance(page, SearchError):
            self.faults.append(page)
            # The third failure in all is one too many; without credits the first is.
            self._no_search = self._no_search or isinstance(page, CreditsSpent) or len(self.faults) >= 3
            log.warning("A search failed: %s", page)
            return
        sightings = [
            (hit.url, Discovery(hit.title, hit.snippet, query.text, hit.engine, hit.rank + 10 * (query.page - 1)))
            for hit in page.hits
        ]
        new, count = len(self.frontier.see(sightings, depth=0)), max(1, len(sightings))
        self.asking.learn(engine, query, page.more, (self.frontier.rich(sightings) / count, new / count))
        self._tell(f"search {query.text!r}", "searched")

    def _visit(self, lead: CandidateUrl, start: float = 0.0) -> _Step:
        """Fetch and judge a page, not before `start` (monotonic seconds)."""
        self._turn += 1
        turn = self._turn
        visited = self._reached.setdefault(lead.key, turn) != turn and not start

        def settle(outcome: Outcome) -> None:
            self._settle_page(lead, outcome)

        return _Step(settle, asyncio.create_task(self._read(lead, visited, turn, start)), search=False)

    async def _read(self, lead: CandidateUrl, visited: bool, turn: int, start: float) -> Outcome:
        if visited:
            return _Read(PageJudgement(kind="missed", reason="Another URL was redirected to it, and brought it."))
        page = self.journal.fetched(lead.key)
        if page is None:
            if (pause := start - time.monotonic()) > 0:
                await asyncio.sleep(min(pause, max(0.0, self.budget.remaining("seconds"))))
            self.journal.see(lead.key, lead.url)
            self.journal.take(lead.key)
            page = await self.fetcher.fetch(lead.url, self._requested_before(turn))
            if page.kind == "budget":
                self.journal.release(lead.key)
                return BudgetSpent("fetches, bytes or seconds", 0)
            if page.kind == "paused" and lead.key not in self._repeated:
                self.journal.release(lead.key)
                return _Postponed(lead, time.monotonic() + page.pause)
            self.journal.keep_fetched(lead.key, page)
        reading = self.journal.judged(lead.key, PageJudgement)
        if reading is None:
            reading = await self.gate.judge(page, lead.name, lead.title)
            self.journal.keep_judged(lead.key, reading, keep_body=reading.kind == "document" or bool(reading.meaning))
        passed = tuple(urls.key(url) for url in (*(hop.url for hop in page.hops), page.final_url) if url)
        return _Read(reading, page.attempts + len(page.hops), passed)

    def _requested_before(self, turn: int) -> Callable[[str], bool]:
        """Whether a redirect leads to a URL that was requested before this turn.

        What is requested at the same time does not count, so the answer does not depend on which page comes first.
        """

        def visited(url: str) -> bool:
            return self._reached.get(urls.key(url), turn) < turn

        return visited

    def _settle_page(self, lead: CandidateUrl, outcome: Outcome) -> None:
        if isinstance(outcome, _Postponed):
            self._repeated.add(lead.key)
            self._postponed.append(outcome)
            self._tell(lead.url, "postponed")
            return
        if isinstance(outcome, BudgetSpent):
            self.stopped = "The budget of the run is used up."
            return
        reading = outcome.reading
        self._turn += 1
        for key in outcome.hops:
            self._reached.setdefault(key, self._turn)
        self._requests += outcome.requests + (lead.host not in self._hosts)
        self._hosts.add(lead.host)
        relevant, promised = self.frontier.settle(lead, reading, _sightings(lead, reading))
        if relevant:
            self._explore(lead, reading)
        self._vain = 0 if relevant else self._vain + 1
        self._promised = promised + (0.0 if relevant else self._promised)
        self.readings[reading.kind] += 1
        self._tell(lead.url, "kept" if relevant else reading.kind)

    def _explore(self, lead: CandidateUrl, reading: PageJudgement) -> None:
        """Add the folder of a document, and the start page and the sitemaps of its host."""
        parts = urlsplit(reading.final_url or lead.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        folder = f"{origin}{parts.path.rpartition('/')[0]}/"
        if folder not in self._explored:
            self._explored.add(folder)
            listing = Discovery(
                "Index of documents", "", parent=lead.key, referrer=lead.url, about=reading.close, guess="folder"
            )
            self.frontier.see([(folder, listing)], depth=0)
        if origin in self._explored:
            return
        self._explored.add(origin)
        listed = Discovery("Index of all pages", "", parent=lead.key, referrer=origin, about=reading.close, feed=True)
        maps = sitemaps(self.journal.robots(origin, 0.0) or "")
        start = (f"{origin}/", replace(listed, guess="start"))
        self.frontier.see([start, *((page, listed) for page in maps)], depth=0)

    def _tell(self, item: str, outcome: str) -> None:
        self.note({"stage": "search", "item": item, "outcome": outcome})


def _sightings(lead: CandidateUrl, reading: PageJudgement) -> list[tuple[str, Discovery]]:
    """The links of a page; pages with few links or an embedded page lend them their title as context."""
    few = sum(1 for link in reading.links if not link.menu) <= _FEW
    sightings = []
    for link in reading.links:
        title = link.anchor or (reading.title if link.embedded else "")
        around = f"{reading.title}. {link.around}" if few else link.around
        sightings.append((link.url, Discovery(
            title, around, parent=lead.key, referrer=reading.final_url, about=reading.close, menu=link.menu,
            embedded=link.embedded, feed=link.feed,
        )))  # fmt: skip
    return sightings
