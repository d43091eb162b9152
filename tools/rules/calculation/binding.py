"""Which quantity of a text is which quantity of a law, by what the text says around it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.math.laws import ApplyLaw, Law
from tools.math.tool import Named
from tools.math.units import parsed
from tools.rules.calculation.asked import Asked
from tools.rules.calculation.reading import Reading

_STEPS = {"degree_Celsius": "delta_degC", "degree_Fahrenheit": "delta_degF"}


@dataclass(frozen=True)
class Text:
    """A task with its quantities; those from `given` on come from earlier steps and need not be used."""

    marked: str
    readings: Sequence[Reading]
    given: int
    asked: Asked


def bind(law: Law, text: Text) -> ApplyLaw | None:
    """The call that solves the law for what the text asks, or None when the text is not about it."""
    if not all(re.search(one.replace("#", r"«\d+»"), text.marked, re.IGNORECASE) for one in law.about):
        return None
    if law.never and re.search(law.never.replace("#", r"«\d+»"), text.marked, re.IGNORECASE):
        return None
    unknown = _asked(law, text.asked)
    if unknown is None:
        return None
    bound = _by_words(law, text, unknown)
    bound |= _by_dimension(law, text, unknown, bound)
    if set(range(text.given)) - set(bound.values()):
        return None
    knowns = [_named(law, name, text.readings[place]) for name, place in bound.items()]
    return ApplyLaw(law=law.name, knowns=knowns, unknown=unknown, to=text.asked.unit)


def _asked(law: Law, asked: Asked) -> str | None:
    """The quantity of the law that the question names; the longest words win, then the order of the law."""
    found: list[tuple[int, str]] = []
    for name, slot in law.slots.items():
        match = re.search(slot.ask, asked.sentence, re.IGNORECASE) if slot.ask else None
        if match and (not asked.unit or _same(asked.unit, slot.unit)):
            found.append((len(match.group(0)), name))
    return max(found, key=lambda one: one[0])[1] if found else None


def _by_words(law: Law, text: Text, unknown: str) -> dict[str, int]:
    bound: dict[str, int] = {}
    for name, slot in law.slots.items():
        if name == unknown:
            continue
        for pattern in (one for one in slot.read if one != "<>"):
            place = _match(pattern, text, slot.unit, set(bound.values()))
            if place is not None:
                bound[name] = place
                break
    return bound


def _match(pattern: str, text: Text, unit: str, taken: set[int]) -> int | None:
    written = pattern.replace("<>", r"«(\d+)»").replace("#", r"«\d+»")
    for found in re.finditer(written, text.marked, re.IGNORECASE):
        place = int(found.group(1))
        if place not in taken and _same(text.readings[place].unit, unit):
            return place
    return None


def _by_dimension(law: Law, text: Text, unknown: str, bound: dict[str, int]) -> dict[str, int]:
    """A quantity left over goes to the only free slot of its dimension; never a plain number."""
    made: dict[str, int] = {}
    free = [name for name, slot in law.slots.items() if name not in bound and name != unknown and "<>" in slot.read]
    for place in range(len(text.readings)):
        unit = text.readings[place].unit
        if place in bound.values() or not unit:
            continue
        fits = [name for name in free if name not in made and _same(unit, law.slots[name].unit)]
        if len(fits) == 1 and _only(text, place, bound, made):
            made[fits[0]] = place
    return made


def _only(text: Text, place: int, bound: dict[str, int], made: dict[str, int]) -> bool:
    """Whether no other quantity of this dimension is still without a place, so that there is nothing to confuse."""
    unit = text.readings[place].unit
    rest = set(range(text.given)) - set(bound.values()) - set(made.values()) - {place}
    return not any(_same(text.readings[other].unit, unit) for other in rest if text.readings[other].unit)


def _same(one: str, other: str) -> bool:
    return bool(parsed(one).dimensionality == parsed(other).dimensionality)


def _named(law: Law, name: str, reading: Reading) -> Named:
    """The quantity of the slot; where the slot is a difference of temperatures, a degree is a step and no point."""
    unit = str(parsed(reading.unit))
    if law.slots[name].unit.startswith("delta_") and unit in _STEPS:
        return Named(name=name, value=reading.value, unit=_STEPS[unit])
    return Named(name=name, value=reading.value, unit=reading.unit)
