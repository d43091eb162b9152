"""The forms of a stated range that name both of its ends, and the values of variants."""

import re
from collections.abc import Iterator
from dataclasses import replace

from soprag.tools.procedure.ranges.found_range import FoundRange, LimitColumn
from soprag.tools.procedure.ranges.governed_values import CHECKS, is_acidity, is_numbered
from soprag.tools.procedure.ranges.limit_changes import is_difference
from soprag.tools.procedure.ranges.limit_words import (
    ALSO,
    ALSO_FOR,
    ALSO_OR,
    AROUND,
    BETWEEN,
    CHAIN,
    SPAN,
    TOLERANCE,
    UNEQUAL,
)
from soprag.tools.units.numerals import value_of
from soprag.tools.units.prose import governed_unit, unit_of
from soprag.tools.units.reading import kind_of

_STATED = re.compile(r"(?:\b(?:be|is|are|reads?|shows?|of|range|ratio)|:)\s+$", re.IGNORECASE)
_OUTSIDE = re.compile(r"\b(?:outside|out of)\s+(?:of\s+)?(?:the\s+)?(?:range\s+)?(?:of\s+)?$", re.IGNORECASE)
_EXAMPLE = re.compile(r"(?:\be\.g\.|\bfor example|\bsuch as),?\s+$", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)
_BAND = re.compile(
    r"\s*(?:[a-z]+\s+)?(?:range|band|window|zone|region|limits?|interval|tolerance)\b|\s*[.,;)]", re.IGNORECASE
)
_ACT = re.compile(r"(?:^|[.;!?(,]\s*|\b(?:and|then|or)\s+)[^\W\d_]+(?<!ing)\s+(?:(?:with|in|about|another|out)\s+)?$")
_COUNTED_IF = re.compile(r"\b(?:if|when|once)\b[^.;:,]*\b(?:is|are|has|have|reads?|shows?|between)\s+$", re.IGNORECASE)


def tolerances(text: str, column: LimitColumn, _: list[FoundRange]) -> Iterator[FoundRange]:
    """ "230 V ± 10 V", "400 V ± 10 %", "28 ± 1.5"."""
    for match in TOLERANCE.finditer(text):
        middle, spread = value_of(match["a"]), value_of(match["d"])
        own = (match["u"] or "").split(" per ")[0]
        unit = (unit_of(own) if own else None) or _unit(match, column.unit, "v") or ""
        if (match["v"] or "").strip() == "%" and own and unit != "%":
            spread = abs(middle) * spread / 100
        low, high = round(middle - spread, 9), round(middle + spread, 9)
        yield FoundRange(low, high, unit, "", match.start(), _end(match, unit))


def around(text: str, column: LimitColumn, _: list[FoundRange]) -> Iterator[FoundRange]:
    """ "within 0.5 Hz of 50 Hz", "24 V -5 %/+10 %"."""
    for match in AROUND.finditer(text):
        middle, spread, unit = value_of(match["a"]), value_of(match["d"]), unit_of(match["v"])
        if unit is None:
            continue
        spread = abs(middle) * spread / 100 if match["w"].strip() == "%" and unit != "%" else spread
        yield FoundRange(round(middle - spread, 9), round(middle + spread, 9), unit, "", match.start(), match.end())
    for match in UNEQUAL.finditer(text):
        ends = [value_of(match[name].replace(" ", "")) for name in ("first", "second")]
        unit = _unit(match, column.unit, "u", "v", "w")
        if unit is None or min(ends) > 0 or max(ends) < 0:
            continue
        middle, share = value_of(match["a"]), ((match["w"] or match["v"] or "").strip() == "%") is not (unit == "%")
        low, high = (middle + end * (abs(middle) / 100 if share else 1) for end in sorted(ends))
        yield FoundRange(round(low, 9), round(high, 9), unit, "", match.start(), match.end())


