"""A generator of range phrasings with what each of them means, for the tests of the range reader."""

from collections.abc import Iterator
from dataclasses import dataclass

QUANTITIES = (
    ("the suction pressure", "bar", "2.5", "4.0"),
    ("the flow", "L/min", "380", "420"),
    ("the supply temperature", "°C", "16", "27"),
    ("the voltage", "V", "392", "408"),
    ("the differential pressure", "Pa", "85", "120"),
    ("the vibration", "mm/s", "2.8", "4.5"),
    ("the humidity", "%", "40", "60"),
    ("the frequency", "Hz", "49", "51"),
    ("the torque", "Nm", "30", "35"),
    ("the load", "kW", "1,200", "1,600"),
    ("the conductivity", "µS/cm", "1,400", "1,900"),
    ("the insulation resistance", "ohm", "12", "14"),
)

# A frame and what it means: low and high if stated, whether the bounds belong to it, whether it is a negation.
FRAMES = (
    ("Check that {q} is between {a} and {b} {u}.", "a", "b", True, False),
    ("{Q} must be {a} to {b} {u}.", "a", "b", True, False),
    ("Accept {a}-{b} {u} for {q}.", "a", "b", True, False),
    ("{Q} reads from {a} {u} to {b} {u}.", "a", "b", True, False),
    ("{Q} is at least {a} {u}.", "a", "", True, False),
    ("{Q} must be a minimum of {a} {u}.", "a", "", True, False),
    ("{Q} ≥ {a} {u}.", "a", "", True, False),
    ("{Q} is {a} {u} or more.", "a", "", True, False),
    ("{Q} is at most {b} {u}.", "", "b", True, False),
    ("{Q} may be up to {b} {u}.", "", "b", True, False),
    ("{Q} <= {b} {u}.", "", "b", True, False),
    ("{Q} is {b} {u} max.", "", "b", True, False),
    ("{Q} is above {a} {u}.", "a", "", False, False),
    ("{Q} exceeds {a} {u}.", "a", "", False, False),
    ("{Q} is more than {a} {u}.", "a", "", False, False),
    ("{Q} is higher than {a} {u}.", "a", "", False, False),
    ("{Q} is below {b} {u}.", "", "b", False, False),
    ("{Q} is less than {b} {u}.", "", "b", False, False),
    ("{Q} drops under {b} {u}.", "", "b", False, False),
    ("{Q} must not exceed {b} {u}.", "", "b", True, True),
    ("{Q} may at no time exceed {b} {u}.", "", "b", True, True),
    ("{Q} must never be above {b} {u}.", "", "b", True, True),
    ("{Q} shall be no more than {b} {u}.", "", "b", True, True),
    ("{Q} must not dip below {a} {u}.", "a", "", True, True),
    ("{Q} must not fall under {a} {u}.", "a", "", True, True),
    ("Never let {q} drop below {a} {u}.", "a", "", True, True),
    ("{Q} is not less than {a} {u}.", "a", "", True, True),
    ("{Q} has not fallen below {a} {u}.", "a", "", True, True),
)
TOLERANCES = (
    ("{q} is {m} {u} ± {d} {u}.", False),
    ("{q} is {m} ± {d} {u}.", False),
    ("{q} is {m} {u} +/- {d} {u}.", False),
    ("{q} is {m} {u} ± 10 %.", True),
)
NOTHING = (
    "Inspected on 2024-05-27 by the contractor.",
    "Firmware 3.4.1 or version 4.22 is installed.",
    "Use gasket LC-P-116 and filter NF-F-4996.",
    "Repeat steps 3 to 5 and see section 2.",
    "Ropes 2 to 10 are tested in the same way.",
    "Read lines 5-7 of the table.",
    "Rev. 3 of 12/05/2022 replaces rev. 2.",
    "Units CRAC-B01 to CRAC-B12 stand in hall DH3.",
    "Call extension 4410 to 4430.",
    "Set the pressure to 3.0 bar.",
)


@dataclass(frozen=True)
class Phrasing:
    """A sentence and the bounds it states."""

    text: str
    low: float | None
    high: float | None
    unit: str
    inclusive: bool
    negated: bool
    quantity: str


def value(text: str) -> float:
    """The value of a number with grouped thousands."""
    return float(text.replace(",", ""))


def phrasings() -> Iterator[Phrasing]:
    """Every frame with every quantity."""
    for name, unit, low, high in QUANTITIES:
        word = name.split()[-1]
        for frame, lower, upper, inclusive, negated in FRAMES:
            text = frame.format(q=name, Q=name.capitalize(), a=low, b=high, u=unit)
            bounds = (value(low) if lower else None, value(high) if upper else None)
            yield Phrasing(text, *bounds, unit, inclusive, negated, word)
        yield from _tolerances(name, unit, value(low), word)


def _tolerances(name: str, unit: str, middle: float, word: str) -> Iterator[Phrasing]:
    for frame, relative in TOLERANCES:
        if relative and unit == "%":
            continue
        spread = middle / 10 if relative else 0.5
        text = frame.format(q=name, m=f"{middle:g}", u=unit, d="0.5").capitalize().replace(unit.lower(), unit)
        yield Phrasing(text, round(middle - spread, 9), round(middle + spread, 9), unit, True, False, word)
