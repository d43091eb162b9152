"""Ranges that a step states for readings, in the words of the SOP: `between 4 and 6 bar`, `never below 16 °C`."""

import re
from collections.abc import Iterable
from dataclasses import replace

from pydantic import Field

from soprag.tools.procedure.ranges.found_range import FoundRange
from soprag.tools.procedure.ranges.ranges import find_ranges
from soprag.tools.sop import Frozen, StatedRange
from soprag.tools.units.prose import quantity_name
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import convert, kind_of

_READING = re.compile(
    r"\b(?:check|measure|read|record|verify|confirm|note|log|ensure|make sure|see that|inspect|test|monitor|compare|"
    r"must be|should be|shall be|must read|should read|must show|reads?|shows?|indicates?|is between|is within)\b",
    re.IGNORECASE,
)


_ACIDITY = re.compile(r"\bpH\b")
_MEASURING = re.compile(r"\b(?:measure|read|record|note|log|monitor|compare|weigh|meter)\b", re.IGNORECASE)


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


def asks_reading(text: str) -> bool:
    """Whether the words of a step tell to read, check or record something."""
    return bool(_READING.search(text))


def asks_for(text: str, quantity: Quantity) -> bool:
    """Whether the words of a step ask for such a value: they tell to measure, or to check what its unit measures."""
    named = quantity_name(quantity.unit)
    return bool(_MEASURING.search(text)) or bool(named and asks_reading(text) and named in text.lower())


def demands(text: str, ranges: Iterable[StatedRange]) -> tuple[Range, ...]:
    """The ranges that the step with this text and these ranges accepts; conditions and durations are none of them.

    Plain numbers and counts are left out, because any other reading of the step would seem to answer them.
    """
    required = asks_reading(text)
    known = (one.model_copy(update={"unit": _unit(one.unit, f"{one.quantity} {one.words}")}) for one in ranges)
    accepted = (_accepted(one, required, text) for one in known if one.use == "accept" and one.unit)
    distinct = {(one.low, one.high, one.unit, one.variant, one.quantity): one for one in accepted}
    return tuple(distinct.values())


def stated(text: str) -> tuple[Range, ...]:
    """Every range with a unit in `text` that a reading can lie in, in order; changes and rates are none."""
    found = (replace(made, unit=_unit(made.unit, made.quantity)) for made in find_ranges(text) if not made.relative)
    return tuple(_range(made, text) for made in found if kind_of(made.unit))


def _unit(unit: str, words: str) -> str:
    """The unit of a range, which texts leave out for the acidity."""
    return unit or ("pH" if _ACIDITY.search(words) else "")


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


def _accepted(one: StatedRange, required: bool, text: str) -> Range:
    words = " ".join(one.words.split())
    named = ", ".join(filter(None, (one.quantity, one.variant)))
    told = words in " ".join(text.split()) or not named  # else a table states it, whose heads say of what it is
    return Range(
        low=one.low,
        high=one.high,
        unit=one.unit,
        phrase=words if told else f"{named}: {words}",
        quantity=one.quantity,
        variant=one.variant,
        open_low=one.low is not None and not one.low_inclusive,
        open_high=one.high is not None and not one.high_inclusive,
        required=required,
    )
