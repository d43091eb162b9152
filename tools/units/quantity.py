"""Quantities: a value with a unit; parsing, conversion and dimension checks with pint."""

import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import Field

from soprag.tools.history import StepFailure
from soprag.tools.sop import Frozen

if TYPE_CHECKING:
    from pint import UnitRegistry

# Spellings that pint misreads; applied in this order to the text of a unit.
_SPELLINGS = (
    (r"\s+", " "),
    (r"[−–]", "-"),
    (r"[·⋅×•]", "*"),
    (r"[µμ]", "u"),
    (r"°\s?([CF])\b", r"deg\1"),
    (r"\bdeg(?:rees?)?\.? ?(?:C(?:elsius)?|celsius)\b|\b[Cc]elsius\b", "degC"),
    (r"\bdeg(?:rees?)?\.? ?(?:F(?:ahrenheit)?|fahrenheit)\b|\b[Ff]ahrenheit\b", "degF"),
    (r"º([CF])\b|℃", lambda m: "deg" + (m.group(1) or "C")),
    (r"\bbar ?\(?(?:a|abs|absolute)\b\.?\)?|\bbara\b", "bar"),
    (r"\bpsia\b|\bpsi ?\(?abs(?:olute)?\b\.?\)?", "psi"),
    (r"\b(bar|psi|kPa) ?\(?(?:g|gauge)\b\)?", r"\1g"),
    (r"\b(?:vol|wt|mol|mass|weight)[- ]?%|%", "percent"),
    (r"Ω|\bohms?\b", "ohm"),
    (r"\b(?:ft|feet|foot)\.? (?:of )?(?:water|H2O|H₂O)\b", "ft_H2O"),
    (r"\b(?:in|inch|inches)\.? (?:of )?(?:water|H2O|H₂O)\b", "inch_H2O"),
    (r"\bm (?:of )?(?:water|H2O|H₂O)\b", "m_H2O"),
    (r"\bmm ?(?:of )?(?:water|H2O|H₂O|WC|w\.?g\.?)\b", "mm_H2O"),
    (r"\bmm ?(?:of )?(?:mercury|Hg)\b", "mmHg"),
    (r"\b(?:in|inch|inches)\.? ?(?:of )?(?:mercury|Hg)\b", "inHg"),
    (r"\blb-?mol\b|\blb mol\b", "lbmol"),
    (r"\b(?:gpm|GPM)\b", "gallon/minute"),
    (r"\b(?:cfm|CFM)\b", "ft^3/minute"),
    (r"\brpm\b", "revolution/minute"),
    (r"\bs?lpm\b", "L/minute"),
    (r"\bV(?:DC|AC|dc|ac)\b", "V"),
    (r"\bdB ?\(?A\)?(?!\w)", "decibel"),
    (r"\b[Rr]H\b", "percent"),
    (r"\bft-lb\b|\blb-ft\b", "ft*lbf"),
    (r"\bdegrees?\b", "degree"),
    (r"\bcu(?:bic)?\.? (m|ft|cm|in|yd|metres?|meters?|feet)\b", r"\1^3"),
    (r"\bsq(?:uare)?\.? (m|ft|cm|in|yd|metres?|meters?|feet)\b", r"\1^2"),
    (r"\b(?:hrs?|hours?)\b", "hour"),
    (r"\bmins?\b", "minute"),
    (r"\bsecs?\b", "second"),
    (r"\blbs\b|\bpounds\b", "lb"),
    (r"\b(?:litres?|liters?)\b", "L"),
    (r"\bper\b", "/"),
    (r"^1 ?/ ?", "1/"),
    (r"(?<=[A-Za-z0-9)]) (?=[A-Za-z])", "*"),
    (r"([A-Za-z])\^?\(?(-[1-4])\)?(?![0-9.])", r"\1**\2"),
    (r"([A-Za-z])([2-4])(?![0-9A-Za-z_.])", r"\1**\2"),
)  # fmt: skip
# What may hold digits in a unit: one small power, the 1 of "1/min", and names such as H2O. All other numbers, and
# powers of powers, are refused, because pint computes them, however large.
_PLAIN = re.compile(r"(?<=[A-Za-z)])\s*(?:\*\*|\^)\s*\(?-?\d(?:\.\d)?\)?(?!\s*(?:\*\*|\^))|^1\s*(?=/)|[A-Za-z_]\w*")
_STRANGE = re.compile(r"\d|\*\*|[^\w\s*/^().+\-²³⁻¹⁴]")
LONGEST = 80  # characters of a unit
_NONE = {"", "-", "–", "1", "dimensionless", "none", "fraction", "ratio"}
# Two uses of h and of F: in a unit "h" is an hour and "C" with a temperature's sign a degree.
_WORDS = {"C": "degC", "F": "degF", "h": "hour", "hr": "hour", "mo": "month", "mol*percent": "percent"}


