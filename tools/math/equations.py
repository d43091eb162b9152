"""Equations and ODEs: dimensions are checked on the host, solutions are computed by sympy and mpmath in the sandbox.

Equation text comes from a model, so sympy never parses it on the host. It enters the sandbox as data; the programs in
`programs/` are fixed.
"""

from importlib.resources import files
from typing import Any, Literal

from pydantic import Field, JsonValue

from soprag.tools.history import StepFailure
from soprag.tools.math.expression import FormulaFault, evaluate, names, quantity
from soprag.tools.math.tool import Computed, MathTool, Named, fail
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sandbox import Program, Sandbox
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import UnitFault, base, convert, si


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
    """The values of the unknowns; the solution is checked by back-substitution into every equation."""
    try:
        sides = [_sides(text) for text in call.equations]
        _check_units(call, sides)
        knowns = {item.name: si(item.quantity) for item in call.knowns}
        unknowns: list[JsonValue] = [_base_unknown(unknown) for unknown in call.unknowns]
    except UnitFault as error:
        return error.failure
    except FormulaFault as error:
        return fail("arguments", str(error))
    inputs: dict[str, JsonValue] = {
        "equations": [f"({lhs}) - ({rhs})" for lhs, rhs in sides],
        "knowns": dict(knowns),
        "unknowns": unknowns,
    }
    outcome = await sandbox.run(Program(_program("solve"), inputs))
    return outcome.failure or _named(
        outcome.value, [(unknown.name, unknown.unit) for unknown in call.unknowns], "sympy"
    )


async def integrate(sandbox: Sandbox, call: IntegrateOde) -> Computed | StepFailure:
    """The states at the time asked for, by an adaptive Runge-Kutta method of order 5(4)."""
    try:
        _check_rates(call)
        knowns = {item.name: si(item.quantity) for item in call.knowns}
        initial = [si(Named(name=state.name, value=state.initial, unit=state.unit).quantity) for state in call.states]
        until = convert(call.until, call.unit, "s")
    except UnitFault as error:
        return error.failure
    except FormulaFault as error:
        return fail("arguments", str(error))
    inputs: dict[str, JsonValue] = {
        "rates": [state.rate for state in call.states],
        "states": [state.name for state in call.states],
        "initial": list(initial),
        "knowns": dict(knowns),
        "until": until,
    }
    outcome = await sandbox.run(Program(_program("integrate"), inputs))
    return outcome.failure or _named(
        outcome.value, [(state.name, state.unit) for state in call.states], "Runge-Kutta 5(4), relative tolerance 1e-9"
    )


def _program(name: str) -> str:
    return (files("soprag.tools.math") / "programs" / f"{name}.py").read_text(encoding="utf-8")


def _sides(text: str) -> tuple[str, str]:
    lhs, sign, rhs = text.replace("==", "=").partition("=")
    if not sign or "=" in rhs:
        raise FormulaFault(f"{text!r} is no equation; write one '=' between two formulas.")
    names(lhs), names(rhs)  # raises for anything but arithmetic
    return lhs.strip(), rhs.strip()


def _check_units(call: SolveEquations, sides: list[tuple[str, str]]) -> None:
    """Both sides must have one dimension, whatever the unknowns are; raises `UnitFault`."""
    values = {item.name: quantity(item.value, item.unit) for item in call.knowns}
    values |= {unknown.name: quantity(_sample(unknown), unknown.unit) for unknown in call.unknowns}
    for lhs, rhs in sides:
        lhs_dimension, rhs_dimension = (_dimension(evaluate(side, values)) for side in (lhs, rhs))
        if lhs_dimension != rhs_dimension and "0" not in (lhs, rhs):
            raise UnitFault(
                f"In {lhs} = {rhs!s} the left side has the dimension {lhs_dimension} "
                f"and the right side {rhs_dimension}; a quantity has the wrong unit, or a factor is missing."
            )


def _sample(unknown: Unknown) -> float:
    inside = unknown.guess or 1.0
    return inside if unknown.lower is None or inside > unknown.lower else unknown.lower + 1.0


def _check_rates(call: IntegrateOde) -> None:
    values = {item.name: quantity(item.value, item.unit) for item in call.knowns}
    values |= {state.name: quantity(state.initial or 1.0, state.unit) for state in call.states}
    values["t"] = quantity(call.until, call.unit)
    for state in call.states:
        required = _dimension(values[state.name] / values["t"])
        dimension = _dimension(evaluate(state.rate, values))
        if dimension != required and state.rate.strip() != "0":
            raise UnitFault(
                f"The rate {state.rate!r} of {state.name!r} has the dimension {dimension}; it must have {required}."
            )


def _dimension(value: Any) -> str:  # noqa: ANN401 - a float or a pint quantity
    return str(value.dimensionality) if hasattr(value, "dimensionality") else "dimensionless"


def _base_unknown(unknown: Unknown) -> dict[str, JsonValue]:
    def to_base(value: float | None) -> float | None:
        return None if value is None else si(Named(name="x", value=value, unit=unknown.unit).quantity)

    return {
        "name": unknown.name,
        "guess": to_base(unknown.guess),
        "lower": to_base(unknown.lower),
        "upper": to_base(unknown.upper),
    }


def _named(value: JsonValue, targets: list[tuple[str, str]], method: str) -> Computed | StepFailure:
    if not isinstance(value, list) or len(value) != len(targets):
        return fail("runtime", "The solver gave no numbers.")
    numbers = [float(number) for number in value if isinstance(number, int | float)]
    quantities = [
        Named(name=name, value=convert(number, base(unit), unit) if unit else number, unit=unit)
        for number, (name, unit) in zip(numbers, targets, strict=True)
    ]
    return Computed(values=tuple(quantities), method=method)


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
