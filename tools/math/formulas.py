"""The functions that laws call: properties of fluids (CoolProp), friction and drag (fluids), mean differences.

Every function takes and gives pint quantities in base units, so that a law is checked for its dimensions as it is used.
"""

import math
from collections.abc import Callable
from typing import Any

from soprag.tools.history import StepFailure
from soprag.tools.math.expression import FormulaFault, quantity
from soprag.tools.math.properties import NoProperty, look_up, need
from soprag.tools.math.tool import fail
from soprag.tools.units.quantity import UnitFault

Q = Any  # a pint quantity in base units

_SI = {
    "T": ("temperature", "K"),
    "p": ("pressure", "Pa"),
    "h": ("enthalpy", "J/kg"),
    "s": ("entropy", "J/(kg*K)"),
    "v": ("specific_volume", "m^3/kg"),
    "rho": ("density", "kg/m^3"),
    "u": ("internal_energy", "J/kg"),
    "mu": ("viscosity", "Pa*s"),
    "cp": ("heat_capacity", "J/(kg*K)"),
    "x": ("quality", ""),
}


def _property(symbol: str, first: str, second: str) -> Callable[..., Q]:
    """A function that looks up a fluid property by two state quantities, such as `h_Tp(fluid, T, p)`."""
    name, unit = _SI[symbol]

    def look(fluid: str, first_value: Q, second_value: Q) -> Q:
        state = {_SI[first][0]: _bare(first_value, _SI[first][1]), _SI[second][0]: _bare(second_value, _SI[second][1])}
        return quantity(look_up(fluid, name, state), unit)

    return look


def _bare(value: Q, unit: str) -> float:
    converted = value if hasattr(value, "to") else quantity(float(value), "")
    target = quantity(1.0, unit)
    if converted.dimensionality != target.dimensionality:
        raise UnitFault(f"{converted:~P} is given where {unit or 'a plain number'} is wanted.")
    return float(converted.to(target.units).magnitude)


def psat(fluid: str, temperature: Q) -> Q:
    """The saturation pressure in Pa at a temperature."""
    return quantity(look_up(fluid, "pressure", {"temperature": _bare(temperature, "K"), "quality": 0.0}), "Pa")


def tsat(fluid: str, pressure: Q) -> Q:
    """The saturation temperature in K at a pressure."""
    return quantity(look_up(fluid, "temperature", {"pressure": _bare(pressure, "Pa"), "quality": 0.0}), "K")


def latent(fluid: str, pressure: Q) -> Q:
    """The latent heat of evaporation in J/kg at a pressure."""
    return quantity(look_up(fluid, "latent_heat", {"pressure": _bare(pressure, "Pa")}), "J/kg")


def friction_factor(reynolds: Q, roughness: Q) -> Q:
    """Darcy's friction factor: laminar, or Colebrook's equation."""
    darcy = need("fluids.friction").friction_factor
    return quantity(float(darcy(Re=_positive(_bare(reynolds, "")), eD=_bare(roughness, ""))), "")


def settling(diameter: Q, particle: Q, liquid: Q, viscosity: Q) -> Q:
    """The terminal velocity of a sphere, by a drag correlation for all Reynolds numbers."""
    v_terminal = need("fluids.drag").v_terminal
    values = (_bare(diameter, "m"), _bare(particle, "kg/m^3"), _bare(liquid, "kg/m^3"), _bare(viscosity, "Pa*s"))
    if values[1] <= values[2]:
        raise NoProperty(fail("range", "The particle is lighter than the liquid and does not settle."))
    return quantity(float(v_terminal(D=values[0], rhop=values[1], rho=values[2], mu=values[3])), "m/s")


def log_mean(inlet_difference: Q, outlet_difference: Q) -> Q:
    """The logarithmic mean temperature difference in K of the differences at both ends."""
    first, second = _bare(inlet_difference, "K"), _bare(outlet_difference, "K")
    if first <= 0 or second <= 0:
        raise NoProperty(fail("range", "The temperatures cross: heat cannot flow from the cold side to the hot one."))
    mean = first if math.isclose(first, second, rel_tol=1e-9) else (first - second) / math.log(first / second)
    return quantity(mean, "K")


def molar_mass(component: str) -> Q:
    """The molar mass of a component in kg/mol, from the tables of `chemicals` or from CoolProp."""
    from soprag.tools.math.components import compute

    constants = compute(component)
    if isinstance(constants, StepFailure):
        return quantity(look_up(component, "molar_mass", {}), "kg/mol")
    return next(
        quantity(constant.value, constant.unit) for constant in constants.values if constant.name == "molar_mass"
    )


def _positive(value: float) -> float:
    if value <= 0:
        raise FormulaFault("a Reynolds number must be above 0")
    return value


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"{symbol}_{first}{second}": _property(symbol, first, second)
    for symbol, first, second in (
        *((symbol, "T", "p") for symbol in ("h", "s", "v", "rho", "u", "mu", "cp")),
        *((symbol, "p", "s") for symbol in ("h", "T")),
        *((symbol, "p", "h") for symbol in ("s", "T", "x", "rho")),
        *((symbol, "p", "x") for symbol in ("h", "s", "v", "T")),
        *((symbol, "T", "x") for symbol in ("h", "s", "v", "p")),
    )
} | {
    "psat": psat,
    "tsat": tsat,
    "latent": latent,
    "friction_factor": friction_factor,
    "settling": settling,
    "log_mean": log_mean,
    "molar_mass": molar_mass,
}
