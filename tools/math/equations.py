"""Equations and differential equations: checked for their units here, solved by sympy and mpmath inside the sandbox.

Their text comes from a model, so it is never given to sympy on the host. It goes into the sandbox as data; the programs
below are ours and are the same for every call.
"""

from importlib.resources import files
from typing import Any, Literal

from pydantic import Field, JsonValue

from tools.history import StepFailure
from tools.math.expression import FormulaFault, evaluate, names, quantity
from tools.math.tool import Computed, MathTool, Named, fail
from tools.math.units import UnitFault, base, convert, si
from tools.protocols import ToolProtocol
from tools.sandbox import Program, Sandbox
from tools.sop import Frozen


class Unknown(Frozen):
    """A quantity to be found."""

    name: str = Field(pattern=r"^[A-Za-z]\w{0,30}$")
    unit: str = Field(default="", description="the unit it is wanted in")
    guess: float = Field(default=1.0, description="a rough value in that unit, where a numeric search begins")
    lower: float | None = Field(default=None, description="the least value that is possible, in that unit")
    upper: float | None = Field(default=None, description="the greatest value that is possible, in that unit")


class SolveEquations(Frozen):
    """Solve equations for their unknowns."""

    tool: Literal["solve_equations"] = "solve_equations"
    equations: list[str] = Field(min_length=1, max_length=20, description="such as 'm*c*(T2 - T1) = Q'")
    knowns: list[Named] = Field(description="every quantity with a value, constants too")
    unknowns: list[Unknown] = Field(min_length=1, max_length=20, description="the one that was asked for comes first")


class Rate(Frozen):
    """One state of a differential equation."""

    name: str = Field(pattern=r"^[A-Za-z]\w{0,30}$")
    rate: str = Field(description="its derivative as a formula over states, knowns and the time t")
    initial: float
    unit: str = Field(default="", description="of the state")


class IntegrateOde(Frozen):
    """Integrate ordinary differential equations from an initial state."""

    tool: Literal["integrate_ode"] = "integrate_ode"
    states: list[Rate] = Field(min_length=1, max_length=12, description="the one that was asked for comes first")
    knowns: list[Named] = Field(description="every other quantity of the rates")
    until: float = Field(gt=0, description="the time at which the states are wanted")
    unit: str = Field(default="s", description="unit of that time")


async def solve(sandbox: Sandbox, call: SolveEquations) -> Computed | StepFailure:
    """The unknowns, back-substituted into every equation."""
    try:
        sides = [_sides(text) for text in call.equations]
        _check_units(call, sides)
        knowns = {one.name: si(one.quantity) for one in call.knowns}
        unknowns: list[JsonValue] = [_base_unknown(one) for one in call.unknowns]
    except UnitFault as wrong:
        return wrong.failure
    except FormulaFault as wrong:
        return fail("arguments", str(wrong))
    inputs: dict[str, JsonValue] = {
        "equations": [f"({left}) - ({right})" for left, right in sides],
        "knowns": dict(knowns),
        "unknowns": unknowns,
    }
    outcome = await sandbox.run(Program(_program("solve"), inputs))
    return outcome.failure or _named(outcome.value, [(one.name, one.unit) for one in call.unknowns], "sympy")


async def integrate(sandbox: Sandbox, call: IntegrateOde) -> Computed | StepFailure:
    """The states at the time asked for, by an adaptive Runge-Kutta method of order 5(4)."""
    try:
        _check_rates(call)
        knowns = {one.name: si(one.quantity) for one in call.knowns}
        initial = [si(Named(name=one.name, value=one.initial, unit=one.unit).quantity) for one in call.states]
        until = convert(call.until, call.unit, "s")
    except UnitFault as wrong:
        return wrong.failure
    except FormulaFault as wrong:
        return fail("arguments", str(wrong))
    inputs: dict[str, JsonValue] = {
        "rates": [one.rate for one in call.states],
        "states": [one.name for one in call.states],
        "initial": list(initial),
        "knowns": dict(knowns),
        "until": until,
    }
    outcome = await sandbox.run(Program(_program("integrate"), inputs))
    return outcome.failure or _named(
        outcome.value, [(one.name, one.unit) for one in call.states], "Runge-Kutta 5(4), relative tolerance 1e-9"
    )