def spans(text: str, column: LimitColumn, _: list[FoundRange]) -> Iterator[FoundRange]:
    """ "between 2 and 3 bar", "16-20 °C", "0.8 V < Vref < 1.2 V"."""
    for pattern in (CHAIN, BETWEEN, SPAN):
        for match in pattern.finditer(text):
            unit = _unit(match, column.unit, "v", "u") or _symbol(text[match.end("b") :])
            low, high = value_of(match["a"]), value_of(match["b"])
            if low >= high or (unit is None and not _is_plain_span(text, match)):
                continue
            if is_numbered(text[: match.start()]) and match["v"] is None and not column.unit:
                continue
            groups, end = match.groupdict(), _end(match, unit)
            if _EXAMPLE.search(text[: match.start()]) or _is_thing(text[: match.start()], unit or "", text[end:]):
                continue
            yield FoundRange(
                low,
                high,
                unit or "",
                groups.get("name") or "",
                match.start(),
                end,
                low_inclusive=not groups.get("over"),
                high_inclusive=not groups.get("under"),
                relative=is_difference(text[end:], unit or "") or bool(_OUTSIDE.search(text[: match.start()])),
            )


def _is_plain_span(text: str, match: re.Match[str]) -> bool:
    """Whether a span without a unit is one of a quantity: the pH, a name between bounds, a stated ratio, a count."""
    if match.groupdict().get("name") or is_acidity(text, match.start()):
        return True
    before = text[: match.start()]
    stated = bool(_COUNTED_IF.search(before)) or (
        "." in match["a"] + match["b"] and bool(match.re is BETWEEN or _STATED.search(before))
    )
    return stated and governed_unit(text[match.end("b") :][:48]) is not None


def _is_thing(before: str, unit: str, after: str) -> bool:
    """Whether a span is the size of a thing ("the 3-5 mm drill") or the amount of an act ("rinse with 10 to 20 ml")."""
    if _ARTICLE.search(before) and not _BAND.match(after):
        return True
    amount = kind_of(unit) in ("volume", "mass") and _ACT.search(before)
    return bool(amount) and not CHECKS.search(before)


def variants(text: str, _: LimitColumn, found: list[FoundRange]) -> Iterator[FoundRange]:
    """ "below 380 L/min (PX-250: 210 L/min)": the same bound with another value."""
    for match in [*ALSO.finditer(text), *ALSO_FOR.finditer(text), *ALSO_OR.finditer(text)]:
        groups = match.groupdict()
        first = next((one for one in sorted(found, key=lambda one: -one.end) if one.end <= match.start() + 1), None)
        unit = unit_of(match["v"])
        if first is None or unit is None or text[first.end : match.start()].strip():
            continue
        value, last = value_of(match["a"]), groups.get("b")
        low = value if last or first.low is not None else None
        high = value_of(last) if last else (value if first.high is not None else None)
        if "first" in groups:
            found[found.index(first)] = replace(first, variant=(match["first"] or match["first2"]).strip())
        variant = (match["variant"] or groups.get("variant2") or "").strip()
        start = match.start("a") if "first" in groups else match.start()
        yield replace(first, low=low, high=high, unit=unit, start=start, end=match.end(), variant=variant)


def _unit(match: re.Match[str], fallback: str, *names: str) -> str | None:
    for name in names:
        words = match.groupdict().get(name)
        if words and (known := unit_of(words)) is not None:
            return known
    return fallback or None


def _symbol(after: str) -> str | None:
    """A unit that is not known, by the look of its symbol."""
    found = governed_unit(after[:48])
    return found[0] if found and found[0] else None


def _end(match: re.Match[str], unit: str | None) -> int:
    """The end of the range's words: what only looked like a unit is none of them."""
    words = match.groupdict().get("v")
    share = (words or "").strip() == "%"  # of a value in another unit: "400 V ± 10 %"
    return match.end() if words is None or share or unit_of(words) == unit else match.start("v")
