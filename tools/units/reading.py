"""Quantities as an operator writes them, such as `4.8 bar` or `30 LPM`: reading, kinds of units and conversion.

Symbols are read without regard to case, except where case tells two units apart (mW and MW).
"""

import re

from soprag.tools.units import quantity as pint_units
from soprag.tools.units.numerals import NUMERAL, value_of
from soprag.tools.units.quantity import Quantity

# Kind -> its symbols, or symbol=unit where pint writes the unit otherwise. Units of different kinds are never compared,
# also where their dimension is the same: torque and energy, percent and degrees of an angle.
_KINDS = {
    "pressure": "Pa hPa kPa MPa mbar bar psi atm torr mTorr=mtorr mmHg mmH2O inHg",
    "temperature": "degC degF K",
    "flow": "m3/s m3/h l/s l/min l/h gpm cfm",
    "length": "m km cm mm um nm ft in mi",
    "area": "m2 cm2 mm2",
    "volume": "m3 l ml gal",
    "mass": "kg g mg t lb",
    "time": "s ms us ns min h day week month",
    "voltage": "V mV kV VDC=V VAC=V",
    "current": "A mA uA kA",
    "power": "W mW kW MW VA=W kVA=kW hp",
    "energy": "J kJ Wh kWh",
    "frequency": "Hz kHz MHz GHz rpm=cycle_per_minute",
    "resistance": "ohm mohm kohm Mohm Gohm",
    "conductivity": "uS/cm mS/cm S/m",
    "force": "N kN lbf",
    "torque": "Nm=N*m lbft=lbf*ft",
    "speed": "m/s mm/s km/h knot kn=knot mph",
    "concentration": "mg/l g/l ug/l",
    "molarity": "M mM uM",
    "count": "cfu/ml=count/ml cfu/l=count/l",
    "share": "% ppm ppb",
    "angle": "deg=degree rad",
    "sound": "dB=decibel",
    "level": "dBm dBuV=dBuV",
    "illuminance": "lux lx",
    "magnetic field": "T mT uT",
    "charge": "Ah mAh",
    "data": "B=byte kB MB GB TB KiB MiB GiB",
    "acidity": "pH=count",
}
_WORDS = {
    "bars": "bar", "barg": "bar", "bara": "bar", "bar(g)": "bar", "bar(a)": "bar", "psig": "psi", "psia": "psi",
    "litre": "l", "litres": "l", "liter": "l", "liters": "l", "gallon": "gal", "gallons": "gal",
    "metre": "m", "metres": "m", "meter": "m", "meters": "m", "foot": "ft", "feet": "ft", "inch": "in", "inches": "in",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "mins": "min", "minute": "min", "minutes": "min",
    "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "days": "day", "weeks": "week", "months": "month",
    "volt": "V", "volts": "V", "amp": "A", "amps": "A", "ampere": "A", "amperes": "A", "watt": "W", "watts": "W",
    "kilowatt": "kW", "kilowatts": "kW", "hertz": "Hz", "ohms": "ohm", "degree": "deg", "degrees": "deg",
    "megawatt": "MW", "megohm": "Mohm",
    "celsius": "degC", "fahrenheit": "degF", "kelvin": "K", "percent": "%", "knots": "knot", "kts": "knot",
    "kt": "knot", "kph": "km/h", "r/min": "rpm", "lpm": "l/min", "lb-ft": "lbft", "ft-lb": "lbft", "lbs": "lb",
    "tonnes": "t", "kilograms": "kg", "grams": "g", "db(a)": "dB", "dba": "dB",
    "n-m": "Nm", "cmh2o": "mbar", "c": "degC", "f": "degF",
}  # fmt: skip
_RINGS = str.maketrans({"º": "°", "˚": "°", "℃": "°C", "℉": "°F"})  # what texts have for the sign of a degree
_DEGREES = re.compile(r"^(?:°|deg(?:rees?)?\.?)\s*(c|f)(?:elsius|ahrenheit)?$", re.IGNORECASE)
_SIGNS = str.maketrans({"°": "deg", "²": "2", "³": "3", "µ": "u", "μ": "u", "Ω": "ohm", "·": "", "*": "", " ": ""})

NUMBER = rf"(?<![\w.,]){NUMERAL}"
UNIT = (
    r"(?:(?:[°º˚]|deg(?:rees?)?\.?)\s?(?:C(?:elsius)?|F(?:ahrenheit)?)\b|[°º˚℃℉]|%|"
    r"[a-zA-ZµμΩ]+(?:\((?:g|a|A)\))?[²³23]?(?:\s?[·*]\s?m\b|/[a-zA-Z]+[²³23]?)?)"
)
_QUANTITY = re.compile(rf"\s*(?P<number>{NUMBER})\s*(?P<unit>{UNIT})?(?P<rest>.*)", re.DOTALL)


def _symbols() -> dict[str, tuple[str, str]]:
    """Symbol -> its kind and pint's unit, as written and in lower case, which the first such symbol has."""
    units: dict[str, tuple[str, str]] = {}
    for kind, symbols in _KINDS.items():
        for entry in symbols.split():
            symbol, _, unit = entry.partition("=")
            units.setdefault(symbol, (kind, unit or symbol))
    for symbol, meaning in [*units.items()]:
        units.setdefault(symbol.lower(), meaning)
    return units


_UNITS = _symbols()


def quantity_of(text: str) -> tuple[Quantity, str] | None:
    """The quantity that `text` begins with and the text after it; None when it does not begin with a number."""
    match = _QUANTITY.match(text)
    if not match:
        return None
    unit = match["unit"] or ""
    rest = match["rest"]
    if unit and not known(unit):
        unit, rest = "", f"{unit}{rest}"
    return Quantity(value=value_of(match["number"]), unit=unit), rest.strip()


def one_ring(unit: str) -> str:
    """The unit with one sign for a degree, of the four that texts use."""
    return unit.translate(_RINGS)


def symbol_of(words: str) -> str:
    """The symbol of a unit that is written as a word or a temperature, such as `min` for minutes; else empty."""
    degrees = _DEGREES.match(one_ring(words))
    if degrees:
        return f"deg{degrees[1].upper()}"
    return "" if len(words) == 1 and words.isascii() else _WORDS.get(words.lower(), "")


def known(unit: str) -> bool:
    """Whether the unit can be converted."""
    return kind_of(unit) != ""


def kind_of(unit: str) -> str:
    """What the unit measures, such as "pressure"; empty for an unknown unit."""
    return _UNITS.get(_normal(unit), ("", ""))[0]


def convert(quantity: Quantity, unit: str) -> float | None:
    """The value in `unit`; None when the kinds differ. A quantity without a unit is assumed to be in `unit`."""
    source, target = _normal(quantity.unit), _normal(unit)
    if source in ("", target) or not target:
        return quantity.value
    (kind, unit_from), (target_kind, unit_to) = _UNITS.get(source, ("", "")), _UNITS.get(target, ("", ""))
    if not kind or kind != target_kind:
        return None
    return pint_units.convert(quantity.value, unit_from, unit_to)


def _normal(unit: str) -> str:
    """The symbol of a unit in `_UNITS`, or its lower case when there is none."""
    written = one_ring(unit.strip())
    symbol = written.translate(_SIGNS)
    degrees = _DEGREES.match(written)
    if degrees:
        return f"deg{degrees[1].upper()}"
    return symbol if symbol in _UNITS else _WORDS.get(symbol.lower(), symbol.lower())