def _program(name: str) -> str:
    return (files("tools.math") / "programs" / f"{name}.py").read_text(encoding="utf-8")


def _sides(text: str) -> tuple[str, str]:
    left, sign, right = text.replace("==", "=").partition("=")
    if not sign or "=" in right:
        raise FormulaFault(f"{text!r} is no equation; write one '=' between two formulas.")
    names(left), names(right)  # raises for anything but arithmetic
    return left.strip(), right.strip()


def _check_units(call: SolveEquations, sides: list[tuple[str, str]]) -> None:
    """Both sides must have one dimension, whatever the unknowns are; raises `UnitFault`."""
    values = {one.name: quantity(one.value, one.unit) for one in call.knowns}
    values |= {one.name: quantity(_sample(one), one.unit) for one in call.unknowns}
    for left, right in sides:
        one, other = (_dimension(evaluate(side, values)) for side in (left, right))
        if one != other and "0" not in (left, right):
            raise UnitFault(
                f"In {left} = {right!s} the left side has the dimension {one} and the right side {other}; "
                "a quantity has the wrong unit, or a factor is missing."
            )


def _sample(one: Unknown) -> float:
    inside = one.guess or 1.0
    return inside if one.lower is None or inside > one.lower else one.lower + 1.0


def _check_rates(call: IntegrateOde) -> None:
    values = {one.name: quantity(one.value, one.unit) for one in call.knowns}
    values |= {one.name: quantity(one.initial or 1.0, one.unit) for one in call.states}
    values["t"] = quantity(call.until, call.unit)
    for one in call.states:
        wanted = _dimension(values[one.name] / values["t"])
        made = _dimension(evaluate(one.rate, values))
        if made != wanted and one.rate.strip() != "0":
            raise UnitFault(f"The rate {one.rate!r} of {one.name!r} has the dimension {made}; it must have {wanted}.")


def _dimension(value: Any) -> str:  # noqa: ANN401 - a float or a pint quantity
    return str(value.dimensionality) if hasattr(value, "dimensionality") else "dimensionless"


def _base_unknown(one: Unknown) -> dict[str, JsonValue]:
    def to_base(value: float | None) -> float | None:
        return None if value is None else si(Named(name="x", value=value, unit=one.unit).quantity)

    return {"name": one.name, "guess": to_base(one.guess), "lower": to_base(one.lower), "upper": to_base(one.upper)}


def _named(value: JsonValue, wanted: list[tuple[str, str]], method: str) -> Computed | StepFailure:
    if not isinstance(value, list) or len(value) != len(wanted):
        return fail("runtime", "The solver gave no numbers.")
    found = [float(one) for one in value if isinstance(one, int | float)]
    made = [
        Named(name=name, value=convert(one, base(unit), unit) if unit else one, unit=unit)
        for one, (name, unit) in zip(found, wanted, strict=True)
    ]
    return Computed(values=tuple(made), method=method)


def tools(sandbox: Sandbox) -> tuple[MathTool, ...]:
    """Both tools, working in `sandbox`."""

    async def solving(call: SolveEquations) -> Computed | StepFailure:
        return await solve(sandbox, call)

    async def integrating(call: IntegrateOde) -> Computed | StepFailure:
        return await integrate(sandbox, call)

    return (
        MathTool(
            ToolProtocol(
                name="solve_equations",
                purpose="Solve one equation or a system for its unknowns, with units.",
                when_to_use="Balances or relations are known and some of their quantities are not.",
                when_not="The unknown changes with time by a rate; use integrate_ode.",
                arguments=SolveEquations,
                response=Computed,
                side_effect="pure",
                errors=("dimension", "arguments", "empty", "timeout", "inconsistent"),
            ),
            solving,
        ),
        MathTool(
            ToolProtocol(
                name="integrate_ode",
                purpose="Integrate ordinary differential equations over time, with units.",
                when_to_use="Rates of change are known, and a state is wanted at a later time.",
                when_not="The system is very stiff, or is at a steady state; use solve_equations for that.",
                arguments=IntegrateOde,
                response=Computed,
                side_effect="pure",
                errors=("dimension", "arguments", "timeout", "runtime"),
            ),
            integrating,
        ),
    )
