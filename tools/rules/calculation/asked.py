"""What a text asks for: the sentence, and the unit it is wanted in."""

import re
from dataclasses import dataclass

from tools.math.units import is_unit

QUESTION = re.compile(
    r"\b(?:what|which|how (?:much|many|long|large|big|high|fast|far|deep|heavy)|calculate|compute|determine|find"
    r"|estimate|convert|give|work out|after how (?:many|long))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.?!:;])\s+(?=[A-Z(])|\n+")
_IN = re.compile(r"\(?\b(?:in|as)\s+(?P<unit>[^\s,;?()]+(?:\([^)]*\))?[^\s,;?()]*(?: (?:of water|H2O|per \w+))?)")
_UNIT = re.compile(
    r"\((?:unit|in):?\s*(?P<unit>[^)]+?)\)|\bexpress (?:it|the answer|your answer) in (?P<express>\w[^\s.,]*)",
    re.IGNORECASE,
)
_WORD_UNITS = {
    "minutes": "min", "seconds": "s", "hours": "h", "days": "day", "metres": "m", "meters": "m", "litres": "L",
    "liters": "L", "kilograms": "kg", "pounds": "lb", "kelvin": "K", "percent": "%", "volts": "V", "amperes": "A",
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """The question of a text."""

    sentence: str  # marked, with the words before it when it has none of its own
    unit: str  # empty when none is named


def question(text: str) -> Asked:
    """The last sentence of the marked text that asks for something, else the whole text."""
    sentences = [one for one in _SENTENCE.split(text) if one.strip()]
    asking = [one for one in sentences if QUESTION.search(one)] or [one for one in sentences if one.endswith("?")]
    sentence = asking[-1] if asking else text
    return Asked(sentence, _unit(sentence))


def _unit(sentence: str) -> str:
    many = re.search(r"how (?:many|long in) (\w+)", sentence, re.IGNORECASE)
    if many and many.group(1).lower() in _WORD_UNITS:
        return _WORD_UNITS[many.group(1).lower()]
    for found in _UNIT.finditer(sentence):
        unit = found["unit"] or found["express"]
        if is_unit(unit):
            return unit
    begins = QUESTION.search(sentence)
    for found in _IN.finditer(sentence, begins.start() if begins else 0):
        unit = _WORD_UNITS.get(found["unit"].lower(), found["unit"].rstrip(".:"))
        if unit not in ("a", "A", "the") and is_unit(unit):
            return unit
    return ""
