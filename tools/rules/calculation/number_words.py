"""Numbers that a task writes in words: quantities that no rule uses, unless they count what is stated one by one."""

import re

from soprag.tools.rules.calculation.variable_binding import TaskText
from soprag.tools.units.quantity import same_dimension

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER_WORD = re.compile(
    r"\b(?:twice|thrice|double(?!-)|dozen|pair of|"
    r"(?:(?P<number>two|three|four|five|six|seven|eight|nine|ten)|twelve|twenty)"
    r"(?![ -]?(?:phase|way|pole|temperature|state|side|end|of\b|significant|decimal|stage)))\b",
    re.IGNORECASE,
)
_SHARED = re.compile(r"\b(?:each|every|both|per|apiece)\b", re.IGNORECASE)


def unused_number(text: TaskText) -> bool:
    """Whether a number in words takes part in the calculation.

    "Two streams: 2 kg/s with 80 °C and 3 kg/s with 20 °C" only counts what follows: two quantities of one dimension.
    """
    return any(not _counts(found["number"], text) for found in _NUMBER_WORD.finditer(text.marked))


def _counts(word: str | None, text: TaskText) -> bool:
    if word is None or _SHARED.search(text.marked):
        return False
    units = [reading.unit for reading in text.readings[: text.stated_count] if reading.unit]
    count = _NUMBERS.index(word.lower()) + 2
    return any(sum(same_dimension(unit, other) for other in units) == count for unit in units)
