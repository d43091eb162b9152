"""Binds the quantities of a text to the variables of a law, by the words around each and by dimension."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.math.laws import ApplyLaw, Law
from soprag.tools.math.tool import Named
from soprag.tools.rules.calculation.asked_quantity import AskedQuantity
from soprag.tools.rules.calculation.stated_quantities import StatedQuantity
from soprag.tools.units.quantity import parsed

_STEPS = {"degree_Celsius": "delta_degC", "degree_Fahrenheit": "delta_degF"}


@dataclass(frozen=True)
class TaskText:
    """A task with its quantities; those from index `stated_count` on come from earlier steps and need not be used."""

    marked: str
    readings: Sequence[StatedQuantity]
    stated_count: int
    question: AskedQuantity


def bind(law: Law, text: TaskText) -> ApplyLaw | None:
    """The call that solves the law for the unknown of the question, or None when the law does not apply."""
    if not all(re.search(pattern.replace("#", r"«\d+»"), text.marked, re.IGNORECASE) for pattern in law.about):
        return None
    if law.never and re.search(law.never.replace("#", r"«\d+»"), text.marked, re.IGNORECASE):
        return None
    unknown = _asked(law, text.question)
    if unknown is None:
        return None
    bound = _by_words(law, text, unknown)
    bound |= _by_dimension(law, text, unknown, bound)
    if set(range(text.stated_count)) - set(bound.values()):
        return None
    knowns = [_named(law, name, text.readings[index]) for name, index in bound.items()]
    return ApplyLaw(law=law.name, knowns=knowns, unknown=unknown, to=text.question.unit)


def _asked(law: Law, question: AskedQuantity) -> str | None:
    """The variable the question asks for; the longest match wins, then the order of the law."""
    candidates: list[tuple[int, str]] = []
    for name, slot in law.slots.items():
        match = re.search(slot.ask, question.sentence, re.IGNORECASE) if slot.ask else None
        if match and (not question.unit or _same(question.unit, slot.unit)):
            candidates.append((len(match.group(0)), name))
    return max(candidates, key=lambda candidate: candidate[0])[1] if candidates else None


def _by_words(law: Law, text: TaskText, unknown: str) -> dict[str, int]:
    bound: dict[str, int] = {}
    for name, slot in law.slots.items():
        if name == unknown:
            continue
        for pattern in (pattern for pattern in slot.read if pattern != "<>"):
            index = _match(pattern, text, slot.unit, set(bound.values()))
            if index is not None:
                bound[name] = index
                break
    return bound


def _match(pattern: str, text: TaskText, unit: str, taken: set[int]) -> int | None:
    written = pattern.replace("<>", r"«(\d+)»").replace("#", r"«\d+»")
    for match in re.finditer(written, text.marked, re.IGNORECASE):
        index = int(match.group(1))
        if index not in taken and _same(text.readings[index].unit, unit):
            return index
    return None


def _by_dimension(law: Law, text: TaskText, unknown: str, bound: dict[str, int]) -> dict[str, int]:
    """Bind each remaining quantity to the only free variable of its dimension; dimensionless numbers stay unbound."""
    assigned: dict[str, int] = {}
    free = [name for name, slot in law.slots.items() if name not in bound and name != unknown and "<>" in slot.read]
    for index in range(len(text.readings)):
        unit = text.readings[index].unit
        if index in bound.values() or not unit:
            continue
        fits = [name for name in free if name not in assigned and _same(unit, law.slots[name].unit)]
        if len(fits) == 1 and _only(text, index, bound, assigned):
            assigned[fits[0]] = index
    return assigned


def _only(text: TaskText, index: int, bound: dict[str, int], assigned: dict[str, int]) -> bool:
    """Whether no other unbound quantity has this dimension, so that the binding is unambiguous."""
    unit = text.readings[index].unit
    rest = set(range(text.stated_count)) - set(bound.values()) - set(assigned.values()) - {index}
    return not any(_same(text.readings[candidate].unit, unit) for candidate in rest if text.readings[candidate].unit)


def _same(unit_a: str, unit_b: str) -> bool:
    return bool(parsed(unit_a).dimensionality == parsed(unit_b).dimensionality)


def _named(law: Law, name: str, reading: StatedQuantity) -> Named:
    """The named quantity; where the variable is a temperature difference, a degree is read as a difference."""
    unit = str(parsed(reading.unit))
    if law.slots[name].unit.startswith("delta_") and unit in _STEPS:
        return Named(name=name, value=reading.value, unit=_STEPS[unit])
    return Named(name=name, value=reading.value, unit=reading.unit)
