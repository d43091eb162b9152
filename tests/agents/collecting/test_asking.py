from typing import cast

from soprag.agents.collecting.queries import QueryPlanner
from soprag.configs.settings import load
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.search.engine import SearchEngine, SearchQuery

ENGINE = cast("SearchEngine", object())


def asking() -> QueryPlanner:
    return QueryPlanner(
        RulesLlm(),
        "slurry pump",
        (ENGINE,),
        load(environment={}).collect,
        waiting=[(ENGINE, SearchQuery(text="other"))],
    )


def test_the_next_page_of_a_query_that_brought_something_goes_first() -> None:
    searches = asking()
    searches.learn(ENGINE, SearchQuery(text="pump"), more=True, share=(0.6, 0.6))
    found = [searches.next(), searches.next()]
    assert [(one[1].text, one[1].page) for one in found if one] == [("pump", 2), ("other", 1)]


def test_a_query_that_brought_nothing_has_no_next_page() -> None:
    searches = asking()
    searches.learn(ENGINE, SearchQuery(text="pump"), more=True, share=(0.1, 0.0))
    assert [query.text for _, query in searches.waiting] == ["other"]
