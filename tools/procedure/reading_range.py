"""Ranges that a step states for readings, in the words of the SOP: `between 4 and 6 bar`, `never below 16 °C`."""

import re

from pydantic import Field

from soprag.tools.procedure.ranges import FoundRange, find_ranges
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import convert, kind_of

_CLAUSE = re.compile(
    r"(?<!\bmin\.)(?<!\bmax\.)(?<=[.;!?])\s+|\n+|,\s+(?=(?:if|unless|in case|otherwise|else)\b)|\s+\|\s+", re.IGNORECASE
)
_CONDITIONAL = re.compile(
    r"^\W*(?:(?:and|but|or)\s+)?(?:if|unless|in case|in the event|should\b(?! be)|when|whenever|where|otherwise|"
    r"else)\b",
    re.IGNORECASE,
)
_READING = re.compile(
    r"\b(?:check|measure|read|record|verify|confirm|note|log|ensure|make sure|see that|inspect|test|monitor|compare|"
    r"must be|should be|shall be|must read|should read|must show|reads?|shows?|indicates?|is between|is within)\b",
    re.IGNORECASE,
)


class Range(Frozen):
    """An interval from `low` to `high`, each None when open; `phrase` is the SOP's wording.

    `quantity` are the words that name what is measured, `variant` the model or hall for which the bounds hold.
    """

    low: float | None = None
    high: float | None = None
    unit: str = ""
    phrase: str
    quantity: str = ""
    variant: str = ""
    open_low: bool = Field(default=False, description="`low` itself is outside")
    open_high: bool = Field(default=False, description="`high` itself is outside")
    required: bool = Field(default=False, description="the step asks for a reading")

    def holds(self, quantity: Quantity) -> bool | None:
        """Whether the quantity lies inside; None when the dimensions differ."""
        value = convert(quantity, self.unit)
        if value is None:
            return None
        slack = 1e-9 * max(1.0, abs(value))
        above = self.low is None or value > self.low + slack or (not self.open_low and value >= self.low - slack)
        below = self.high is None or value < self.high - slack or (not self.open_high and value <= self.high + slack)
        return above and below


def ranges(text: str) -> tuple[Range, ...]:
    """The ranges that `text` requires; those in conditions and durations are excluded."""
    intervals: list[Range] = []
    reading = False
    for clause in _CLAUSE.split(text):
        if not clause or _CONDITIONAL.match(clause):
            continue
        reading = reading or bool(_READING.search(clause))
        for interval in stated(clause):
            if kind_of(interval.unit) != "time":
                intervals.append(interval.model_copy(update={"required": reading}))
    distinct = {(one.low, one.high, one.unit, one.variant, one.quantity): one for one in intervals}
    return tuple(distinct.values())


def stated(text: str) -> tuple[Range, ...]:
    """Every range with a unit in `text`, in order."""
    return tuple(_range(found, text) for found in find_ranges(text) if kind_of(found.unit))


def _range(found: FoundRange, text: str) -> Range:
    return Range(
        low=found.low,
        high=found.high,
        unit=found.unit,
        phrase=" ".join(text[found.start : found.end].split()),
        quantity=found.quantity,
        variant=found.variant,
        open_low=found.low is not None and not found.low_inclusive,
        open_high=found.high is not None and not found.high_inclusive,
    )
