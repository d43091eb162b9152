"""Finds the question of a text: the sentence that asks, and the requested unit."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from soprag.tools.text.sentences import WITH_COLONS, sentences
from soprag.tools.units.quantity import is_unit, same_dimension

QUESTION = re.compile(
    r"\b(?:what|which|how (?:much|many|long|large|big|high|fast|far|deep|heavy)|calculate|compute|determine|find"
    r"|estimate|convert|give|tell|express|work out|after how (?:many|long)|for how long|at what)\b",
    re.IGNORECASE,
)
_IN = re.compile(r"\(?\b(?:in|as)\s+(?P<unit>[^\s,;?()]+(?:\([^)]*\))?[^\s,;?()]*(?: (?:of water|H2O|per \w+))?)")
_UNIT = re.compile(
    r"\((?:unit|in):?\s*(?P<unit>[^)]+?)\)|\bexpress (?:it|the answer|your answer) in (?P<express>\w[^\s.,]*)",
    re.IGNORECASE,
)
_MANY = re.compile(r"\bhow many (?P<unit>[A-Za-zµΩ°][^\s,;?]*)", re.IGNORECASE)
_NOT_UNITS = frozenset(("grade", "degree", "degrees", "turn", "turns", "point", "points", "times", "count", "counts"))
_WORD_UNITS = {
    "minutes": "min", "seconds": "s", "hours": "h", "days": "day", "metres": "m", "meters": "m", "litres": "L",
    "liters": "L", "kilograms": "kg", "pounds": "lb", "kelvin": "K", "percent": "%", "volts": "V", "amperes": "A",
}  # fmt: skip
# Everyday words for the quantity that is asked for, in the terms of the laws.
_EVERYDAY: tuple[tuple[str, str], ...] = (
    (r"how (?:big|large)|(?:what|which) size|how much (?:room|space)", "volume"),
    (r"how heavy|how many (?:kilos|kilograms?|kg|tonnes?|pounds)|what does .{1,40} weigh", "mass"),
    (r"how (?:hot|cold|warm)|(?:what|which) .{0,20}degrees", "temperature"),
    (r"how fast|speed", "velocity"),
    (r"how long|after how many|(?:when|until) .{0,30}\b(?:full|empty)", "time"),
    (r"how many (?:kilowatts|watts|kW|W|MW|hp|horsepower)\b", "power"),
    (r"how many amp\w*|amperage", "current"),
    (r"how many volts", "voltage"),
    (r"how much (?:energy|heat)", "heat"),
    (r"\w*bore", "diameter"),
)
# The quantity that a unit measures, by a unit of its dimension.
_MEASURED = {
    "Pa": "pressure", "m^3/s": "flow", "kg/s": "mass flow", "m/s": "velocity", "W": "power", "ohm": "resistance",
    "V": "voltage", "A": "current", "s": "time", "mol": "amount",
}  # fmt: skip


@dataclass(frozen=True)
class AskedQuantity:
    """The question of a text."""

    sentence: str  # with quantities replaced by marks; the whole text where no sentence asks
    unit: str  # empty when none is requested
    start: int = -1  # of the asking words in the sentence; -1 when there are none


def question(text: str) -> AskedQuantity:
    """The last sentence of the marked text that asks for something, else the whole text."""
    parts = [sentence for line in text.split("\n") for sentence in sentences(line, WITH_COLONS)]
    asking = [sentence for sentence in parts if QUESTION.search(sentence)] or [
        sentence for sentence in parts if sentence.endswith("?")
    ]
    sentence = asking[-1] if asking else text
    words = QUESTION.search(sentence)
    unit = _unit(sentence)
    terms = [*_in_terms(sentence), *measured([unit])]
    return AskedQuantity(" ".join([sentence, *terms]), unit, words.start() if words else -1)


def measured(units: Iterable[str]) -> list[str]:
    """The names of the quantities that `units` measure: pressure for "psi"; lengths and masses have too many names."""
    stated = [unit for unit in units if unit]
    return [name for unit, name in _MEASURED.items() if any(same_dimension(unit, other) for other in stated)]


def _in_terms(sentence: str) -> list[str]:
    """The terms of the everyday words in `sentence`: volume for "how big"."""
    return [term for pattern, term in _EVERYDAY if re.search(rf"\b(?:{pattern})", sentence, re.IGNORECASE)]


def _unit(sentence: str) -> str:
    many = re.search(r"how (?:many|long in) (\w+)", sentence, re.IGNORECASE)
    if many and many.group(1).lower() in _WORD_UNITS:
        return _WORD_UNITS[many.group(1).lower()]
    written = _MANY.search(sentence)
    if written and written["unit"] not in _NOT_UNITS and is_unit(written["unit"]):
        return written["unit"]
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
