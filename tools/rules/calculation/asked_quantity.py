"""Finds the question of a text: the sentence that asks, and the requested unit."""

import re
from dataclasses import dataclass

from soprag.tools.text.sentences import WITH_COLONS, sentences
from soprag.tools.units.quantity import is_unit

QUESTION = re.compile(
    r"\b(?:what|which|how (?:much|many|long|large|big|high|fast|far|deep|heavy)|calculate|compute|determine|find"
    r"|estimate|convert|give|work out|after how (?:many|long))\b",
    re.IGNORECASE,
)
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
class AskedQuantity:
    """The question of a text."""

    sentence: str  # with quantities replaced by marks; the whole text where no sentence asks
    unit: str  # empty when none is requested


def question(text: str) -> AskedQuantity:
    """The last sentence of the marked text that asks for something, else the whole text."""
    parts = [sentence for line in text.split("\n") for sentence in sentences(line, WITH_COLONS)]
    asking = [sentence for sentence in parts if QUESTION.search(sentence)] or [
        sentence for sentence in parts if sentence.endswith("?")
    ]
    sentence = asking[-1] if asking else text
    return AskedQuantity(sentence, _unit(sentence))


def _unit(sentence: str) -> str:
    many = re.search(r"how (?:many|long in) (\w+)", sentence, re.IGNORECASE)
    if many and many.group(1).lower() in _WORD_UNITS:
        return _WORD_UNITS[many.group(1).lower()]
    for match in _UNIT.finditer(sentence):
        unit = match["unit"] or match["express"]
        if is_unit(unit):
            return unit
    begins = QUESTION.search(sentence)
    for match in _IN.finditer(sentence, begins.start() if begins else 0):
        unit = _WORD_UNITS.get(match["unit"].lower(), match["unit"].rstrip(".:"))
        if unit not in ("a", "A", "the") and is_unit(unit):
            return unit
    return ""
