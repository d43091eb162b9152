"""Plausibility checks of stored results: physically possible values, and the dimension that the sub-task asks for.

They detect wrong earlier values that raised no error, as in the worked example of PEOA, where an amount in pounds was
taken for moles.
"""

import math
import re
from collections.abc import Iterator

from pydantic import JsonValue, ValidationError

from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.units.quantity import Quantity, UnitFault, is_temperature, is_unit, same_dimension, si

# What a sub-task asks for, and a unit of the dimension it must have. The noun stands at the head of what is asked.
_KINDS = {
    "pressure": "pascal",
    "absolute temperature": "kelvin",
    "temperature": "kelvin",
    "volume flow": "m^3/s",
    "volumetric flow": "m^3/s",
    "mass flow": "kg/s",
    "molar flow": "mol/s",
    "volume": "m^3",
    "density": "kg/m^3",
    "moles": "mol",
    "amount of substance": "mol",
    "mass": "kg",
    "power": "watt",
    "energy": "joule",
    "velocity": "m/s",
    "area": "m^2",
    "diameter": "m",
    "molar mass": "kg/mol",
    "viscosity": "pascal*second",
}
_NAMES = "|".join(sorted(map(re.escape, _KINDS), key=len, reverse=True))
_HEAD = re.compile(
    rf"\b(?:calculate|compute|find|determine|convert|evaluate) (?:the )?(?:total |gauge )?({_NAMES})\b"
    r"(?! (?:drop|ratio|per|change|difference))",
    re.IGNORECASE,
)
_INTO = re.compile(r"\b(?:in|to|into) (\S+?)[.?]?$")
_POSITIVE = ("kg", "m^3", "kg/m^3", "mol", "kg/mol", "m^2")  # dimensions that cannot be negative


def review(event: StepRecord) -> StepFailure | None:
    """The first problem of the quantities in a result; None when there is none, or no quantity."""
    for quantity in quantities(event.output):
        try:
            failure = _impossible(quantity) or _other_kind(quantity, event)
        except UnitFault as error:
            return error.failure
        if failure is not None:
            return failure
    return None


def quantities(output: JsonValue) -> Iterator[Quantity]:
    """The quantity of a result."""
    if isinstance(output, dict) and {"value", "unit"} <= set(output):
        try:
            yield Quantity.model_validate({"value": output["value"], "unit": output["unit"]})
        except ValidationError:
            return


def _impossible(quantity: Quantity) -> StepFailure | None:
    text = quantity.words()
    if not math.isfinite(quantity.value):
        return StepFailure(kind="range", message=f"{text} is no number.")
    if is_temperature(quantity.unit) and "delta" not in quantity.unit and si(quantity) < 0:
        return StepFailure(kind="range", message=f"{text} is below absolute zero.")
    if quantity.value < 0 and any(same_dimension(quantity.unit, unit) for unit in _POSITIVE):
        return StepFailure(kind="range", message=f"{text} is less than nothing.")
    return None


def _other_kind(quantity: Quantity, event: StepRecord) -> StepFailure | None:
    """A failure when the result has another dimension than the quantity or unit named by the sub-task."""
    unit = event.arguments.get("unit")
    expected = unit if isinstance(unit, str) and unit else _asked(event.task)
    if not expected or same_dimension(quantity.unit, expected):
        return None
    message = f"{event.task!r} asks for something in {expected}, and the result is {quantity.words()}."
    return StepFailure(kind="dimension", message=message)


def _asked(task: str) -> str:
    """A unit that the sub-task asks for: the one it ends with, or one of the kind of quantity; empty when neither."""
    into, kind = _INTO.search(task.strip()), _HEAD.search(task)
    if into and is_unit(into[1]):
        return into[1]
    return _KINDS[kind[1].lower()] if kind else ""
