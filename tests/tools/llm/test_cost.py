"""The ledger: nothing is free that is not, and an unknown price is not zero."""

from collections.abc import Callable
from pathlib import Path

import pytest

from soprag.configs.settings import LlmSettings
from soprag.tools.errors import AnswerInvalid
from soprag.tools.llm import Ledger, Spent, open_llm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.cost import Meter, price
from tests.loopback import Loopback, fails, says
from tests.tools.llm.valves import COUNT, Text

GOOD = {"valves": 2}
Make = Callable[..., LlmSettings]


async def test_calls_tokens_and_cost_are_counted_by_task(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(says("?", tokens=(1000, 10)), fails(500), says(GOOD, tokens=(2000, 20))) as server:
        llm = open_llm(llm_settings(base_url=server.url), {"openai:test-model": (1.0, 10.0)}, tmp_path, RulesLlm)
        await llm.ask(COUNT, Text(text="x"))
        await llm.ask(COUNT, Text(text="x"))
    spent = llm.ledger.tasks["count-valves"]
    assert spent.model_dump(exclude={"cost"}) == {
        "calls": 2, "cached": 1, "repairs": 1, "retries": 1, "tokens_in": 3000, "tokens_out": 30,
    }  # fmt: skip
    assert spent.cost == pytest.approx(0.003 + 0.0003)


async def test_a_model_without_a_price_has_no_cost(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(says(GOOD)) as server:
        llm = open_llm(llm_settings(base_url=server.url), {}, tmp_path, RulesLlm)
        await llm.ask(COUNT, Text(text="x"))
    assert llm.ledger.total.cost is None
    assert "cost unknown" in llm.ledger.text()


async def test_an_answer_that_cannot_be_used_is_paid_for_too(llm_settings: Make, tmp_path: Path) -> None:
    with Loopback(says(GOOD, finish="length", tokens=(500, 99))) as server:
        llm = open_llm(llm_settings(base_url=server.url), {"openai:test-model": (1.0, 10.0)}, tmp_path, RulesLlm)
        with pytest.raises(AnswerInvalid):
            await llm.ask(COUNT, Text(text="x"))
    assert (llm.ledger.total.calls, llm.ledger.total.tokens_in, llm.ledger.total.tokens_out) == (1, 500, 99)


def test_ledgers_of_resumed_runs_add_up_and_come_back_from_json() -> None:
    before = Ledger(tasks={"filter": Spent(calls=2, cost=0.5), "split": Spent(calls=1, cost=0.25)})
    after = Ledger(tasks={"filter": Spent(cached=2), "questions": Spent(calls=3, cost=None)})
    both = Ledger.model_validate_json((before + after).model_dump_json())
    assert both.tasks["filter"] == Spent(calls=2, cached=2, cost=0.5)
    assert list(both.tasks) == ["filter", "split", "questions"]
    assert both.total == Spent(calls=6, cached=2, cost=None)


def test_a_ledger_is_one_line_for_a_person() -> None:
    spent = Spent(calls=12, cached=3, retries=1, tokens_in=8120, tokens_out=640, cost=0.0267)
    line = Ledger(tasks={"filter": spent}).text()
    assert line == "12 model calls (3 more from cache), 1 retry, 8,120 tokens in, 640 out, $0.03"


def test_rules_are_counted_and_cost_nothing() -> None:
    ledger = Ledger(tasks={"filter": Spent(calls=1200)})
    assert ledger.text() == "1,200 answers by rule, no cost"
    assert Ledger().text() == "0 model calls, 0 tokens in, 0 out, $0.00"


def test_a_price_is_per_million_tokens() -> None:
    assert price(1_000_000, 500_000, (2.5, 10.0)) == pytest.approx(7.5)
    assert price(1, 1, None) is None


def test_a_ledger_already_handed_out_does_not_change() -> None:
    meter = Meter()
    early = meter.ledger
    meter.add("filter", Spent(calls=1))
    assert early == Ledger()
    assert meter.ledger.total.calls == 1
