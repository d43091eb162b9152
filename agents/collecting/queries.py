"""The query planner of the crawl: which searches are made, and when to stop searching."""

from dataclasses import dataclass, field

from soprag.configs.settings import CollectSettings
from soprag.tools.llm import Llm
from soprag.tools.search.engine import Kind, SearchEngine, SearchQuery
from soprag.tools.tasks.collecting import QUERIES, QueriesAsk

KINDS: tuple[Kind, ...] = ("web", "answers", "wiki")  # where procedures may be found, the best first


@dataclass
class QueryPlanner:
    """The search queries of one crawl, planned from the topic and then from accepted titles; no repeats."""

    llm: Llm
    topic: str
    engines: tuple[SearchEngine, ...]
    settings: CollectSettings
    queries: list[str] = field(default_factory=list)
    waiting: list[tuple[SearchEngine, SearchQuery]] = field(default_factory=list)
    rounds: int = 0
    _dry: int = 0
    _taught: int = -1
    _under_way: int = 0
    _brought: int = 0  # searches of this round that brought something new
    _barren: int = 0  # rounds in a row without any

    @property
    def done(self) -> bool:
        """Whether the last searches of this round brought nothing new."""
        return self._dry >= self.settings.dry_searches * len(self.engines)

    async def refill(self, titles: list[str]) -> None:
        """Ask for new queries when the queue is empty and documents were accepted since the last time."""
        busy = self._under_way or (self.waiting and not self.done)
        ended = self._barren >= self.settings.barren_rounds or self.rounds >= self.settings.query_rounds
        if busy or ended or len(titles) == self._taught:
            return
        self._barren = 0 if self._brought or not self.rounds else self._barren + 1
        self.waiting.clear()
        self._dry = self._brought = 0
        self.rounds += 1
        self._taught = len(titles)
        count = self.settings.next_queries if titles else self.settings.first_queries
        ask = QueriesAsk(topic=self.topic, asked=self.queries, titles=titles, wanted=count)
        answer = await self.llm.ask(QUERIES, ask)
        for text in dict.fromkeys(query.strip() for query in answer.queries[:count]):
            if text and text not in self.queries:
                self.queries.append(text)
                self.waiting += [(engine, SearchQuery(text=text, kind=_kind(engine))) for engine in self.engines]

    def next(self) -> tuple[SearchEngine, SearchQuery] | None:
        """Take the next search from the queue; None when it is empty or searching has stopped."""
        if self.done or not self.waiting:
            return None
        self._under_way += 1
        return self.waiting.pop(0)

    def back(self) -> None:
        """Note that a search has ended, with results or an error."""
        self._under_way -= 1

    def learn(self, engine: SearchEngine, query: SearchQuery, more: bool, share: tuple[float, float]) -> None:
        """Learn from one result page; `share`: of promising hits, and of promising new hits, 0 to 1."""
        promising, new = share
        self._dry = 0 if new else self._dry + 1
        self._brought += bool(new)
        worthwhile = new >= self.settings.new_share or promising >= self.settings.promising_share
        if more and query.page < self.settings.result_pages and worthwhile:
            # The next page goes first: what is known to bring something comes before what may.
            self.waiting.insert(0, (engine, query.model_copy(update={"page": query.page + 1})))


def _kind(engine: SearchEngine) -> Kind:
    return next(kind for kind in KINDS if kind in engine.kinds)
