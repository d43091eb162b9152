"""What a run may use: tokens of models, paid searches, and what is remembered of both."""

import asyncio
from pathlib import Path

import pytest

from soprag.configs.settings import load
from soprag.tools.errors import BudgetSpent, SearchError
from soprag.tools.llm import open_llm
from soprag.tools.research.budgeted import BudgetedLlm
from soprag.tools.research.search_log import Searches
from soprag.tools.research.spending import open_budget
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.search.registry import ReadyEngines
from soprag.tools.tasks.deepsearch import PHRASE_SEARCH, PhrasesAsk
from soprag.tools.web.budget import RunBudget
from tests.loopback import Loopback, says
from tests.research import PLENTY, FakeWeb, open_folder

ASK = PhrasesAsk(query="pump cavitation", instructions="", context="", looking_for="web")


async def test_tokens_are_taken_before_and_set_right_after(tmp_path: Path) -> None:
    budget = RunBudget(PLENTY)
    with Loopback(answer=lambda body: {"phrases": ["pumps"]}) as server:
        settings = load("offline", {"llm": {"model": "openai:m", "base_url": server.url, "cache": False}}, {}).llm
        door = BudgetedLlm(open_llm(settings, {}, tmp_path, RulesLlm), budget, RulesLlm())
        await asyncio.gather(*(door.ask(PHRASE_SEARCH, ASK) for _ in range(4)))
    assert budget.spent("tokens") == 4 * 18


async def test_without_tokens_left_nothing_is_sent_and_the_rules_answer(tmp_path: Path) -> None:
    budget = RunBudget(PLENTY.model_copy(update={"tokens": 100}))
    with Loopback(says({"phrases": ["never asked"]})) as server:
        settings = load("offline", {"llm": {"model": "openai:m", "base_url": server.url, "cache": False}}, {}).llm
        door = BudgetedLlm(open_llm(settings, {}, tmp_path, RulesLlm), budget, RulesLlm())
        answer = await door.ask(PHRASE_SEARCH, ASK)
        assert server.count == 0
    assert answer.phrases == ["pump cavitation"] and "100 tokens" in door.spent and budget.spent("tokens") == 0


def test_what_was_spent_is_remembered_by_the_next_process(tmp_path: Path) -> None:
    first = open_budget(PLENTY, tmp_path / "budget.sqlite")
    first.take(credits=3, bytes=1000)
    first.give_back(credits=1)
    second = open_budget(PLENTY, tmp_path / "budget.sqlite")
    assert (second.spent("credits"), second.spent("bytes")) == (2, 1000)
    assert second.spent("seconds") >= 0


async def test_a_search_is_paid_once_however_many_ask_and_a_failed_one_is_asked_again(tmp_path: Path) -> None:
    budget = RunBudget(PLENTY.model_copy(update={"credits": 2}))
    web = FakeWeb({"https://a.test/pump": "The pump leaks at its seal."}, fails={"broken": SearchError("down")})
    searches = Searches(open_folder(tmp_path, "?"), ReadyEngines((web,)), budget)
    found = await asyncio.gather(*(searches.find("web", "pump", "en") for _ in range(5)))
    assert (len(web.queries), budget.spent("credits")) == (1, 1) and all(one == found[0] for one in found)
    with pytest.raises(SearchError, match="down"):
        await searches.find("web", "broken pump", "en")
    with pytest.raises(BudgetSpent, match="2 credits"):
        await searches.find("web", "another pump", "en")
    assert len(web.queries) == 2


async def test_a_kind_that_nobody_looks_for_is_looked_for_on_the_web(tmp_path: Path) -> None:
    web = FakeWeb({"https://a.test/pump": "The pump leaks at its seal."}, kinds=frozenset({"web"}))
    found = await Searches(open_folder(tmp_path, "?"), ReadyEngines((web,)), RunBudget(PLENTY)).find(
        "patents", "pump", "en"
    )
    assert found.hits and "Nobody here looks for patents" in found.note and web.queries[0].kind == "web"
    none = await Searches(open_folder(tmp_path / "b", "?"), ReadyEngines(()), RunBudget(PLENTY)).find(
        "web", "pump", "en"
    )
    assert none.hits == () and none.note
