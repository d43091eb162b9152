import pytest

from soprag.tools.errors import BudgetSpent
from soprag.tools.web.budget import BudgetLimits, RunBudget

SOME = BudgetLimits(credits=2, fetches=3, bytes=100, seconds=60, tokens=10)


def test_what_is_not_left_cannot_be_taken() -> None:
    budget = RunBudget(SOME)
    budget.take(credits=2)
    with pytest.raises(BudgetSpent) as spent:
        budget.take(credits=1)
    assert spent.value.resource == "credits"
    assert budget.spent("credits") == 2


def test_a_taking_is_all_or_nothing() -> None:
    budget = RunBudget(SOME)
    with pytest.raises(BudgetSpent):
        budget.take(fetches=1, bytes=101)
    assert budget.spent("fetches") == 0


def test_time_that_is_up_ends_every_taking() -> None:
    now = [0.0]
    budget = RunBudget(SOME, clock=lambda: now[0])
    now[0] = 60.0
    with pytest.raises(BudgetSpent, match="seconds"):
        budget.take(fetches=1)


def test_a_resumed_run_continues_where_it_was() -> None:
    written: dict[str, float] = {}
    budget = RunBudget(SOME, record=written.__setitem__)
    budget.take(credits=1, bytes=64)
    budget.give_back(bytes=60)
    again = RunBudget(SOME, spent={"credits": written["credits"], "bytes": written["bytes"]})
    assert again.remaining("credits") == 1
    assert again.spent("bytes") == 4


def test_what_is_recorded_is_never_less_than_what_was_used() -> None:
    def full(resource: str, total: float) -> None:
        raise OSError("no space left")

    budget = RunBudget(SOME, record=full)
    with pytest.raises(OSError, match="no space"):
        budget.take(credits=1)
    assert budget.spent("credits") == 0
