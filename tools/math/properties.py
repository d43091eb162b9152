"""Fluid properties from CoolProp's reference equations of state, with units and a check of the state."""

import asyncio
import math
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Literal, get_args

from pydantic import Field

from soprag.tools.history import StepFailure
from soprag.tools.math.tool import Computed, MathTool, Named, fail
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import UnitFault, convert

StateName = Literal["temperature", "pressure", "density", "enthalpy", "entropy", "internal_energy", "quality"]
PropertyName = Literal[
    "temperature",
    "pressure",
    "density",
    "specific_volume",
    "enthalpy",
    "entropy",
    "internal_energy",
    "quality",
    "viscosity",
    "thermal_conductivity",
    "heat_capacity",
    "heat_capacity_constant_volume",
    "prandtl_number",
    "speed_of_sound",
    "surface_tension",
    "latent_heat",
    "molar_mass",
    "critical_temperature",
    "critical_pressure",
]
# CoolProp's letter and the SI unit of each; a specific volume and a latent heat are derived.
_LETTERS: dict[str, tuple[str, str]] = {
    "temperature": ("T", "K"),
    "pressure": ("P", "Pa"),
    "density": ("D", "kg/m^3"),
    "specific_volume": ("D", "m^3/kg"),
    "enthalpy": ("H", "J/kg"),
    "entropy": ("S", "J/(kg*K)"),
    "internal_energy": ("U", "J/kg"),
    "quality": ("Q", ""),
    "viscosity": ("V", "Pa*s"),
    "thermal_conductivity": ("L", "W/(m*K)"),
    "heat_capacity": ("C", "J/(kg*K)"),
    "heat_capacity_constant_volume": ("O", "J/(kg*K)"),
    "prandtl_number": ("PRANDTL", ""),
    "speed_of_sound": ("A", "m/s"),
    "surface_tension": ("I", "N/m"),
    "latent_heat": ("H", "J/kg"),
    "molar_mass": ("M", "kg/mol"),
    "critical_temperature": ("Tcrit", "K"),
    "critical_pressure": ("Pcrit", "Pa"),
}
_CONSTANT = {"molar_mass", "critical_temperature", "critical_pressure"}
# The unit a person expects, where it is not the SI unit.
SHOWN = {
    "temperature": "degC",
    "pressure": "kPa",
    "enthalpy": "kJ/kg",
    "entropy": "kJ/(kg*K)",
    "internal_energy": "kJ/kg",
    "latent_heat": "kJ/kg",
    "heat_capacity": "kJ/(kg*K)",
    "heat_capacity_constant_volume": "kJ/(kg*K)",
    "molar_mass": "g/mol",
    "critical_temperature": "degC",
    "critical_pressure": "kPa",
}
_ALSO = {"steam": "Water", "h2o": "Water", "co2": "CarbonDioxide", "nh3": "Ammonia", "lpg": "n-Propane"}


class FluidState(Frozen):
    """One of the two quantities that fix a state."""

    name: StateName
    value: float
    unit: str = ""


class FluidProperty(Frozen):
    """Look up properties of a pure fluid, or of air."""

    tool: Literal["fluid_property"] = "fluid_property"
    fluid: str = Field(description="such as water, ammonia, R134a, air")
    properties: list[PropertyName] = Field(
        min_length=1, max_length=12, description="what is asked for, first things first"
    )
    state: list[FluidState] = Field(
        max_length=2,
        description="two quantities; quality 0 is saturated liquid, 1 saturated vapour; none for constants",
    )
    unit: str = Field(default="", description="the unit that the first property is wanted in; empty: the usual one")


