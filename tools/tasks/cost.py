"""The ledger of model calls, tokens and cost per task; printed by apps and stored with runs."""

import threading

from pydantic import Field

from soprag.tools.sop import Frozen


class Spent(Frozen):
    """What one task has used so far."""

    calls: int = Field(default=0, description="requests that were answered, the unusable answers too")
    cached: int = Field(default=0, description="answers found on disk: neither a call nor a cost")
    repairs: int = Field(default=0, description="answers sent back with their validation error")
    retries: int = Field(default=0, description="requests sent again after a failure")
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = Field(default=0.0, description="US dollars; None: a price or a token count is not known")

    def __add__(self, addend: "Spent") -> "Spent":
        priced = self.cost is not None and addend.cost is not None
        return Spent(
            calls=self.calls + addend.calls,
            cached=self.cached + addend.cached,
            repairs=self.repairs + addend.repairs,
            retries=self.retries + addend.retries,
            tokens_in=self.tokens_in + addend.tokens_in,
            tokens_out=self.tokens_out + addend.tokens_out,
            cost=(self.cost or 0.0) + (addend.cost or 0.0) if priced else None,
        )


class Ledger(Frozen):
    """What every task has used; two ledgers add up, so a resumed run adds to what was spent before."""

    tasks: dict[str, Spent] = Field(default_factory=dict)

    def __add__(self, addend: "Ledger") -> "Ledger":
        names = [*self.tasks, *(name for name in addend.tasks if name not in self.tasks)]
        return Ledger(tasks={name: self.tasks.get(name, Spent()) + addend.tasks.get(name, Spent()) for name in names})

    @property
    def total(self) -> Spent:
        """The sum over all tasks."""
        return sum(self.tasks.values(), Spent())

    def text(self) -> str:
        """One line for a person, such as `12 model calls (3 more from cache), 8,120 tokens in, 640 out, $0.03`."""
        spent = self.total
        if spent.calls and spent.cost == 0 and not spent.tokens_in:
            return f"{_count(spent.calls, 'answer', 'answers')} by rule, no cost"
        calls = _count(spent.calls, "model call", "model calls")
        calls += f" ({spent.cached} more from cache)" if spent.cached else ""
        again = [_count(spent.repairs, "repair", "repairs"), _count(spent.retries, "retry", "retries")]
        cost = "cost unknown (no price or no token count)" if spent.cost is None else f"${spent.cost:.2f}"
        tokens = f"{spent.tokens_in:,} tokens in, {spent.tokens_out:,} out"
        return ", ".join([calls, *(part for part in again if part[0] != "0"), tokens, cost])


def _count(number: int, singular: str, plural: str) -> str:
    return f"{number:,} {singular if number == 1 else plural}"


class Meter:
    """A thread-safe accumulator of usage by task."""

    def __init__(self) -> None:
        self._tasks: dict[str, Spent] = {}
        self._lock = threading.Lock()

    def add(self, task: str, spent: Spent) -> None:
        """Add `spent` to the usage of `task`."""
        with self._lock:
            self._tasks[task] = self._tasks.get(task, Spent()) + spent

    @property
    def ledger(self) -> Ledger:
        """A snapshot of the usage so far."""
        with self._lock:
            return Ledger(tasks=dict(self._tasks))


def price(tokens_in: int, tokens_out: int, prices: tuple[float, float] | None) -> float | None:
    """US dollars for these tokens at `prices` per million (in, out); None when there is no price."""
    return None if prices is None else (tokens_in * prices[0] + tokens_out * prices[1]) / 1e6
