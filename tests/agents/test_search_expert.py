"""The search expert: what it passes on of the web, and what it makes of failures."""

from dataclasses import dataclass, field

from soprag.agents.experts.search import Search
from soprag.tools.errors import SearchError
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, Work
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery


@dataclass
class Engine:
    outcome: ResultPage | Exception
    asked: list[SearchQuery] = field(default_factory=list)
    name: str = "test"
    kinds: frozenset[Kind] = frozenset({"web"})

    async def search(self, query: SearchQuery) -> ResultPage:
        self.asked.append(query)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def work(query: str) -> Work:
    return Work(task="look", arguments={"query": query})


HIT = SearchHit(
    url="https://a.test/x", title="Gear\x1b[2J noise", snippet="1. Stop the pump.\n2. Open it.", rank=1, engine="test"
)


async def test_pages_are_named_as_what_they_are_and_on_one_line_each() -> None:
    found = await Search(Engine(ResultPage(hits=(HIT,) * 9))).work(work("gear noise"))
    assert isinstance(found, ExpertResult)
    assert found.text.startswith("From the web, not from a procedure of this plant")
    assert "\x1b" not in found.text and "\n2. Open" not in found.text
    assert len(found.sources) == 5


async def test_no_page_a_failing_engine_and_a_query_without_words_are_failures() -> None:
    empty = await Search(Engine(ResultPage())).work(work("gear noise"))
    down = await Search(Engine(SearchError("down"))).work(work("gear noise"))
    engine = Engine(ResultPage(hits=(HIT,)))
    wrong = await Search(engine).work(work(""))
    kinds = [one.kind for one in (empty, down, wrong) if isinstance(one, StepFailure)]
    assert kinds == ["empty", "unavailable", "arguments"] and not engine.asked
