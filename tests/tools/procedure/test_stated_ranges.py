"""Limits in free wording, of another hand than the generator's: which values a step accepts and which decide a way."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.procedure.procedure import ProcedureRange
from soprag.tools.procedure.ranges.comparisons import comparison
from soprag.tools.procedure.ranges.ranges import find_ranges
from soprag.tools.procedure.ranges.reading_range import demands
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.sop import StatedRange
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import convert as converted

FILE = Path(__file__).parents[2] / "data" / "stated_ranges.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
READ = [row for row in ROWS if not row.get("missed")]
FRAME = "# Check\n\n1. {text}\n2. Tell the lead.\n"
TABLE = "# Check\n\n1. Record the readings and compare them with the limits:\n\n{text}\n\n2. Tell the lead.\n"
LABEL = re.compile(r"^(?:[-*] (?:\[ \] )?|> |\d+(?:\.\d+)*[.)]? |\*\*Step \d+\.\*\* )")
# The passages that are read rightly, of all of a part, and how many ranges of the part no passage states.
PARTS = {
    "tuned": (60, 61, 0),
    "reported": (30, 30, 0),
    "second hand, tuned": (78, 80, 0),
    "second hand, kept": (61, 80, 4),
}


def framed(text: str) -> str:
    """A passage as a part of a procedure; one of several lines has its own steps."""
    if text.startswith("|"):
        return TABLE.format(text=text)
    return f"# Check\n\n{text}\n" if "\n" in text else FRAME.format(text=LABEL.sub("", text))


def difference(row: dict[str, Any]) -> tuple[int, int]:
    """How many stated ranges of a passage are not read, and how many are read that it does not state."""
    flow = read_procedure(framed(row["text"]))
    missed = invented = 0
    for use in ("accept", "branch"):
        if use in row:
            found = [one for one in flow.ranges if one.use == use]
            for low, high, unit in row[use]:
                same = next((one for one in found if _same(one, low, high, unit)), None)
                missed += same is None
                found = [one for one in found if one is not same]
            invented += len(found)
    return missed, invented


def _same(found: ProcedureRange, low: float | None, high: float | None, unit: str) -> bool:
    named = bool(found.unit) == bool(unit) or unit == "pH"
    return named and _near(found.low, low, found.unit, unit) and _near(found.high, high, found.unit, unit)


def _near(found: float | None, stated: float | None, unit: str, other: str) -> bool:
    if found is None or stated is None:
        return found is stated
    value = converted(Quantity(value=found, unit=unit), other)
    return value is not None and value == pytest.approx(stated, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("row", READ, ids=lambda row: row["text"][:60])
def test_a_limit_is_read_as_it_is_worded(row: dict[str, Any]) -> None:
    assert difference(row) == (0, 0)
    if "undecided" in row:
        assert comparison(row["undecided"]) is None


@pytest.mark.parametrize("part", PARTS)
def test_most_wordings_of_every_hand_are_read_and_few_ranges_invented(part: str) -> None:
    rows = [row for row in ROWS if row["part"] == part]
    differences = [difference(row) for row in rows]
    right, passages, invented = PARTS[part]
    assert len(rows) == passages
    assert sum(found == (0, 0) for found in differences) >= right
    assert sum(extra for _, extra in differences) <= invented


@pytest.mark.parametrize(
    "text",
    [
        "Ramp the pump 0 -> 25000 rpm.",
        "Press RUN => 25000 rpm.",
        "Ramp 0 → 500 rpm.",
        "Open Menu > System > 3 Network.",
        "Install Python 3.8 or higher.",
        "Use at least 2 people.",
        "Repeat at most 3 times.",
        "Wait for at least 2 working days.",
        "Spin for 5 min at 4 °C.",
    ],
)
def test_arrows_paths_versions_and_amounts_of_an_act_are_no_limits(text: str) -> None:
    assert find_ranges(text) == []


@pytest.mark.parametrize("sign", ["°C", "ºC", "˚C", "℃", "° C", "degrees Celsius"])
def test_every_sign_of_a_degree_is_one_unit(sign: str) -> None:
    (found,) = find_ranges(f"Keep the bath below 40 {sign}.")
    assert converted(Quantity(value=found.high or 0, unit=found.unit), "°C") == pytest.approx(40)


def test_a_unit_that_is_not_known_is_taken_as_it_is_written() -> None:
    (found,) = find_ranges("Airspeed at or above 450 KIAS, then rotate.")
    assert (found.low, found.unit, found.low_inclusive) == (450, "KIAS", True)


def test_a_count_is_read_and_no_reading_is_demanded_for_it() -> None:
    (found,) = find_ranges("Check the fix (at least 6 satellites).")
    assert (found.low, found.unit, found.quantity) == (6, "", "fix satellites")
    stated = StatedRange(low=6, unit="", quantity="fix", words="at least 6", use="accept")
    assert demands("Check the fix (at least 6 satellites).", [stated]) == ()


def test_a_distance_from_something_is_a_limit_and_a_deviation_is_none() -> None:
    near, off = find_ranges("Stay within 2 km of the pilot."), find_ranges("It is within 2 mm of the nominal value.")
    assert [one.relative for one in (*near, *off)] == [False, True]


def test_what_an_act_waits_for_is_not_turned_by_its_negation() -> None:
    under, over = (f"Do not proceed {words} 50 °C." for words in ("unless the oil is under", "if the oil is over"))
    assert [(one.low, one.high, one.conditional) for one in find_ranges(under)] == [(None, 50, False)]
    assert [(one.low, one.high, one.conditional) for one in find_ranges(over)] == [(50, None, True)]


def test_a_negation_turns_every_bound_that_it_governs_and_no_other() -> None:
    text = "The oil must not be 60 °C or hotter; the water is at least 20 °C. Do not exceed 250 KIAS below 10,000 ft."
    found = [(one.low, one.high, one.conditional) for one in find_ranges(text)]
    assert found == [(None, 60, False), (20, None, False), (None, 250, False), (None, 10000, True)]


@pytest.mark.parametrize(
    "text",
    [
        "For loads above 25 kg use the hoist.",
        "In winds above 20 kt, do not fly.",
        "Loads over 25 kg are lifted by two people.",
        "The alarm sounds above 7 bar.",
        "Under 10 bar, turn the lever.",
        "Potassium below 3.5 mmol/l or above 5.5 mmol/l: repeat the sample.",
        "Land when the voltage drops below 14 V.",
    ],
)
def test_for_what_values_a_rule_holds_is_no_demand(text: str) -> None:
    assert all(one.conditional for one in find_ranges(text))
    assert find_ranges(text)


def test_outside_of_a_span_decides_no_way() -> None:
    assert comparison("the pressure is outside 2 to 3 bar") is None
    assert comparison("the pressure is between 2 and 3 bar") is not None


def test_two_variants_of_one_comparison_have_a_bound_each() -> None:
    found = find_ranges("If it is above 0.6 bar (Type 1) or 0.8 bar (Type 2), change the filter.")
    assert [(one.variant, one.low) for one in found] == [("Type 1", 0.6), ("Type 2", 0.8)]


def test_the_words_of_a_tolerance_keep_their_percent() -> None:
    text = "Check that the source is within 400 V ± 10 % and 50 Hz ± 1 Hz."
    assert [text[one.start : one.end] for one in find_ranges(text)] == ["400 V ± 10 %", "50 Hz ± 1 Hz"]
