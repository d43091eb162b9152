"""What one run may use, shared by searches, fetches and models: taken before each request, never exceeded."""

import time
from collections.abc import Callable
from typing import Literal

from pydantic import Field

from tools.errors import BudgetSpent
from tools.sop import Frozen

Resource = Literal["credits", "fetches", "bytes", "seconds", "tokens"]
RESOURCES: tuple[Resource, ...] = ("credits", "fetches", "bytes", "seconds", "tokens")
Amounts = dict[Resource, float]


class Limits(Frozen):
    """The most a run may use; 0 is none at all."""

    credits: int = Field(ge=0, description="paid searches")
    fetches: int = Field(ge=0, description="requests to web sites, redirects, retries and robots.txt included")
    bytes: int = Field(ge=0, description="received from web sites, as they came over the wire")
    seconds: float = Field(ge=0)
    tokens: int = Field(ge=0, description="of chat models, in and out")


class Budget:
    """Limits and what was used of them.

    `spent` is what an interrupted run had used before; `record` is told every change (resource, new total) before
    `take` returns, so that what it writes down is never less than what was used.
    """

    def __init__(
        self,
        limits: Limits,
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
        """Use so much, all of it or nothing; call it before the request. Raises `BudgetSpent`."""
        wanted: Amounts = {"credits": credits, "fetches": fetches, "bytes": bytes, "tokens": tokens}
        self.check()
        for resource, amount in wanted.items():
            if amount > self.left(resource):
                raise BudgetSpent(resource, self.limit(resource))
        for resource, amount in wanted.items():
            self._change(resource, amount)
        if self._record and (credits or fetches):
            self._record("seconds", self.spent("seconds"))

    def give_back(self, *, credits: int = 0, bytes: int = 0, tokens: int = 0) -> None:
        """Return what was taken and then not needed: an answer from a cache, the rest of a reserved piece."""
        unneeded: Amounts = {"credits": credits, "bytes": bytes, "tokens": tokens}
        for resource, amount in unneeded.items():
            self._change(resource, -amount)

    def check(self) -> None:
        """Raise `BudgetSpent` when the time is up; `take` does it too."""
        if self.left("seconds") <= 0:
            raise BudgetSpent("seconds", self.limits.seconds)

    def limit(self, resource: Resource) -> float:
        """The most that may be used of it."""
        return float(getattr(self.limits, resource))

    def spent(self, resource: Resource) -> float:
        """What was used of it."""
        return self._clock() - self._started if resource == "seconds" else self._spent[resource]

    def left(self, resource: Resource) -> float:
        """What may still be used of it."""
        return self.limit(resource) - self.spent(resource)

    def _change(self, resource: Resource, amount: float) -> None:
        if amount:
            total = self._spent[resource] + amount
            if self._record:
                self._record(resource, total)
            self._spent[resource] = total
