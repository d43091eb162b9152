"""Constants of chemical components (molar mass, boiling point, critical point) from the tables of `chemicals`."""

import asyncio
from typing import Literal

from pydantic import Field

from soprag.tools.history import StepFailure
from soprag.tools.math.tool import Computed, MathTool, Named, fail
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sop import Frozen


class ComponentConstants(Frozen):
    """Look up the constants of a pure component."""

    tool: Literal["component_constants"] = "component_constants"
    component: str = Field(description="a name, a formula or a CAS number, such as toluene or 108-88-3")


async def component_constants(call: ComponentConstants) -> Computed | StepFailure:
    """All tabulated constants of the component, with units."""
    return await asyncio.to_thread(compute, call.component)


def compute(component: str) -> Computed | StepFailure:
    """`component_constants`, synchronously."""
    try:
        import chemicals
    except ImportError:
        return fail("unavailable", "The tables of components are not installed: `pip install soprag[components]`.")
    try:
        cas = chemicals.CAS_from_any(component)
    except ValueError:
        return fail("arguments", f"{component!r} is no component of the tables; try its systematic name or CAS number.")
    constants = (
        ("molar_mass", chemicals.MW(cas), "g/mol"),
        ("boiling_point", chemicals.Tb(cas), "K"),
        ("melting_point", chemicals.Tm(cas), "K"),
        ("critical_temperature", chemicals.Tc(cas), "K"),
        ("critical_pressure", chemicals.Pc(cas), "Pa"),
        ("acentric_factor", chemicals.omega(cas), ""),
        ("flash_point", chemicals.T_flash(cas), "K"),
        ("lower_flammability_limit", chemicals.LFL(CASRN=cas), ""),
        ("upper_flammability_limit", chemicals.UFL(CASRN=cas), ""),
    )
    values = tuple(
        Named(name=name, value=float(value), unit=unit) for name, value, unit in constants if value is not None
    )
    return Computed(values=values, method=f"tables of `chemicals`, CAS {cas}")


TOOLS = (
    MathTool(
        ToolProtocol(
            name="component_constants",
            purpose="Look up molar mass, boiling, melting and critical point, acentric factor and flammability limits.",
            when_to_use="A constant of a pure chemical is needed.",
            when_not="A property depends on temperature or pressure; use fluid_property.",
            arguments=ComponentConstants,
            response=Computed,
            side_effect="pure",
            errors=("arguments", "unavailable"),
        ),
        component_constants,
    ),
)
