"""Numbers as texts write them have one value, and a number that is cut short has none."""

import re

import pytest

from soprag.tools.units.numerals import FRACTION, NUMERAL, value_of
from soprag.tools.units.reading import quantity_of


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("−5", -5),
        ("–18", -18),
        ("1,200.5", 1200.5),
        ("1.200,5", 1200.5),
        ("10 000", 10000),
        ("1 000", 1000),
        ("4,2", 4.2),
        ("0,125", 0.125),
        (".5", 0.5),
        ("1½", 1.5),
        ("1 1/4", 1.25),
        ("2 million", 2e6),
        ("5x10^-2", 0.05),
        ("5 × 10⁻²", 0.05),
        ("2·10-3", 0.002),
        ("5*10^{-3}", 0.005),
        ("10^-4", 1e-4),
        ("3e-6", 3e-6),
        ("1,5E3", 1500),
    ],
)
def test_a_number_is_read_as_it_is_written(written: str, value: float) -> None:
    assert re.fullmatch(f"{NUMERAL}|{FRACTION}", written)
    assert value_of(written) == pytest.approx(value)


@pytest.mark.parametrize("text", ["1E-9 mbar", "1,200 bar", "2.5 bar", "10 000 l"])
def test_no_part_of_a_number_is_read_as_a_number(text: str) -> None:
    found = re.match(NUMERAL, text)
    assert found
    assert text[found.end() :].startswith(" ")
    assert not re.match(rf"{NUMERAL}(?=\W\d|\d|E)", text)


def test_an_operator_may_write_powers_of_ten() -> None:
    given = quantity_of("4x10^-2 mbar")
    assert given
    assert (given[0].value, given[0].unit) == (pytest.approx(0.04), "mbar")
