"""Extracts the quantities of a text (value, unit, position) and replaces each by a numbered mark."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from soprag.tools.units.quantity import is_unit

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
    """a am an and are as at barn be by day do for from has he in is it no of on or pa per pm point so to turn us we
    with""".split()  # noqa: SIM905
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
class StatedQuantity:
    """A quantity as a text states it."""

    value: float
    unit: str
    start: int
    end: int
    unit_text: str  # the unit as written


def read(text: str) -> list[StatedQuantity]:
    """Every quantity of the text in order; numbers inside names such as R-134a or C_A0 are skipped."""
    return list(_read(text))


def _read(text: str) -> Iterator[StatedQuantity]:
    end = 0
    for number in NUMBER.finditer(text):
        if number.start() < end or _in_a_name(text, number.start()):
            continue
        unit, end = _unit_after(text, number.end())
        end = _reference(text, unit, end)
        yield StatedQuantity(_value(number), unit, number.start(), end, text[number.end() : end].strip())


def _reference(text: str, unit: str, end: int) -> int:
    """End of the unit, including the temperature of a liquid column as in `32.2 ft of water (4 °C)`."""
    column = re.search(r"water|H2O|H₂O|mercury|Hg", unit)
    temperature = re.compile(r"\s?\((?:at )?\d+ ?°[CF]\)").match(text, end) if column else None
    return temperature.end() if temperature else end


def _in_a_name(text: str, start: int) -> bool:
    """Whether the number is part of a name, as in R-134a, C_A0, or `Stream 2:`."""
    before = text[max(0, start - 14) : start]
    return bool(re.search(r"[A-Za-z][-_]$|_\{?$", before) or _NUMBERED.search(before))


def _value(number: re.Match[str]) -> float:
    integer = re.sub(r"[, ]", "", number["whole"])
    power = (number["power"] or "").replace("−", "-")
    digits = power[1:] if power[:1] in ("e", "E") else re.findall(r"[-+]?\d+", power)[-1] if power else "0"
    value = float(f"{integer}{number['part'] or ''}e{digits}")
    return -value if (number["sign"] or "").strip() in ("-", "−") else value


def _unit_after(text: str, start: int) -> tuple[str, int]:
    """The longest unit that follows and the index of its end."""
    match = UNIT.match(text, start)
    if not match:
        return "", start
    for stop in _stops(text, start, _longest(match)):
        unit = text[start:stop].strip()
        if unit and _is_said(unit, text[stop:]):
            return unit, stop
    return "", start


def _longest(match: re.Match[str]) -> int:
    """The end of the words that may belong to a unit: all up to the first that is a common word."""
    end = match.end("first")
    for word in re.finditer(r"\S+", match["second"] or ""):
        if word[0].lower() in _WORDS - {"per"}:
            break
        end = match.start("second") + word.end()
    return end


def _stops(text: str, start: int, stop: int) -> Iterator[int]:
    """Where the unit may end: at `stop`, else before the last bracket, full stop or word, and so on."""
    while stop > start:
        yield stop
        candidate = text[start:stop]
        space = candidate.rstrip().rfind(" ")
        if candidate.endswith((".", ")", "-", ",")):
            stop -= 1
        else:
            stop = start + space if space > 0 else start


def _is_said(unit: str, after: str) -> bool:
    if unit in _WORDS:
        return (unit == "in" and bool(_LENGTH_AFTER.match(after))) or unit == "Pa"
    if unit.count("(") != unit.count(")"):
        return False
    return is_unit(unit)


def marked(text: str, readings: list[StatedQuantity]) -> str:
    """The text with `«0»`, `«1»` ... in place of the quantities, spaces and dashes made plain."""
    parts, last = [], 0
    for index, reading in enumerate(readings):
        parts += [text[last : reading.start], MARK.format(index)]
        last = reading.end
    replaced = "".join([*parts, text[last:]])
    return re.sub(r"\s+", " ", replaced.replace("–", "-").replace("−", "-")).strip()
