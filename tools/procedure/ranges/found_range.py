"""A range as a text states it."""

from dataclasses import dataclass
from typing import NamedTuple


class LimitColumn(NamedTuple):
    """What the place of a text tells of its ranges where they do not: the unit and the quantity of a table's row."""

    unit: str = ""
    quantity: str = ""


@dataclass(frozen=True)
class FoundRange:
    """A stated range: bounds (None for open), unit, and the words `start` to `end` of the text that state it."""

    low: float | None
    high: float | None
    unit: str
    quantity: str
    start: int
    end: int
    low_inclusive: bool = True
    high_inclusive: bool = True
    negated: bool = False
    conditional: bool = False
    variant: str = ""
    after: str = ""  # the words behind it
    within: str = ""  # the words between a negation and the comparison
    relative: bool = False  # a change, a rate or a difference to something: no reading lies inside or outside

    @property
    def inclusive(self) -> bool:
        """Whether the stated bounds belong to the range."""
        return (self.low is None or self.low_inclusive) and (self.high is None or self.high_inclusive)