class UnitFault(ValueError):
    """An unknown unit, or incompatible units; `failure` is the same as a `StepFailure`."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.failure = StepFailure(kind="dimension", message=message)


class Quantity(Frozen):
    """A value with its unit; an empty unit is a plain number."""

    value: float
    unit: str = Field(default="", description="such as kg/s, kJ/(kg*K), degC; empty for a plain number")

    def to(self, unit: str) -> "Quantity":
        """The same quantity in `unit`; raises `UnitFault` when its dimension is another."""
        return Quantity(value=convert(self.value, self.unit, unit), unit=unit)

    def __str__(self) -> str:
        return f"{self.value:.12g}{' ' if self.unit else ''}{self.unit}"

    def words(self) -> str:
        """The quantity as text for display, such as `22.58 m³`."""
        return f"{number(self.value)} {pretty(self.unit)}".strip()


@cache
def registry() -> "UnitRegistry[Any]":
    """pint's unit registry with additional process units; created once, about 0.2 s."""
    import pint

    ureg: UnitRegistry[Any] = pint.UnitRegistry()
    ureg.define("lbmol = 453.59237 * mol = lb_mol")
    ureg.define("m_H2O = 9806.38 * pascal")
    ureg.define("mm_H2O = 9.80638 * pascal")
    ureg.define("ppb = 1e-9")
    for counted in ("cfu", "NTU", "FNU"):
        ureg.define(f"{counted} = count")
    ureg.define("cycle_per_minute = hertz / 60")
    ureg.define("barg = bar; offset: 1.01325")
    ureg.define("kPag = kilopascal; offset: 101.325")
    ureg.define("psig = psi; offset: 14.695949")
    return ureg


def spelled(unit: str) -> str:
    """`unit` as pint reads it."""
    text = unit.strip().strip(".,;")
    if text in _NONE:
        return ""
    for pattern, better in _SPELLINGS:
        text = re.sub(pattern, better, text)
    return _WORDS.get(text, text)


@cache
def parsed(unit: str) -> Any:  # noqa: ANN401 - pint's unit
    """pint's unit for `unit`; raises `UnitFault` when there is none."""
    text = spelled(unit) if len(unit) <= LONGEST else "?"
    if _STRANGE.search(_PLAIN.sub("", text)):
        raise UnitFault(f"{unit[:80]!r} is no unit; write it like kg/s or kJ/(kg*K).")
    try:
        return registry().parse_units(text)
    except Exception as error:
        raise UnitFault(f"{unit!r} is no unit that is known ({error}); write it like kg/s or kJ/(kg*K).") from error


def is_unit(text: str) -> bool:
    """Whether `text` is a unit."""
    try:
        parsed(text)
    except UnitFault:
        return False
    return True


def convert(value: float, unit: str, to: str) -> float:
    """`value` in another unit; raises `UnitFault` when the dimensions differ."""
    source, target = parsed(unit), parsed(to)
    if source.dimensionality != target.dimensionality:
        raise UnitFault(
            f"{number(value)} {unit} has the dimension {source.dimensionality}, "
            f"but {to or 'a plain number'} has {target.dimensionality}; a factor is missing or one too many."
        )
    converted = float(registry().Quantity(value, source).to(target).magnitude)
    if not math.isfinite(converted):
        raise UnitFault(f"{value} {unit} is too large for {to}.")
    return converted


def si(quantity: Quantity) -> float:
    """The value in SI base units; temperatures in K."""
    unit = parsed(quantity.unit)
    return float(registry().Quantity(quantity.value, unit).to_base_units().magnitude)


def base(unit: str) -> str:
    """The base unit of SI with the dimension of `unit`."""
    return f"{registry().Quantity(1, parsed(unit)).to_base_units().units:~C}"


def same_dimension(unit: str, second: str) -> bool:
    """Whether two units can be converted into each other."""
    return bool(parsed(unit).dimensionality == parsed(second).dimensionality)


def is_temperature(unit: str) -> bool:
    """Whether `unit` measures a temperature (and not a rate or anything per kelvin)."""
    return same_dimension(unit, "kelvin")


def number(value: float) -> str:
    """A number with four significant digits; whole numbers below 1e7 in full."""
    if value and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.4g}"
    digits = max(0, 4 - math.floor(math.log10(abs(value))) - 1) if value else 0
    return f"{value:.{digits}f}" if abs(value) < 1e4 else f"{value:.0f}"


def pretty(unit: str) -> str:
    """A unit with typographic signs, such as `kg·m⁻³`."""
    if not unit:
        return ""
    text = unit.replace("degC", "°C").replace("degF", "°F").replace("delta_", "").replace("percent", "%")
    text = re.sub(r"\s*\*\*\s*|\^", "^", text)
    powers = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
    return re.sub(r"\^(-?\d)", lambda m: m.group(1).translate(powers), text).replace("*", "·")