class NoProperty(ValueError):
    """A fluid or state that CoolProp does not know; `failure` says why."""

    def __init__(self, failure: StepFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class NotInstalled(NoProperty):
    """A package of the extra `engineering` is missing; `failure` says how to get it."""


def need(module: str) -> Any:  # noqa: ANN401 - a module without types
    """A module of the extra `engineering`; raises `NotInstalled`."""
    try:
        return import_module(module)
    except ImportError as missing:
        package = module.partition(".")[0]
        advice = "`pip install soprag[engineering]`, or `uv sync --extra engineering` in the checkout"
        raise NotInstalled(fail("unavailable", f"{package} is not installed: {advice}.")) from missing


async def fluid_property(call: FluidProperty) -> Computed | StepFailure:
    """The properties of the fluid in that state."""
    return await asyncio.to_thread(compute, call)


def compute(call: FluidProperty) -> Computed | StepFailure:
    """`fluid_property`, synchronously."""
    try:
        state: dict[str, float] = {
            quantity.name: convert(quantity.value, quantity.unit, _LETTERS[quantity.name][1]) for quantity in call.state
        }
        if len(state) != 2 and not set(call.properties) <= _CONSTANT:
            return fail("arguments", "A state is fixed by two different quantities, such as temperature and pressure.")
        properties = [_named(name, look_up(call.fluid, name, state)) for name in call.properties]
        if call.unit:
            properties[0] = Named(name=properties[0].name, **properties[0].quantity.to(call.unit).model_dump())
    except UnitFault as error:
        return error.failure
    except NoProperty as missing:
        return missing.failure
    return Computed(
        values=tuple(properties), method=f"CoolProp, reference equation of state of {canonical(call.fluid)}"
    )


def look_up(fluid: str, name: str, state: Mapping[str, float]) -> float:
    """One property in SI units for a state in SI units; raises `NoProperty`."""
    props = _coolprop()
    letter, unit = _LETTERS[name]
    fluid_name = canonical(fluid)
    try:
        if name in _CONSTANT:
            return float(props(letter, fluid_name))
        if name == "latent_heat":
            return _latent(props, fluid_name, state)
        pairs = [part for key, value in state.items() for part in (_LETTERS[key][0], value)]
        value = float(props(letter, *pairs, fluid_name))
    except ValueError as error:
        conditions = ", ".join(f"{key}={value:.6g}" for key, value in state.items())
        raise NoProperty(
            fail("range", f"{fluid_name} has no {name} at {conditions} (SI units): {str(error)[:200]}")
        ) from error
    if not math.isfinite(value):
        raise NoProperty(fail("range", f"{fluid_name} has no {name} in this state."))
    return 1 / value if unit == "m^3/kg" else value


def _latent(props: Any, fluid: str, state: Mapping[str, float]) -> float:  # noqa: ANN401 - a function of CoolProp
    key = "temperature" if "temperature" in state else "pressure"
    letter, value = _LETTERS[key][0], state[key]
    return float(props("H", letter, value, "Q", 1, fluid)) - float(props("H", letter, value, "Q", 0, fluid))


def canonical(fluid: str) -> str:
    """CoolProp's name of a fluid; raises `NoProperty` with similar names when there is none."""
    key = _key(fluid)
    name = _ALSO.get(fluid.strip().lower()) or _fluids().get(key)
    if name is None:
        near = ", ".join(sorted(name for name in set(_fluids().values()) if key[:3] in name.lower())[:6])
        raise NoProperty(fail("arguments", f"{fluid!r} is no fluid of CoolProp; near it: {near or 'none'}."))
    return name


def is_fluid(name: str) -> bool:
    """Whether CoolProp knows a fluid of this name."""
    try:
        return name.strip().lower() in _ALSO or _key(name) in _fluids()
    except NotInstalled:
        return False


def _key(name: str) -> str:
    return name.strip().lower().replace("-", "").replace(" ", "").removeprefix("n")


@cache
def _fluids() -> dict[str, str]:
    """Every name and alias of every fluid."""
    CoolProp = need("CoolProp.CoolProp")  # noqa: N806 - its own name

    fluids: dict[str, str] = {}
    for name in CoolProp.get_global_param_string("fluids_list").split(","):
        aliases = CoolProp.get_fluid_param_string(name, "aliases").split(",")
        fluids |= {_key(alias): name for alias in (name, *aliases) if alias.strip()}
    return fluids


@cache
def _coolprop() -> Any:  # noqa: ANN401 - a function of CoolProp
    return need("CoolProp.CoolProp").PropsSI


def _named(name: str, value: float) -> Named:
    unit = SHOWN.get(name, _LETTERS[name][1])
    return Named(name=name, value=convert(value, _LETTERS[name][1], unit), unit=unit)


PROPERTIES: tuple[str, ...] = get_args(PropertyName)
TOOLS = (
    MathTool(
        ToolProtocol(
            name="fluid_property",
            purpose="Look up density, enthalpy, entropy, viscosity, saturation and other properties of a fluid.",
            when_to_use="A property of water, steam, a refrigerant, air or another common fluid is needed.",
            when_not="The property is given in the task, or the fluid is a mixture other than air.",
            arguments=FluidProperty,
            response=Computed,
            side_effect="pure",
            errors=("arguments", "range", "dimension", "unavailable"),
        ),
        fluid_property,
    ),
)
