"""Quantities of a sentence against those of the cited text: the same value in a convertible unit, on the same side."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from soprag.tools.support.tokens import CODE
from soprag.tools.units import quantity as pint_units
from soprag.tools.units import reading
from soprag.tools.units.numerals import value_of
from soprag.tools.units.reading import NUMBER, UNIT

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_WORDS = {word: value for value, word in enumerate(_ONES.split())}
_WORDS |= {"twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90}
_WRITTEN = re.compile(rf"\b(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b", re.IGNORECASE)
_COUNTED = 3  # "one" and "two" are often no numbers
_PER = re.compile(r"\s+per\s+(second|minute|hour)s?\b", re.IGNORECASE)
_MEASURE = re.compile(rf"(?P<number>{NUMBER})(?:\s?(?P<unit>{UNIT}))?")
_JOINT = re.compile(r"^\s*(?:to|and|or|through|-|–|—|±|,|/)\s*$|^\s*(?:°\s*)?(?:to|-|–)\s*$")
_OVER = re.compile(
    r"(?:>|≥|\b(?:above|over|more than|greater than|higher than|exceed(?:s|ed|ing)?|at least|minimum(?: of)?|"
    r"from|deeper than|longer than|or more|not under))\s*(?:a|an|the|about)?\s*$",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?:<|≤|\b(?:below|under|less than|lower than|fewer than|at most|maximum(?: of)?|up to|within|"
    r"shorter than|faster than))\s*(?:a|an|the|about)?\s*$",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|no|never|cannot|nor)\b(?:\s+\w+){0,3}\s*$|n['’]t\b(?:\s+\w+){0,3}\s*$", re.IGNORECASE)
_FAR_NOT = re.compile(r"\b(?:not|no|never|cannot)\b|n['’]t\b", re.IGNORECASE)  # what it denies cannot be told
_DENIED = re.compile(
    r"\s*(?:of\s+\w+\s+)?(?:may|must|can|shall|should|is|are|will)(?:\s*not|n['’]t|\s+never)\b", re.IGNORECASE
)
_TURNED = re.compile(r"\b(?:otherwise|or else|if not|unless)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Measure:
    """A number with its unit (empty: none) and its side: 1 above the number, -1 below it, 0 neither."""

    value: float
    unit: str
    side: int
    written: str


def missing_quantity(sentence: str, cited: str, question: str = "") -> str:
    """The first quantity of the sentence that neither the cited text nor the question has; empty when there is none."""
    stated = list(measures(cited, words=True))
    asked = list(measures(question, words=True))
    turned = bool(_TURNED.search(cited) or _TURNED.search(sentence))
    for measure in measures(sentence):
        same = [other for other in stated if _same(measure, other)]
        if not same and not any(_same(measure, other) for other in asked):
            return measure.written
        sides = {other.side for other in same}
        if measure.side and same and sides == {-measure.side} and not turned:
            return f"{'above' if measure.side > 0 else 'below'} {measure.written}"
    return ""


def measures(text: str, *, words: bool = False) -> Iterator[Measure]:
    """The quantities of a text; with `words` also "one" and "two" without a unit."""
    text = _PER.sub(lambda match: f"/{ {'second': 's', 'minute': 'min', 'hour': 'h'}[match[1].lower()] }", text)
    text = CODE.sub(lambda match: "x" * len(match[0]), text)
    spoken = {match.start() for match in _WRITTEN.finditer(text) if _WORDS[match[0].lower()] < _COUNTED}
    found = list(_MEASURE.finditer(_WRITTEN.sub(lambda m: str(_WORDS[m[0].lower()]).ljust(len(m[0])), text)))
    units = [_unit(match["unit"]) for match in found]
    for place in range(len(found) - 2, -1, -1):
        if not units[place] and _JOINT.match(text[found[place].end("number") : found[place + 1].start()]):
            units[place] = units[place + 1]
    for match, unit in zip(found, units, strict=True):
        if words or unit or match.start("number") not in spoken:
            written = text[match.start() : match.end("number")] + (f" {unit}" if unit else "")
            side = _side(text[: match.start()], text[match.end() :])
            yield Measure(value_of(match["number"]), unit, side, written)


def _side(before: str, after: str) -> int:
    clause = re.split(r"[.;:|]\s", before)[-1]
    for pattern, side in ((_OVER, 1), (_UNDER, -1)):
        match = pattern.search(clause)
        if match:
            if _NOT.search(clause[: match.start()]) or _DENIED.match(after):  # "more than 5 L may not be added"
                return -side
            return 0 if _FAR_NOT.search(clause[: match.start()]) else side
    return 0


def _same(measure: Measure, other: Measure) -> bool:
    if not measure.unit or not other.unit:
        return math.isclose(measure.value, other.value, rel_tol=1e-6)
    converted = _converted(other.value, other.unit, measure.unit)
    return converted is not None and math.isclose(measure.value, converted, rel_tol=1e-3)


@cache
def _unit(written: str | None) -> str:
    """The unit as it is converted; empty when the word after the number is none."""
    if not written:
        return ""
    if reading.known(written):
        return written
    return written if "/" in written and pint_units.is_unit(written) else ""


@cache
def _converted(value: float, unit: str, target: str) -> float | None:
    from soprag.tools.units.quantity import Quantity, UnitFault

    if reading.known(unit) and reading.known(target):
        return reading.convert(Quantity(value=value, unit=unit), target)
    try:
        return pint_units.convert(value, unit, target)
    except UnitFault:
        return None
