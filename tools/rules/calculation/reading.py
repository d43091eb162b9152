"""Which quantities a text states: number, unit, and where; the text again with a mark in place of each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.math.units import is_unit

NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−+]\s?)?(?P<whole>\d{1,3}(?:[, ]\d{3})+(?!\d)|\d+)(?P<part>\.\d+)?"
    r"(?P<power>[eE][-+]?\d+|\s?[×x·*]\s?10\s?\^?\s?[{(]?[-−+]?\d+[)}]?)?(?![\w]*_)"
)
_TOKEN = r"(?:1/)?[A-Za-zµμΩ°º℃%$€](?:[\w²³⁻¹⁴/·⋅*^()°µμ%.-]*[\w²³⁴¹)%])?"
_TAIL = (
    r"(?: (?:of )?(?:water|H2O|H₂O|mercury|Hg)\b|(?:(?<=bar)|(?<=psi)|(?<=kPa)) ?\(?(?:abs(?:olute)?|a|g|gauge)\b\)?)?"
)
UNIT = re.compile(rf"\s?(?P<first>{_TOKEN}{_TAIL})(?P<second> (?:per )?{_TOKEN}(?: \d?{_TOKEN})?)?")
# Words that are units to pint, but no units in a sentence.
_WORDS = frozenset(
    {"a", "an", "and", "are", "as", "at", "barn", "be", "by", "day", "do", "for", "from", "has", "he", "in", "is", "it"}
    | {"no", "of", "on", "or", "pa", "per", "point", "so", "to", "turn", "us", "we", "with"}
)
_LENGTH_AFTER = re.compile(
    r"\s*(?:[.,;)]|$|pipe|line|diameter|nominal|schedule|carries|and|with|ID\b|OD\b|long|deep|high|wide|thick)"
)
_NUMBERED = re.compile(
    r"\b(?:stream|state|tank|pump|unit|station|zone|rack|step|case|reactor|vessel|chiller|line|train|stage|type) $",
    re.IGNORECASE,
)
MARK = "«{}»"


@dataclass(frozen=True)
class Reading:
    """A quantity as a text states it."""

    value: float
    unit: str
    start: int
    end: int
    said: str  # the unit as written


def read(text: str) -> list[Reading]:
    """Every quantity of the text, in its order; numbers inside names such as R-134a or C_A0 are none."""
    return list(_read(text))


def _read(text: str) -> Iterator[Reading]:
    end = 0
    for found in NUMBER.finditer(text):
        if found.start() < end or _in_a_name(text, found.start()):
            continue
        unit, end = _unit_after(text, found.end())
        end = _reference(text, unit, end)
        yield Reading(_value(found), unit, found.start(), end, text[found.end() : end].strip())


def _reference(text: str, unit: str, end: int) -> int:
    """Past the temperature of a column of liquid, as in `32.2 ft of water (4 °C)`: it belongs to the unit."""
    column = re.search(r"water|H2O|H₂O|mercury|Hg", unit)
    found = re.compile(r"\s?\((?:at )?\d+ ?°[CF]\)").match(text, end) if column else None
    return found.end() if found else end


def _in_a_name(text: str, start: int) -> bool:
    """Whether the number is part of a name, as in R-134a, C_A0, or `Stream 2:`."""
    before = text[max(0, start - 14) : start]
    return bool(re.search(r"[A-Za-z][-_]$|_\{?$", before) or _NUMBERED.search(before))


def _value(found: re.Match[str]) -> float:
    whole = re.sub(r"[, ]", "", found["whole"])
    power = (found["power"] or "").replace("−", "-")
    digits = power[1:] if power[:1] in ("e", "E") else re.findall(r"[-+]?\d+", power)[-1] if power else "0"
    value = float(f"{whole}{found['part'] or ''}e{digits}")
    return -value if (found["sign"] or "").strip() in ("-", "−") else value


def _unit_after(text: str, start: int) -> tuple[str, int]:
    """The longest unit that follows, and where it ends."""
    found = UNIT.match(text, start)
    if not found:
        return "", start
    second = found["second"] or ""
    whole = second and not _WORDS & set(second.lower().split())
    for stop in _stops(text, start, found.end("second") if whole else found.end("first")):
        said = text[start:stop].strip()
        if said and _is_said(said, text[stop:]):
            return said, stop
    return "", start


def _stops(text: str, start: int, stop: int) -> Iterator[int]:
    """Where the unit may end: at `stop`, else before the last bracket, full stop or word, and so on."""
    while stop > start:
        yield stop
        said = text[start:stop]
        space = said.rstrip().rfind(" ")
        if said.endswith((".", ")", "-", ",")):
            stop -= 1
        else:
            stop = start + space if space > 0 else start


def _is_said(said: str, after: str) -> bool:
    if said in _WORDS:
        return (said == "in" and bool(_LENGTH_AFTER.match(after))) or said == "Pa"
    if said.count("(") != said.count(")"):
        return False
    return is_unit(said)


def marked(text: str, readings: list[Reading]) -> str:
    """The text with `«0»`, `«1»` ... in place of the quantities, spaces and dashes made plain."""
    parts, last = [], 0
    for place, one in enumerate(readings):
        parts += [text[last : one.start], MARK.format(place)]
        last = one.end
    whole = "".join([*parts, text[last:]])
    return re.sub(r"\s+", " ", whole.replace("–", "-").replace("−", "-")).strip()
