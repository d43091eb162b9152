"""Every law is consistent in its dimensions, and solves for what is asked."""

import re

import pytest

from soprag.tools.history import StepFailure
from soprag.tools.math.conversion import DimensionCheck, dimension_check
from soprag.tools.math.expression import evaluate, names, quantity
from soprag.tools.math.formulas import FUNCTIONS
from soprag.tools.math.laws import ApplyLaw, Law, compute, laws
from soprag.tools.math.tool import Computed, Named


def inside(law: Law, name: str) -> float:
    """A value that is possible, the later slots larger, so that differences stay positive."""
    slot = law.slots[name]
    if slot.default is not None:
        return slot.default
    if slot.upper <= 2:
        return slot.lower + (0.6 if name.endswith(("p", "d")) else 0.3) * (slot.upper - slot.lower)
    return max(slot.lower, 0.0) + 1.0 + 0.1 * list(law.slots).index(name)


@pytest.mark.parametrize("law", laws().values(), ids=lambda law: law.name)
def test_both_sides_of_every_equation_have_one_dimension(law: Law) -> None:
    known = {name: quantity(inside(law, name), slot.unit) for name, slot in law.slots.items()}
    known |= {name: quantity(300.0 + 40 * ("1" in name), "K") for name, one in law.slots.items() if one.unit == "K"}
    for equation in law.equations:
        left, right = equation.split("=")
        if any(name in FUNCTIONS for name in re.findall(r"\w+(?=\()", right)):
            continue  # properties are asked for possible states only; the problems test them
        values = {**known, **{one: quantity(1.0, "") for one in names(right) - set(known)}}
        if all(one in law.slots for one in names(right) | {left.strip()}):
            made = evaluate(right, values, FUNCTIONS)
            unit = quantity(1.0, law.slots[left.strip()].unit)
            dimension = made.dimensionality if hasattr(made, "dimensionality") else quantity(1, "").dimensionality
            assert dimension == unit.dimensionality, equation


@pytest.mark.parametrize("law", laws().values(), ids=lambda law: law.name)
def test_every_slot_is_used_and_every_pattern_can_be_read(law: Law) -> None:
    used = set().union(*(names(side) for one in law.equations for side in one.split("=")))
    for name, slot in law.slots.items():
        assert name in used or slot.spare or slot.default is not None, name
        for pattern in (*slot.read, slot.ask):
            re.compile(pattern.replace("<>", r"«(\d+)»"))


def call(law: str, unknown: str, to: str, **knowns: tuple[float, str]) -> Computed | StepFailure:
    named = [Named(name=name, value=value, unit=unit) for name, (value, unit) in knowns.items()]
    return compute(ApplyLaw(law=law, knowns=named, unknown=unknown, to=to))


def test_the_worked_example_of_peoa_is_22_58_cubic_metres() -> None:
    made = call("ideal_gas", "V", "m^3", m=(88, "lb"), M=(44.0095, "g/mol"), T=(15, "degC"), p=(32.2, "ft_H2O"))
    assert isinstance(made, Computed)
    assert made.first.value == pytest.approx(22.58, abs=0.005)


async def test_its_wrong_route_is_a_dimension_error() -> None:
    knowns = [
        Named(name="n", value=2),
        Named(name="R", value=0.08206, unit="L*atm/(mol*K)"),
        Named(name="T", value=288, unit="K"),
        Named(name="p", value=32.2, unit="ft_H2O"),
    ]
    made = await dimension_check(DimensionCheck(expression="n*R*T/p", knowns=knowns, to="L"))
    assert isinstance(made, StepFailure)
    assert made.kind == "dimension"


def test_a_law_is_solved_backwards_too() -> None:
    there = call("pump_power", "P", "kW", flow=(80, "m^3/h"), rho=(998, "kg/m^3"), H=(30, "m"), eta=(70, "percent"))
    assert isinstance(there, Computed)
    back = call(
        "pump_power",
        "H",
        "m",
        flow=(80, "m^3/h"),
        rho=(998, "kg/m^3"),
        eta=(70, "percent"),
        P=(there.first.value, "kW"),
    )
    assert isinstance(back, Computed)
    assert back.first.value == pytest.approx(30, rel=1e-6)


def test_a_quantity_of_another_dimension_is_refused() -> None:
    made = call("pump_power", "P", "kW", flow=(80, "kg/h"), rho=(998, "kg/m^3"), H=(30, "m"))
    assert isinstance(made, StepFailure)
    assert made.kind == "dimension"


def test_an_efficiency_above_one_is_refused() -> None:
    made = call("pump_power", "P", "kW", flow=(80, "m^3/h"), rho=(998, "kg/m^3"), H=(30, "m"), eta=(170, "percent"))
    assert isinstance(made, StepFailure)


def test_what_does_not_follow_is_said() -> None:
    made = call("pump_power", "P", "kW", flow=(80, "m^3/h"))
    assert isinstance(made, StepFailure)
    assert "does not follow" in made.message
