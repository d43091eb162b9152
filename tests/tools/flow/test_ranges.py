import pytest

from soprag.tools.procedure.ranges.comparisons import GivenReading, comparison
from soprag.tools.procedure.ranges.reading_range import Range, demands
from soprag.tools.units.numerals import value_of
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import convert, quantity_of
from tests.tools.rules.reading import views


def ranges(text: str) -> tuple[Range, ...]:
    """What the steps of a procedure with one numbered item demand."""
    flow = views(f"1. {text}\n").flow
    return tuple(one for step in flow.steps for one in demands(step.text, step.ranges))


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("Check that the pressure is between 4 and 6 bar.", 4, 6, "bar"),
        ("Temperature: <= 45 degC", None, 45, "°C"),
        ("It must read 4.2 +/- 0.2 bar.", 4.0, 4.4, "bar"),
        ("Set the flow to at least 30 l/min.", 30, None, "l/min"),
        ("Output 400 V ± 2 %.", 392, 408, "V"),
        ("Torque: 11 N·m ± 1 N·m", 10, 12, "N·m"),
        ("Read the gauge (1.2-2.0 bar).", 1.2, 2.0, "bar"),
        ("from 18 °C to 25 °C", 18, 25, "°C"),
        ("-12 °C to -5 °C", -12, -5, "°C"),
        ("The noise is max. 46 dB.", None, 46, "dB"),
        ("must not exceed 50 °C", None, 50, "°C"),
        ("at least 1,200 litres", 1200, None, "l"),
        ("4,2 bis, that is 4,2 to 4,6 bar", 4.2, 4.6, "bar"),
        ("6 bar or more", 6, None, "bar"),
        ("no more than 2.0 bar", None, 2.0, "bar"),
        ("85 Pa minimum", 85, None, "Pa"),
        ("Never set it below 16 °C.", 16, None, "°C"),
    ],
)
def test_a_range_is_read_as_the_sop_states_it(text: str, low: float | None, high: float | None, unit: str) -> None:
    assert [(one.low, one.high, one.unit) for one in ranges(text)] == [(low, high, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "If the pressure is below 4 bar, open V-1.",
        "Wait 5 to 10 minutes.",
        "Repeat steps 3 to 5.",
        "Use 2 to 3 people.",
        "Close V-1; otherwise, if above 6 bar, call the lead.",
        "Call extension 4400.",
    ],
)
def test_conditions_durations_and_counts_are_no_ranges(text: str) -> None:
    assert ranges(text) == ()


def test_only_a_step_that_reads_something_asks_for_a_value() -> None:
    assert ranges("Measure the voltage: 392-408 V.")[0].required
    assert not ranges("Stay at least 3 m away.")[0].required


@pytest.mark.parametrize(
    ("reply", "inside"),
    [("5 bar", True), ("500 kPa", True), ("0.3 MPa", False), ("4", True), ("4 bar", True), ("6.01 bar", False)],
)
def test_a_value_is_compared_in_any_unit_of_the_same_kind(reply: str, inside: bool) -> None:
    given = quantity_of(reply)
    assert given
    assert ranges("between 4 and 6 bar")[0].holds(given[0]) is inside


def test_what_does_not_measure_the_same_is_neither_inside_nor_outside() -> None:
    assert ranges("between 4 and 6 bar")[0].holds(Quantity(value=5, unit="°C")) is None


def test_an_open_bound_is_outside_itself() -> None:
    below = ranges("below 2 bar")[0]
    assert (below.holds(Quantity(value=2, unit="bar")), below.holds(Quantity(value=1.99, unit="bar"))) == (
        False,
        True,
    )


def test_temperatures_are_converted_with_their_offset() -> None:
    assert convert(Quantity(value=41, unit="°F"), "degC") == pytest.approx(5)
    assert convert(Quantity(value=300, unit="K"), "°C") == pytest.approx(26.85)


@pytest.mark.parametrize(("written", "value"), [("1,200", 1200), ("4,2", 4.2), ("1,200.5", 1200.5), ("−3", -3)])
def test_a_comma_groups_thousands_or_is_a_point(written: str, value: float) -> None:
    assert value_of(written) == value


def test_a_comparison_is_decided_by_a_reading_of_the_same_thing() -> None:
    compared = comparison("the pressure is below 4 bar")
    assert compared
    oil = GivenReading(node="s1", quantity=Quantity(value=3, unit="bar"), about="Read the oil level.")
    read = GivenReading(node="s2", quantity=Quantity(value=3.1, unit="bar"), about="Read the pressure.")
    assert compared.decide((oil,), "s9") is None
    assert compared.decide((read, oil), "s9") == (True, read)


@pytest.mark.parametrize(
    "condition",
    [
        "the pressure is below 4 bar and the pump runs",
        "it stays above 45 °C for more than 10 minutes",
        "the lamp is red",
        "the pressure is not above 4 bar",
    ],
)
def test_what_a_reading_alone_cannot_answer_is_no_comparison(condition: str) -> None:
    assert comparison(condition) is None


def test_a_unit_that_is_not_known_is_checked_as_it_is_written() -> None:
    airspeed = ranges("Check that the airspeed is at or above 450 KIAS.")[0]
    slow, fast = quantity_of("440 KIAS"), quantity_of("4.6x10^2 KIAS")
    assert slow and fast
    assert (airspeed.holds(slow[0]), airspeed.holds(fast[0])) == (False, True)
    assert airspeed.holds(Quantity(value=460, unit="°C")) is None
