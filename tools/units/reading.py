"""Quantities as an operator writes them, such as `4.8 bar`: parsing, unit conversion and comparability."""

import re

from pydantic import Field

from soprag.tools.sop import Frozen

# dimension -> unit -> factor to its first unit; temperatures and what is counted in words have their own rules
_FACTORS: dict[str, dict[str, float]] = {
    "pressure": {"pa": 1, "hpa": 100, "kpa": 1e3, "mpa": 1e6, "mbar": 100, "bar": 1e5, "psi": 6894.757, "atm": 101325,
                 "torr": 133.322, "mmhg": 133.322, "mmh2o": 9.80665, "inhg": 3386.389},
    "flow": {"m3/s": 1, "m3/h": 1 / 3600, "l/s": 1e-3, "l/min": 1e-3 / 60, "l/h": 1e-3 / 3600, "gpm": 6.30902e-5,
             "cfm": 4.719474e-4},
    "length": {"m": 1, "km": 1e3, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "ft": 0.3048, "in": 0.0254, "mi": 1609.344},
    "area": {"m2": 1, "cm2": 1e-4, "mm2": 1e-6},
    "volume": {"m3": 1, "l": 1e-3, "ml": 1e-6, "gal": 3.785412e-3},
    "mass": {"kg": 1, "g": 1e-3, "mg": 1e-6, "t": 1e3, "lb": 0.45359237},
    "time": {"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "day": 86400, "week": 604800, "month": 2629800},
    "voltage": {"v": 1, "mv": 1e-3, "kv": 1e3},
    "current": {"a": 1, "ma": 1e-3, "ua": 1e-6, "ka": 1e3},
    "power": {"w": 1, "mw": 1e-3, "kw": 1e3, "megawatt": 1e6, "va": 1, "kva": 1e3, "hp": 745.6999},
    "energy": {"j": 1, "kj": 1e3, "wh": 3600, "kwh": 3.6e6},
    "frequency": {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9, "rpm": 1 / 60},
    "resistance": {"ohm": 1, "mohm": 1e-3, "kohm": 1e3, "megohm": 1e6},
    "conductivity": {"us/cm": 1, "ms/cm": 1e3, "s/m": 1e4},
    "force": {"n": 1, "kn": 1e3, "lbf": 4.448222},
    "torque": {"nm": 1, "lbft": 1.355818},
    "speed": {"m/s": 1, "mm/s": 1e-3, "km/h": 1 / 3.6, "knot": 0.514444, "mph": 0.44704},
    "concentration": {"mg/l": 1, "g/l": 1e3, "ug/l": 1e-3},
    "count": {"cfu/ml": 1, "cfu/l": 1e-3},
    "share": {"%": 1, "ppm": 1e-4, "ppb": 1e-7},
    "angle": {"deg": 1, "rad": 57.29578},
    "sound": {"db": 1},
    "data": {"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1024, "mib": 1048576, "gib": 1073741824},
    "acidity": {"ph": 1},
}  # fmt: skip
_TEMPERATURES = {"degc": (1.0, 0.0), "degf": (5 / 9, -160 / 9), "k": (1.0, -273.15)}  # to degC: factor and offset
_WORDS = {
    "bars": "bar", "barg": "bar", "bara": "bar", "bar(g)": "bar", "bar(a)": "bar", "psig": "psi", "psia": "psi",
    "litre": "l", "litres": "l", "liter": "l", "liters": "l", "gallon": "gal", "gallons": "gal",
    "metre": "m", "metres": "m", "meter": "m", "meters": "m", "foot": "ft", "feet": "ft", "inch": "in", "inches": "in",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "mins": "min", "minute": "min", "minutes": "min",
    "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "days": "day", "weeks": "week", "months": "month",
    "volt": "v", "volts": "v", "amp": "a", "amps": "a", "ampere": "a", "amperes": "a", "watt": "w", "watts": "w",
    "kilowatt": "kw", "kilowatts": "kw", "hertz": "hz", "ohms": "ohm", "degree": "deg", "degrees": "deg",
    "celsius": "degc", "fahrenheit": "degf", "kelvin": "k", "percent": "%", "knots": "knot", "kts": "knot",
    "kt": "knot", "kph": "km/h", "r/min": "rpm", "lpm": "l/min", "lb-ft": "lbft", "ft-lb": "lbft", "lbs": "lb",
    "tonnes": "t", "kilograms": "kg", "grams": "g", "db(a)": "db", "dba": "db",
    "cmh2o": "mbar", "c": "degc", "f": "degf",
}  # fmt: skip
_CASED = {"MW": "megawatt", "mΩ": "mohm", "MΩ": "megohm", "Mohm": "megohm", "mOhm": "mohm", "MPa": "mpa"}
_KNOWN = {unit: dimension for dimension, units in _FACTORS.items() for unit in units} | dict.fromkeys(
    _TEMPERATURES, "temperature"
)
_DEGREES = re.compile(r"^(?:°|deg(?:rees?)?\.?)\s*(c|f)(?:elsius|ahrenheit)?$", re.IGNORECASE)

NUMBER = r"(?<![\w.,])[-+−]?\d+(?:[.,]\d+)*"
UNIT = (
    r"(?:(?:°|deg(?:rees?)?\.?)\s?(?:C(?:elsius)?|F(?:ahrenheit)?)\b|°|%|"
    r"[a-zA-ZµμΩ]+(?:\((?:g|a|A)\))?[²³23]?(?:\s?[·*]\s?m\b|/[a-zA-Z]+[²³23]?)?)"
)
_QUANTITY = re.compile(rf"\s*(?P<number>{NUMBER})\s*(?P<unit>{UNIT})?(?P<rest>.*)", re.DOTALL)


class ReadingValue(Frozen):
    """A number with its unit as written; an empty unit: none was stated."""

    value: float
    unit: str = Field(default="", description="as written")

    def __str__(self) -> str:
        return f"{self.value:.12g}{' ' if self.unit else ''}{self.unit}"


def number_of(written: str) -> float:
    """The number in `written`; a comma before exactly three digits groups thousands, else it is a decimal point."""
    text = written.replace("−", "-")
    if "," in text:
        grouped = "." in text or re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+", text)
        text = text.replace(",", "" if grouped else ".")
    integer, _, rest = text.partition(".")
    return float(f"{integer}.{rest.replace('.', '')}" if rest else integer)


def quantity_of(text: str) -> tuple[ReadingValue, str] | None:
    """The quantity that `text` begins with and the text after it; None when it does not begin with a number."""
    match = _QUANTITY.match(text)
    if not match:
        return None
    unit = match["unit"] or ""
    rest = match["rest"]
    if unit and not known(unit):
        unit, rest = "", f"{unit}{rest}"
    return ReadingValue(value=number_of(match["number"]), unit=unit), rest.strip()


def known(unit: str) -> bool:
    """Whether the unit can be converted."""
    return dimension(unit) != ""


def dimension(unit: str) -> str:
    """The dimension of the unit, such as "pressure"; empty for an unknown unit."""
    return _KNOWN.get(_normal(unit), "")


def convert(quantity: ReadingValue, unit: str) -> float | None:
    """The value in `unit`; None when the dimensions differ. A quantity without a unit is assumed to be in `unit`."""
    source, target = _normal(quantity.unit), _normal(unit)
    if source in ("", target) or not target:
        return quantity.value
    if not dimension(quantity.unit) or dimension(quantity.unit) != dimension(unit):
        return None
    if source in _TEMPERATURES:
        factor, offset = _TEMPERATURES[source]
        to, shift = _TEMPERATURES[target]
        return (quantity.value * factor + offset - shift) / to
    factors = _FACTORS[_KNOWN[source]]
    return quantity.value * factors[source] / factors[target]


def _normal(unit: str) -> str:
    symbol = unit.strip()
    if symbol in _CASED:
        return _CASED[symbol]
    degrees = _DEGREES.match(symbol)
    if degrees:
        return f"deg{degrees[1].lower()}"
    plain = symbol.replace("°", "deg").replace("²", "2").replace("³", "3").replace("µ", "u").replace("μ", "u")
    plain = re.sub(r"\s|·|\*", "", plain.replace("Ω", "ohm")).lower()
    return _WORDS.get(plain, plain)
