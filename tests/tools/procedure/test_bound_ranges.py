"""Ranges bound to what was read above them, and tables with limits for a model each."""

import pytest

from soprag.tools.procedure.procedure import ProcedureRange
from soprag.tools.procedure.ranges.ranges import find_ranges
from soprag.tools.procedure.reader import read_procedure


def _ranges(*lines: str) -> tuple[ProcedureRange, ...]:
    return read_procedure("# Test\n\n" + "\n".join(lines) + "\n").ranges


_MODELS = (
    "| Model | Evaporator flow | Condenser flow |",
    "|---|---|---|",
    "| C450 | 55 to 75 l/s | 70 to 90 l/s |",
    "| S320 | 38 to 52 l/s | 48 to 64 l/s |",
)


@pytest.mark.parametrize("rest", ["", " If one of them lies outside, go back to step 1."])
def test_a_table_by_model_holds_a_range_of_each_quantity_for_each_model(rest: str) -> None:
    found = _ranges(
        "1. Start the pump.", f"2. Compare both flows with the table.{rest}", "", *_MODELS, "", "3. Log it."
    )
    assert {(one.variant, one.quantity, one.low, one.high) for one in found} == {
        ("C450", "Evaporator flow", 55, 75),
        ("C450", "Condenser flow", 70, 90),
        ("S320", "Evaporator flow", 38, 52),
        ("S320", "Condenser flow", 48, 64),
    }
    assert len({one.step for one in found}) == 1 and {one.use for one in found} == {"accept"}


def test_a_table_that_a_step_points_at_is_its_own_whatever_it_orders() -> None:
    found = _ranges(
        "1. Tighten the terminals to the torque in this table:",
        "",
        "   | Terminal | Torque |",
        "   |---|---|",
        "   | M6 | 5 to 6 Nm |",
        "   | M8 | 9 to 11 Nm |",
        "",
        "2. Log it.",
    )
    assert [(one.variant, one.quantity, one.low, one.high) for one in found] == [
        ("M6", "Torque", 5, 6),
        ("M8", "Torque", 9, 11),
    ]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("Read the level of the tank. If it is below 3.2 m, start the pump.", "level"),
        ("Measure the resistance of both links. If either has more than 0.2 ohm, clean the links.", "resistance"),
        ("Read the gap at the door. With more than 5 mm, call the lead.", "gap"),
        ("Read the load. At 10 % or less, go on with step 2.", "load"),
    ],
)
def test_a_bound_without_a_name_is_of_what_was_read_before(step: str, words: str) -> None:
    [found] = _ranges(f"1. {step}", "2. Log it.")
    assert words in found.quantity.lower() and found.use == "branch"


def test_a_bound_names_what_it_is_of() -> None:
    [found] = find_ranges("no more than 50 ml of water and sediment lie at the bottom")
    assert found.quantity.startswith("water sediment")


@pytest.mark.parametrize("text", ["Top the tank up to 80 % from the bulk tank.", "Heat the fluid up to 60 °C."])
def test_what_something_is_brought_up_to_is_no_limit(text: str) -> None:
    assert find_ranges(text) == []


def test_the_words_of_a_case_name_its_quantity_before_the_head_of_its_column() -> None:
    found = _ranges(
        "1. Choose the way on.",
        "",
        "| Result of the sample | Way on |",
        "|---|---|",
        "| Glycol content below 23 % | Exchange the canister. |",
        "| Glycol content above 27 % | Add water. |",
    )
    assert {one.quantity for one in found} == {"Glycol content"}
