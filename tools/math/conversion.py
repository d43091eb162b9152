"""Two tools: unit conversion, and evaluation of a formula with a check of its dimensions."""

from typing import Literal

from pydantic import Field

from soprag.tools.history import StepFailure
from soprag.tools.math.expression import FormulaFault, evaluate, quantity
from soprag.tools.math.tool import Computed, MathTool, Named, fail
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import UnitFault, convert, parsed


class UnitConvert(Frozen):
    """Convert one quantity into another unit."""

    tool: Literal["unit_convert"] = "unit_convert"
    value: float
    unit: str = Field(description="its unit, such as psi")
    to: str = Field(description="the unit it is wanted in, such as bar")


class DimensionCheck(Frozen):
    """Evaluate a formula with units."""

    tool: Literal["dimension_check"] = "dimension_check"
    expression: str = Field(description="arithmetic over the names of `knowns`, such as n*R*T/p; ** is the power")
    knowns: list[Named] = Field(description="every quantity of the formula, constants too, each with its unit")
    to: str = Field(description="the unit that the result must have, such as m^3")


async def unit_convert(call: UnitConvert) -> Computed | StepFailure:
    """Convert; another dimension is a failure of kind `dimension`."""
    try:
        converted = Named(name="converted", value=convert(call.value, call.unit, call.to), unit=call.to)
    except UnitFault as error:
        return error.failure
    return Computed(values=(converted,), method=f"{call.unit} to {call.to}")


async def dimension_check(call: DimensionCheck) -> Computed | StepFailure:
    """Evaluate with pint; units that do not give `to` are a failure of kind `dimension`."""
    try:
        values = {item.name: quantity(item.value, item.unit) for item in call.knowns}
        value = evaluate(call.expression, values)
        target = parsed(call.to)
        result_quantity = value if hasattr(value, "to") else quantity(float(value), "")
        if result_quantity.dimensionality != target.dimensionality:
            return fail(
                "dimension", _mismatch(call, f"{result_quantity.units:~C}", str(result_quantity.dimensionality))
            )
        result = Named(name="result", value=float(result_quantity.to(target).magnitude), unit=call.to)
    except UnitFault as error:
        return error.failure
    except (FormulaFault, OverflowError) as error:
        return fail("arguments", str(error))
    return Computed(values=(result,), method=call.expression)


def _mismatch(call: DimensionCheck, unit: str, dimension: str) -> str:
    target = call.to or "a plain number"
    return (
        f"{call.expression!r} has the unit {unit or '1'} ({dimension}), and not that of {target}: "
        "a quantity has the wrong unit, or a factor such as a density or a molar mass is missing."
    )


TOOLS = (
    MathTool(
        ToolProtocol(
            name="unit_convert",
            purpose="Convert a quantity into another unit.",
            when_to_use="A value is known and only its unit must change.",
            when_not="The dimension changes too, as from mass to volume; use a law or a formula with the density.",
            arguments=UnitConvert,
            response=Computed,
            side_effect="pure",
            errors=("dimension",),
        ),
        unit_convert,
    ),
    MathTool(
        ToolProtocol(
            name="dimension_check",
            purpose="Evaluate a formula with the units of all its quantities, and refuse when they do not go together.",
            when_to_use="The formula is known and all its quantities too; also to check a formula before it is used.",
            when_not="An unknown must be solved for; use solve_equations.",
            arguments=DimensionCheck,
            response=Computed,
            side_effect="pure",
            errors=("dimension", "arguments"),
        ),
        dimension_check,
    ),
)
