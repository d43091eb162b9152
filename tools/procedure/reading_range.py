"""Ranges stated in a text: `between 4 and 6 bar`, `<= 45 °C`, `4.2 ± 0.2 bar`, `at least 30 l/min`."""

import re
from collections.abc import Iterator
from functools import partial

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import NUMBER, UNIT, convert, kind_of, known, number_of

_N, _U = NUMBER, UNIT
_TO = r"\s*(?:to|through|and|-|–|—|\.\.\.?|…)\s*"
_LEAST = (
    r"at least|a minimum of|minimum(?: of)?|min\.?|not less than|no less than|not below|not under|no lower than|"
    r"not drop below|not fall below|>=|≥|=>"
)
_MOST = (
    r"at most|a maximum of|maximum(?: of)?|max\.?|not more than|no more than|not above|not over|no higher than|"
    r"not exceed(?:ing)?|not exceeds|up to|<=|≤|=<"
)
_OVER = r"above|over|more than|greater than|higher than|exceed(?:s|ed|ing)?|in excess of|>"
_UNDER = r"below|under|less than|lower than|fewer than|short of|<"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<a>{_N})\s*(?P<u>{_U})?\s*(?:±|\+/-|\+-|\+/−)\s*(?P<d>\d+(?:[.,]\d+)*)\s*(?P<v>{_U})?",
        rf"\bbetween\s+(?P<a>{_N})\s*(?P<u>{_U})?\s+and\s+(?P<b>{_N})\s*(?P<v>{_U})?",
        rf"(?P<a>{_N})\s*(?P<u>{_U})?{_TO.replace('and|', '')}(?P<b>[-+−]?\d+(?:[.,]\d+)*)\s*(?P<v>{_U})",
        rf"(?<![\w])(?:(?P<least>{_LEAST})|(?P<most>{_MOST})|(?P<over>{_OVER})|(?P<under>{_UNDER}))\s*(?:than\s+)?"
        rf"(?P<a>{_N})\s*(?P<v>{_U})?",
        rf"(?P<a>{_N})\s*(?P<v>{_U})?\s+(?:or\s+(?:(?P<least>more|higher|above|over|greater)|"
        rf"(?P<most>less|lower|below|under|fewer))|(?P<minimum>min(?:imum|\.)?)|(?P<maximum>max(?:imum|\.)?))\b",
    )
)
_CLAUSE = re.compile(
    r"(?<!\bmin\.)(?<!\bmax\.)(?<=[.;!?])\s+|\n+|,\s+(?=(?:if|unless|in case|otherwise|else)\b)|\s+\|\s+", re.IGNORECASE
)
_CONDITIONAL = re.compile(
    r"^\W*(?:(?:and|but|or)\s+)?(?:if|unless|in case|in the event|should\b(?! be)|when|whenever|where|otherwise|"
    r"else)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"\b(?:do not|don't|never|must not|may not|shall not|should not|cannot)\b", re.IGNORECASE)
_READING = re.compile(
    r"\b(?:check|measure|read|record|verify|confirm|note|log|ensure|make sure|see that|inspect|test|monitor|compare|"
    r"must be|should be|shall be|must read|should read|must show|reads?|shows?|indicates?|is between|is within)\b",
    re.IGNORECASE,
)
_ORDINARY = re.compile(r"^(?:a|an|the|of|in|at|to|or|and|on|is|m|s|t|h|b|c|f|k|l|g|n|j|w)$")


class Range(Frozen):
    """An interval from `low` to `high`, each None when open; `phrase` is the SOP's wording."""

    low: float | None = None
    high: float | None = None
    unit: str = ""
    phrase: str
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
                meant = _denied(interval) if _FORBIDS.search(clause.partition(interval.phrase)[0]) else interval
                intervals.append(meant.model_copy(update={"required": reading}))
    return tuple({(interval.low, interval.high, interval.unit): interval for interval in intervals}.values())


def _denied(interval: Range) -> Range:
    """ "Never set it below 16 °C": at least 16."""
    if interval.low is not None and interval.high is not None:
        return interval
    return interval.model_copy(
        update={"low": interval.high, "high": interval.low, "open_low": False, "open_high": False}
    )


def stated(text: str) -> tuple[Range, ...]:
    """Every range with a unit in `text`, in order."""
    taken: list[tuple[int, int]] = []
    matches: list[tuple[int, Range]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                interval = _range(match)
                if interval:
                    taken.append(match.span())
                    matches.append((match.start(), interval))
    return tuple(interval for _, interval in sorted(matches, key=lambda pair: pair[0]))


def _range(match: re.Match[str]) -> Range | None:
    groups = match.groupdict()
    unit = next(_units(groups), "")
    if not unit:
        return None
    make = partial(Range, unit=unit, phrase=" ".join(match[0].split()))
    first = number_of(groups["a"])
    if groups.get("d"):
        return _around(make, first, groups)
    if groups.get("b"):
        last = number_of(groups["b"])
        return make(low=first, high=last) if first < last else None
    if groups.get("least") or groups.get("minimum"):
        return make(low=first)
    if groups.get("most") or groups.get("maximum"):
        return make(high=first)
    return make(low=first, open_low=True) if groups.get("over") else make(high=first, open_high=True)


def _around(make: "partial[Range]", middle: float, groups: dict[str, str | None]) -> Range:
    """`4.2 ± 0.2 bar`, `400 V ± 2 %`."""
    spread = number_of(groups["d"] or "0")
    relative = (groups.get("v") or "").strip() == "%" and (groups.get("u") or "%").strip() != "%"
    spread = abs(middle) * spread / 100 if relative else spread
    return make(low=round(middle - spread, 12), high=round(middle + spread, 12))


def _units(groups: dict[str, str | None]) -> Iterator[str]:
    """The valid units of a match, the decisive one first; ordinary words that resemble units are skipped."""
    relative = groups.get("d") and groups.get("u")
    for name in ("u", "v") if relative else ("v", "u"):
        unit = (groups.get(name) or "").strip()
        if unit and known(unit) and not (_ORDINARY.match(unit) and unit not in ("m", "s", "h", "l", "g", "t", "k")):
            yield unit
