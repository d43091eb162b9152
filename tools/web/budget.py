"""Budget of one run, shared by searches, fetches and models: reserved before each request and never exceeded."""

import time
from collections.abc import Callable
from typing import Literal

from pydantic import Field

from soprag.tools.errors import BudgetSpent
from soprag.tools.sop import Frozen

Resource = Literal["credits", "fetches", "bytes", "seconds", "tokens"]
RESOURCES: tuple[Resource, ...] = ("credits", "fetches", "bytes", "seconds", "tokens")
Amounts = dict[Resource, float]


class BudgetLimits(Frozen):
    """Upper limits of one run; 0 allows nothing."""

    credits: int = Field(ge=0, description="paid searches")
    fetches: int = Field(ge=0, description="requests to web sites, redirects, retries and robots.txt included")
    bytes: int = Field(ge=0, description="received from web sites, counted on the wire (still compressed)")
    seconds: float = Field(ge=0, description="wall-clock time of the run, over all its processes")
    tokens: int = Field(ge=0, description="of chat models, input and output together")


class RunBudget:
    """Limits of a run and the amounts used so far.

    `spent` holds the amounts an interrupted run had used. `record` is called with (resource, new total) for every
    change before `take` returns, so a stored total is never below the amount used.
    """

    def __init__(
        self,
        limits: BudgetLimits,
        spent: Amounts | None = None,
        record: Callable[[Resource, float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits
        self._spent: Amounts = {resource: (spent or {}).get(resource, 0) for resource in RESOURCES}
        self._record = record
        self._clock = clock
        self._started = clock() - self._spent["seconds"]

    def take(self, *, credits: int = 0, fetches: int = 0, bytes: int = 0, tokens: int = 0) -> None:
        """Reserve these amounts before a request, all or none; raises `BudgetSpent` when one exceeds its limit."""
        amounts: Amounts = {"credits": credits, "fetches": fetches, "bytes": bytes, "tokens": tokens}
        self.check()
        for resource, amount in amounts.items():
            if amount > self.remaining(resource):
                raise BudgetSpent(resource, self.limit(resource))
        for resource, amount in amounts.items():
            self._change(resource, amount)
        if self._record and (credits or fetches):
            self._record("seconds", self.spent("seconds"))

    async def reserve(self, *, fetches: int = 0, bytes: int = 0) -> None:
        """`take`, as those see it whose budget is that of another process."""
        self.take(fetches=fetches, bytes=bytes)

    def give_back(self, *, credits: int = 0, bytes: int = 0, tokens: int = 0) -> None:
        """Return an amount that was reserved and not used: a cached answer, the rest of a reserved chunk."""
        unneeded: Amounts = {"credits": credits, "bytes": bytes, "tokens": tokens}
        for resource, amount in unneeded.items():
            self._change(resource, -amount)

    def check(self) -> None:
        """Raise `BudgetSpent` when the time is used up; `take` calls this as well."""
        if self.remaining("seconds") <= 0:
            raise BudgetSpent("seconds", self.limits.seconds)

    def limit(self, resource: Resource) -> float:
        """The limit of this resource."""
        return float(getattr(self.limits, resource))

    def spent(self, resource: Resource) -> float:
        """The amount used of this resource."""
        return self._clock() - self._started if resource == "seconds" else self._spent[resource]

    def remaining(self, resource: Resource) -> float:
        """The amount of this resource that may still be used."""
        return self.limit(resource) - self.spent(resource)

    def _change(self, resource: Resource, amount: float) -> None:
        if amount:
            total = self._spent[resource] + amount
            if self._record:
                self._record(resource, total)
            self._spent[resource] = total
