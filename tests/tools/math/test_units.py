"""Quantities keep their dimension, however their unit is written."""

import pytest

from soprag.tools.units import reading
from soprag.tools.units.quantity import Quantity, UnitFault, convert, is_unit, same_dimension


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("kJ/(kg·K)", "kJ/(kg*K)"),
        ("m³/h", "m^3/hour"),
        ("W/(m²·K)", "W/m^2/K"),
        ("ft of water", "ft_H2O"),
        ("bar absolute", "bar"),
        ("gpm", "gallon/minute"),
        ("lb-mol", "lbmol"),
        ("kg m^-3", "kg/m^3"),
        ("mol%", "percent"),
        ("m3/kg", "m^3/kg"),
        ("°F", "degF"),
    ],
)
def test_a_unit_is_read_as_people_write_it(written: str, plain: str) -> None:
    assert convert(1.0, written, plain) == pytest.approx(1.0)


def test_gauge_pressures_and_temperatures_have_their_offset() -> None:
    assert convert(0, "barg", "bar") == pytest.approx(1.01325)
    assert convert(15, "degC", "K") == pytest.approx(288.15)


def test_another_dimension_is_a_repairable_failure() -> None:
    with pytest.raises(UnitFault) as caught:
        Quantity(value=3, unit="kg").to("m^3")
    assert caught.value.failure.kind == "dimension"


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "kg; import os", "foo", "9**9**9", "m**9**9**9", "(9)**9**9", "2^9^9 m", "9e9 m", "kg" * 60],
)
def test_what_is_no_unit_is_refused(text: str) -> None:
    assert not is_unit(text)


def test_dimensions_are_compared_and_not_names() -> None:
    assert same_dimension("bar", "N/mm^2")
    assert not same_dimension("kW", "kWh")


def test_a_quantity_reads_well() -> None:
    assert Quantity(value=22.5768, unit="m^3").words() == "22.58 m³"


@pytest.mark.parametrize(
    ("value", "unit", "to", "converted"),
    [
        (2.0, "MW", "kW", 2000),
        (2.0, "mw", "W", 0.002),
        (3000, "rpm", "Hz", 50),
        (1.0, "lb-ft", "Nm", 1.355818),
        (30, "LPM", "l/s", 0.5),
        (5, "Nm", "J", None),
        (5, "%", "deg", None),
    ],
)
def test_an_operator_writes_units_in_any_case_and_kinds_are_never_mixed(
    value: float, unit: str, to: str, converted: float | None
) -> None:
    result = reading.convert(Quantity(value=value, unit=unit), to)
    assert result == (None if converted is None else pytest.approx(converted, rel=1e-6))
