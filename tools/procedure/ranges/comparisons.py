"""Conditions that compare a quantity, such as `the pressure is below 4 bar`, and can be decided by a reading."""

import re
from dataclasses import dataclass

from soprag.tools.procedure.ranges.reading_range import Range, stated
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import kind_of

_JOINED = re.compile(r"\b(?:and|or)\b|[,;]", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|no longer|never|isn't|doesn't|unless)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
# Words that do not identify the measured quantity.
_IDLE = frozenset(
    ("the", "and", "that", "this", "its", "are", "was", "has", "have", "been", "than", "then", "still", "any", "either",
     "reading", "reads", "shows", "value", "measured", "read", "check", "record", "measure", "note", "verify",
     "confirm", "see", "should", "must", "level", "rises", "falls", "drops", "stays", "remains")
)  # fmt: skip


class GivenReading(Frozen):
    """A value measured at a step by an operator or a tool."""

    node: str
    quantity: Quantity
    about: str = ""  # text of the step, to distinguish a temperature of the oil from one of the air
    source: str = "operator"


@dataclass(frozen=True)
class Comparison:
    """A condition on one quantity; `subject` is the phrase that names the quantity."""

    subject: str
    limits: Range

    def decide(self, readings: tuple[GivenReading, ...], node: str) -> tuple[bool, GivenReading] | None:
        """Whether it holds for the latest matching reading, with that reading; None when no reading matches."""
        for reading in reversed(readings):
            if reading.node == node or _same(self.subject, reading.about):
                holds = self.limits.holds(reading.quantity) if _comparable(reading, self.limits) else None
                if holds is not None:
                    return holds, reading
        return None


def comparison(condition: str) -> Comparison | None:
    """`condition` as a comparison; None when a reading alone cannot decide it."""
    ranges = stated(condition)
    if len(ranges) != 1 or _NEGATED.search(condition):
        return None
    limits = ranges[0]
    start = " ".join(condition.split()).find(limits.phrase)
    flat = " ".join(condition.split())
    around = flat[:start] + flat[start + len(limits.phrase) :]
    if start < 0 or kind_of(limits.unit) == "time" or _JOINED.search(around):
        return None
    return Comparison(flat[:start].strip(), limits)


def compares(condition: str, value: Quantity) -> bool:
    """Whether a value with a unit decides a condition."""
    compared = comparison(condition)
    return bool(compared and value.unit and compared.limits.holds(value) is not None)


def _comparable(reading: GivenReading, limits: Range) -> bool:
    """Whether the units allow a comparison: the reading has a unit, or the limits have none."""
    return bool(reading.quantity.unit) or not limits.unit


def _same(subject: str, about: str) -> bool:
    """Whether two texts name the same quantity: every content word of the condition occurs in the step."""
    names = {word.lower() for word in _WORD.findall(subject)} - _IDLE
    return bool(names) and names <= {word.lower() for word in _WORD.findall(about)}
