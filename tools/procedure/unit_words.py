"""Units of measurement in running text, recognised by pint."""

import re
from functools import lru_cache
from typing import Any

from soprag.tools.units.quantity import registry

_ENGLISH = frozenset(
    """a an and are as at be by can do for from had has have i if in is it its no not of off on or per so than that the
    then to turn turns up was were will with at cycle cycles count counts point points hand hands link links
    chain rod are times time step steps dot bit bits byte page t u e k x y z am pm max""".split()  # noqa: SIM905
)
_WORDS = {
    "percent": "%", "degrees celsius": "°C", "degree celsius": "°C", "deg c": "°C", "degc": "°C", "deg f": "°F",
    "degrees": "°", "degree": "°", "deg": "°", "minutes": "min", "minute": "min", "mins": "min", "min": "min",
    "seconds": "s", "second": "s", "sec": "s", "secs": "s", "hours": "h", "hour": "h", "hrs": "h", "hr": "h",
    "days": "d", "day": "d", "weeks": "week", "years": "a", "year": "a", "months": "month", "litres": "l",
    "litre": "l", "liters": "l", "liter": "l", "volts": "V", "volt": "V", "amps": "A", "amp": "A", "amperes": "A",
    "ohms": "ohm", "metres": "m", "metre": "m", "meters": "m", "inches": "in", "inch": "in", "feet": "ft",
    "foot": "ft", "kelvin": "K", "hertz": "Hz", "watts": "W", "Ω": "ohm",
}  # fmt: skip
_ALIASES = {
    "°C": "degC", "°F": "degF", "° C": "degC", "℃": "degC", "°": "degree", "%": "percent", "Nm": "newton*meter",
    "barg": "bar", "bara": "bar", "bar(g)": "bar", "psig": "psi", "psia": "psi", "VDC": "volt", "VAC": "volt",
    "Vdc": "volt", "Vac": "volt", "cfu": "count", "NTU": "count", "FNU": "count", "rpm": "rpm",
    "gpm": "gallon/minute", "lpm": "liter/minute", "kVA": "kilovolt_ampere", "VA": "volt_ampere",
    "dB(A)": "decibel", "dBA": "decibel", "dBm": "decibel", "RH": "percent", "rH": "percent",
    "slpm": "liter/minute", "d": "day", "a": "year", "inHg": "inHg", "mbar": "millibar", "kgf": "kilogram_force",
    "cSt": "centistokes", "ft-lb": "foot*pound", "lb-ft": "foot*pound", "lbs": "pound", "h": "hour", "L": "liter",
    "l": "liter", "m3": "m**3", "m2": "m**2", "mm2": "mm**2", "µS": "microsiemens", "μS": "microsiemens",
    "uS": "microsiemens", "mS": "millisiemens", "Ah": "ampere_hour", "µm": "micrometer", "µA": "microampere",
    "nm": "nanometer", "g": "gram", "mmol": "millimole", "vol%": "percent", "ppm": "ppm", "ppb": "ppb",
}  # fmt: skip
_OF = r"(?:\s+by\s+(?:volume|weight|mass)|\s+of\s+flow|\s*RH\b|\s+relative humidity)?"
UNIT = (
    r"(?:%" + _OF + r"|(?:°|º)\s?[CF]\b|℃|degrees?\s+(?:Celsius|Fahrenheit|C|F)\b|deg\s?[CF]\b|°|vol\s?%|"
    r"(?:[A-Za-zµμΩ]+(?:\([gaA]\))?[²³]?|[mck]?m[23])(?:[/·*^-][A-Za-zµμΩ]+[²³23]?|\s(?:per)\s[a-z]+)*)"
)


@lru_cache(maxsize=4096)
def unit_of(words: str) -> str | None:
    """The unit that words name, in its short form; None when they name none."""
    bare = words.strip()
    if not bare or bare in _ENGLISH or (len(bare) > 1 and bare.lower() in _ENGLISH and bare.lower() not in _WORDS):
        return None
    if bare.startswith("%") or bare.lower().replace(" ", "") in ("vol%", "percent"):
        return "% by volume" if "volume" in bare else "%"
    degrees = re.match(r"^(?:°|º|℃|deg(?:rees?)?)\s*(C|F)?(?:elsius|ahrenheit)?$", bare, re.IGNORECASE)
    if degrees:
        return "°" + (degrees[1] or ("C" if bare == "℃" else "")).upper()
    short = _WORDS.get(bare.lower(), bare)
    return short if short in _WORDS.values() or _parses(short) else None


def is_time(unit: str) -> bool:
    """Whether a unit measures durations."""
    return unit in ("s", "min", "h", "d", "ms", "week", "month", "a", "µs", "us", "ns")


_DIMENSIONS = (
    ("temperature", "kelvin"), ("pressure", "pascal"), ("flow", "meter**3/second"), ("voltage", "volt"),
    ("current", "ampere"), ("power", "watt"), ("frequency", "hertz"), ("torque", "newton*meter"),
    ("length", "meter"), ("volume", "meter**3"), ("mass", "kilogram"), ("speed", "meter/second"),
    ("resistance", "ohm"), ("force", "newton"), ("density", "kilogram/meter**3"),
)  # fmt: skip


@lru_cache(maxsize=512)
def dimension(unit: str) -> str:
    """What a unit measures ("pressure" for bar), empty when its dimension has no name of its own."""
    if "volume" in unit:
        return "concentration"
    if unit in ("°", "%", ""):
        return "angle" if unit == "°" else ""
    parsed = _pint_unit(_ALIASES.get(unit, unit))
    if parsed is None:
        return ""
    measured = parsed.dimensionality
    return next((name for name, known in _DIMENSIONS if registry().parse_units(known).dimensionality == measured), "")


@lru_cache(maxsize=4096)
def _parses(unit: str) -> bool:
    """Whether every part of a unit is one; single lower-case letters and English words are not trusted alone."""
    parts = [part for part in re.split(r"[/·*^ ]|per", unit) if part]
    if not parts or len(parts) > 3 or (len(parts) == 1 and len(unit) > 6):
        return False
    return all(_known(part) for part in parts)


def _known(part: str) -> bool:
    if part in _ALIASES or part in _WORDS or part in _WORDS.values():
        return True
    part = part.replace("²", "").replace("³", "").rstrip("23")
    if not part or part in _ENGLISH or (len(part) > 1 and part.lower() in _ENGLISH):
        return False
    if (part.islower() and len(part) > 4) or (part.isupper() and len(part) > 3):
        return False
    return _pint_unit(part) is not None


def _pint_unit(text: str) -> Any:  # noqa: ANN401 - pint's unit
    """pint's unit for `text`, None when there is none; pint is imported with the first unit that is read."""
    from pint.errors import PintError

    try:
        return registry().parse_units(text)
    except (PintError, ValueError, AttributeError, TypeError, AssertionError):
        return None
