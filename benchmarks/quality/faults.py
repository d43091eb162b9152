"""Fault injection: multi-step calculations with one injected fault each, for `soprag measure repair`.

A chain is three programs; the last one uses the results of the other two. A fault changes the first version of one
program; when that step is repeated with its failure, the writer returns the correct program. The figures therefore
measure whether the faulty step is located and only dependent steps are repeated, not how well a model repairs code.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

Fault = Literal["syntax", "name", "unit", "wrong kind", "wrong number", "timeout", "empty"]
FAULTS: tuple[Fault, ...] = ("syntax", "name", "unit", "wrong kind", "wrong number", "timeout", "empty")
# A question with so many filler words that the retriever abstains.
HIDDEN = "hello sorry, quick question: does anyone know, really need help today please, thanks! pump tripped"


@dataclass(frozen=True)
class FaultyStep:
    """One step: its sub-task, its program, and the steps it uses."""

    task: str
    code: str
    uses: tuple[str, ...] = ()
    slip: tuple[str, str] = ("", "")  # what a wrong formula has in place of the right one


@dataclass(frozen=True)
class Injected:
    """A chain with a fault in `step`; `first` maps sub-tasks to their faulty first programs."""

    name: str
    fault: Fault
    step: str
    parts: tuple[FaultyStep, ...]
    first: dict[str, str] = field(default_factory=dict)


def injected(seeds: int) -> Iterator[Injected]:
    """Every fault in every chain, with other numbers for every seed."""
    for seed in range(seeds):
        for chain in CHAINS:
            parts = chain(random.Random(seed))
            for kind in FAULTS[:-1]:
                yield _with(f"{chain.__name__.strip('_')}-{seed}", kind, parts, seed)


def _with(name: str, kind: Fault, parts: tuple[FaultyStep, ...], seed: int) -> Injected:
    index = {"unit": 2, "wrong kind": seed % 2, "wrong number": seed % 2}.get(kind, seed % 3)
    return Injected(name, kind, f"s{index + 1}", parts, {parts[index].task: _broken(kind, parts[index])})


def _broken(kind: Fault, part: FaultyStep) -> str:
    last = part.code
    match kind:
        case "syntax":
            return last[:-1]
        case "name":
            return last.replace("Q(", "quantity(").replace("inputs[", "results[")
        case "unit":
            return last.replace(*part.slip)
        case "wrong kind":
            return "answer = Q(88, 'lb') if '/mol' in " + repr(last) + " else Q(3, 's')"
        case "wrong number":
            return f"{last}\nanswer = answer * 1e9"
        case _:
            return f"while True: pass\n{last.replace('answer', 'result')}"


def _gas(some: random.Random) -> tuple[FaultyStep, ...]:
    head, mass, warm = some.uniform(20, 40), some.uniform(50, 100), some.uniform(5, 40)
    return (
        FaultyStep(f"Convert {head:.1f} ft of water to Pa", f"answer = Q({head:.1f}, 'ft_H2O').to('Pa')"),
        FaultyStep(
            f"Find the amount of substance of {mass:.0f} lb of CO2 in mol",
            f"answer = (Q({mass:.0f}, 'lb') / Q(44.0095, 'g/mol')).to('mol')",
        ),
        FaultyStep(
            f"Calculate the volume of the gas at {warm:.0f} degC in m^3",
            f"heat = Q({warm:.0f}, 'degC').to('K')\n"
            "volume = inputs['s2'] * ureg.molar_gas_constant * heat / inputs['s1']\n"
            "assert 1 < volume.to('m^3').magnitude < 1000\nanswer = volume.to('m^3')",
            ("s1", "s2"),
            (" / inputs['s1']", " * inputs['s1']"),
        ),
    )


def _pump(some: random.Random) -> tuple[FaultyStep, ...]:
    head, flow = some.uniform(10, 60), some.uniform(20, 200)
    return (
        FaultyStep(
            f"Calculate the pressure of a head of {head:.0f} m of water in Pa",
            f"answer = (Q(998, 'kg/m^3') * ureg.standard_gravity * Q({head:.0f}, 'm')).to('Pa')",
        ),
        FaultyStep(f"Convert {flow:.0f} m^3/h to m^3/s", f"answer = Q({flow:.0f}, 'm^3/h').to('m^3/s')"),
        FaultyStep(
            "Calculate the power of the pump at an efficiency of 0.7 in kW",
            "power = inputs['s1'] * inputs['s2'] / 0.7\n"
            "assert 0.1 < power.to('kW').magnitude < 500\nanswer = power.to('kW')",
            ("s1", "s2"),
            ("inputs['s1'] * inputs['s2']", "inputs['s1'] / inputs['s2']"),
        ),
    )


def _heater(some: random.Random) -> tuple[FaultyStep, ...]:
    flow, rise, store = some.uniform(1, 20), some.uniform(5, 30), some.uniform(50, 500)
    return (
        FaultyStep(
            f"Determine the mass flow of {flow:.1f} m^3/h of water in kg/s",
            f"answer = (Q({flow:.1f}, 'm^3/h') * Q(998, 'kg/m^3')).to('kg/s')",
        ),
        FaultyStep(
            f"Find the energy of {store:.0f} kWh in kJ",
            f"answer = Q({store:.0f}, 'kWh').to('kJ')",
        ),
        FaultyStep(
            f"Calculate the time to give it off at a rise of {rise:.0f} K in hour",
            f"power = inputs['s1'] * Q(4.18, 'kJ/(kg*K)') * Q({rise:.0f}, 'K')\n"
            "hours = (inputs['s2'] / power).to('hour')\nassert 0.01 < hours.magnitude < 1000\nanswer = hours",
            ("s1", "s2"),
            ("inputs['s2'] / power", "inputs['s2'] * power"),
        ),
    )


CHAINS: tuple[Callable[[random.Random], tuple[FaultyStep, ...]], ...] = (_gas, _pump, _heater)
