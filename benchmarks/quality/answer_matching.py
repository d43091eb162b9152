"""Normalises names of quantities: `h_1`, `h1` and `h₁` are equal, and so are `T_sat_C`, `T_sat` and `temperature`."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from soprag.tools.units.quantity import Quantity

# A trailing unit, as data sets write it into the name of a value.
_UNIT = re.compile(r"_(?:kJ_kgK|kJ_kg|m3_kg|kg_m3|kPa|MPa|bar|C|K|kW)$")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_GREEK = {"η": "eta", "ρ": "rho", "ε": "eps", "μ": "mu", "γ": "gamma", "Δ": "d"}
# What a look-up calls a property, and the letter a text uses for it.
_LETTERS = {
    "enthalpy": "h",
    "entropy": "s",
    "specificvolume": "v",
    "internalenergy": "u",
    "density": "rho",
    "temperature": "t",
    "pressure": "p",
}


def symbol(name: str) -> str:
    """The plain form of a name: no unit, no marks, no phase; letters for properties."""
    text = _UNIT.sub("", name).translate(_SUBSCRIPTS)
    for greek, latin in _GREEK.items():
        text = text.replace(greek, latin)
    text = re.sub(r"_(?:sat|f|g)$|_(?:sat|f|g)(?=_)", "", text)
    text = re.sub(r"[^a-z0-9]", "", text.lower()).replace("dot", "")
    return _LETTERS.get(text, text)


def symbols(output: JsonValue) -> dict[str, Quantity]:
    """Every value of a result by the plain form of its name; the first one also without a name."""
    pairs = list(_values(output))
    by_symbol = {symbol(name): quantity for name, quantity in pairs if name}
    if pairs:
        by_symbol[""] = pairs[0][1]
    return by_symbol


def _values(output: JsonValue) -> Iterator[tuple[str, Quantity]]:
    if isinstance(output, bool) or output is None:
        return
    if isinstance(output, int | float):
        yield "", Quantity(value=float(output))
    elif isinstance(output, dict) and isinstance(output.get("value"), int | float):
        yield "", Quantity.model_validate({"value": output["value"], "unit": output.get("unit", "")})
        yield from _values(output.get("values"))
    elif isinstance(output, dict):
        for name, value in output.items():
            yield from ((name, quantity) for _, quantity in list(_values(value))[:1])
    elif isinstance(output, list):
        yield from (pair for item in output for pair in _values(item))
