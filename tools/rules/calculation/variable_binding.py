"""Binds the quantities of a text to the variables of a law, by the words around each and by dimension."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.math.laws import ApplyLaw, Law
from soprag.tools.math.tool import Named
from soprag.tools.rules.calculation.asked_quantity import AskedQuantity, measured
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
    # The question also says in terms what it asks in everyday words, and a unit says what it measures.
    names = measured(reading.unit for reading in text.readings)
    topic = " ".join([text.marked, text.question.sentence, *names])
    if not all(re.search(pattern.replace("#", r"«\d+»"), topic, re.IGNORECASE) for pattern in law.about):
        return None
    if law.never and re.search(law.never.replace("#", r"«\d+»"), text.marked, re.IGNORECASE):
        return None
    unknown = _asked(law, text.question)
    if unknown is None:
        return None
    bound = _by_words(law, text, unknown)
    bound |= _by_order(law, text, bound)
    bound |= _by_dimension(law, text, unknown, bound)
    if set(range(text.stated_count)) - set(bound.values()):
        return None
    knowns = [_named(law, name, text.readings[index]) for name, index in bound.items()]
    return ApplyLaw(law=law.name, knowns=knowns, unknown=unknown, to=text.question.unit)


def _asked(law: Law, question: AskedQuantity) -> str | None:
    """The variable the question asks for: named first after the asking words; the longest of several names there.

    What is named later is mostly given ("what power at an efficiency of 70 %"). Without asking words the longest wins.
    """
    candidates: list[tuple[int, int, str]] = []
    for name, slot in law.slots.items():
        if question.unit and not _same(question.unit, slot.unit):
            continue
        for match in re.finditer(slot.ask, question.sentence, re.IGNORECASE) if slot.ask else ():
            behind = match.end() <= question.start
            candidates.append(
                (len(question.sentence) if behind else _rank(match, question), -len(match.group(0)), name)
            )
    return min(candidates, key=lambda candidate: candidate[:2])[2] if candidates else None


def _rank(match: re.Match[str], question: AskedQuantity) -> int:
    """Where the quantity is named; "how much" names none, and counts only when nothing else is asked."""
    if question.start < 0:
        return 0
    return len(question.sentence) if match.group(0).lower() in ("how much", "how many") else match.start()


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


def _by_order(law: Law, text: TaskText, bound: dict[str, int]) -> dict[str, int]:
    """Bind the streams that a text lists: its first free quantity of a dimension to the first stream, and so on."""
    assigned: dict[str, int] = {}
    for unit in {slot.unit for name, slot in law.slots.items() if slot.order and name not in bound}:
        names = [name for name, slot in law.slots.items() if slot.order and slot.unit == unit and name not in bound]
        free = [index for index in range(len(text.readings)) if index not in bound.values()]
        free = [index for index in free if text.readings[index].unit and _same(text.readings[index].unit, unit)]
        if len(free) == len(names):
            assigned |= dict(zip(sorted(names, key=lambda name: law.slots[name].order), free, strict=True))
    return assigned


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
