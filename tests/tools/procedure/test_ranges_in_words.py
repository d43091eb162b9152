"""The range reader on generated phrasings, on lists of variants, and on numbers that are no ranges."""

import pytest

from soprag.tools.procedure.ranges.ranges import find_ranges
from tests.tools.procedure.phrasings import NOTHING, Phrasing, phrasings

ALL = list(phrasings())


def test_there_are_at_least_three_hundred_phrasings() -> None:
    assert len(ALL) >= 300


@pytest.mark.parametrize("phrasing", ALL, ids=lambda phrasing: phrasing.text)
def test_a_phrasing_is_read_with_its_bounds_and_its_quantity(phrasing: Phrasing) -> None:
    (found,) = find_ranges(phrasing.text)
    assert (found.low, found.high, found.unit) == (phrasing.low, phrasing.high, phrasing.unit)
    assert found.inclusive == phrasing.inclusive
    assert found.negated == phrasing.negated
    assert phrasing.quantity in f"{found.quantity} {found.after}".lower()


@pytest.mark.parametrize("text", NOTHING)
def test_dates_versions_numbers_of_parts_and_set_values_are_no_ranges(text: str) -> None:
    assert find_ranges(text) == []


def test_two_readings_of_one_step_are_two_ranges() -> None:
    found = find_ranges("Check 400 V ± 10 % and 50 Hz ± 1 Hz.")
    assert [(one.low, one.high, one.unit) for one in found] == [(360, 440, "V"), (49, 51, "Hz")]


def test_variants_before_the_values_are_kept_apart() -> None:
    found = find_ranges("Suction pressure: PX-400 2.0 to 3.0 bar, PX-250 1.2 to 1.8 bar.")
    assert [(one.variant, one.low, one.high) for one in found] == [("PX-400", 2.0, 3.0), ("PX-250", 1.2, 1.8)]


def test_a_bound_in_brackets_is_that_of_another_variant() -> None:
    first, second = find_ranges("Flow must not dip below 380 L/min (PX-250: 210 L/min).")
    assert (first.low, first.variant) == (380, "")
    assert (second.low, second.high, second.variant, second.negated) == (210, None, "PX-250", True)


def test_a_column_lends_its_unit_and_its_quantity() -> None:
    (found,) = find_ranges("24.0 to 27.0", unit="%", quantity="glycol")
    assert (found.low, found.high, found.unit, found.quantity) == (24.0, 27.0, "%", "glycol")


def test_acidity_has_no_unit() -> None:
    (found,) = find_ranges("If the pH is below 6.5, stop.")
    assert (found.low, found.high, found.conditional) == (None, 6.5, True)
