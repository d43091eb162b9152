"""Writes `examples/problems/problems.jsonl`: numeric problems of our own (CC0), their answers by closed forms in SI.

The answers are computed here in plain Python, with none of the code that solves them. Run
`python -m soprag.examples.build_problems`; the same seed gives the same file.
"""

import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

FILE = Path(__file__).resolve().parent / "problems" / "problems.jsonl"
SEED, EACH = 20, 2
R, G = 8.31446261815324, 9.80665
Made = tuple[str, float, str]  # question, answer, unit
Template = Callable[[random.Random], Made]


def gas_cylinder(draw: random.Random) -> Made:
    """Ideal gas law for the mass in a vessel."""
    volume, bar, celsius = draw.randint(40, 300), draw.randint(20, 150), draw.randint(10, 35)
    mass = bar * 1e5 * volume / 1000 * 28.0134e-3 / (R * (celsius + 273.15))
    text = (
        f"A {volume} L cylinder holds nitrogen (ideal gas, M = 28.0134 g/mol) at {celsius} °C and an "
        f"absolute pressure of {bar} bar. What mass in kg does it hold?"
    )
    return text, mass, "kg"


def co2_volume(draw: random.Random) -> Made:
    """The volume of a mass of gas under a column of water."""
    pounds, celsius, feet = draw.choice((22, 66, 88, 110)), draw.randint(10, 30), draw.randint(300, 360) / 10
    volume = pounds * 453.59237 / 44.01 * R * (celsius + 273.15) / (feet * 2988.98)
    text = (
        f"Calculate the volume in m³ occupied by {pounds} lb of CO2 (ideal gas, M = 44.01 g/mol) at "
        f"{celsius} °C and an absolute pressure of {feet} ft of water."
    )
    return text, volume, "m^3"


def coolant_velocity(draw: random.Random) -> Made:
    """Velocity in a pipe."""
    flow, bore = draw.randint(20, 90), draw.randint(50, 110)
    text = (
        f"Coolant flows at {flow} m³/h through a pipe with an inner diameter of {bore} mm. What is the velocity in m/s?"
    )
    return text, flow / 3600 / (math.pi / 4 * (bore / 1000) ** 2), "m/s"


def pump_power(draw: random.Random) -> Made:
    """Shaft power of a pump."""
    flow, head, efficiency = draw.randint(30, 200), draw.randint(12, 60), draw.randint(55, 82)
    text = (
        f"A chilled-water pump delivers {flow} m³/h with density 998 kg/m³ at a head of {head} m. Its "
        f"efficiency is {efficiency} %. What shaft power in kW does it draw?"
    )
    return text, 998 * G * head * flow / 3600 / (efficiency / 100) / 1000, "kW"


def tank_pressure(draw: random.Random) -> Made:
    """Hydrostatic pressure."""
    level, density = draw.randint(20, 90) / 10, draw.randint(780, 1120)
    text = (
        f"The level in an open tank is {level} m above its bottom, and the liquid has a density of "
        f"{density} kg/m³. What is the gauge pressure at the bottom in bar?"
    )
    return text, density * G * level / 1e5, "bar"


def sump_time(draw: random.Random) -> Made:
    """Time to empty a volume."""
    volume, flow = draw.randint(3, 30), draw.randint(80, 400)
    text = f"A sump holds {volume} m³ of water. How long in minutes does it take to drain it at {flow} L/min?"
    return text, volume * 1000 / flow, "min"


def chiller_load(draw: random.Random) -> Made:
    """Heat flow of a cooled stream."""
    flow, warm, cold = draw.randint(10, 60), draw.randint(12, 18), draw.randint(5, 9)
    text = (
        f"A chiller cools {flow} kg/s of water with a specific heat of 4.19 kJ/(kg·K) from {warm} °C to "
        f"{cold} °C. What is the heat load in kW, as a negative number for cooling?"
    )
    return text, flow * 4.19 * (cold - warm), "kW"


def rack_flow(draw: random.Random) -> Made:
    """Flow for a heat load."""
    load, rise = draw.randint(30, 120), draw.randint(6, 12)
    text = (
        f"A liquid-cooled rack gives off {load} kW of heat to coolant with a specific heat of 3.85 "
        f"kJ/(kg·K). The temperature rise is {rise} K. What mass flow in kg/s is needed?"
    )
    return text, load / (3.85 * rise), "kg/s"


def exchanger_area(draw: random.Random) -> Made:
    """Area of an exchanger by its mean temperature difference."""
    duty, coefficient, difference = draw.randint(200, 900), draw.randint(800, 3000), draw.randint(4, 12)
    text = (
        f"A plate heat exchanger transfers {duty} kW with an overall heat transfer coefficient of "
        f"{coefficient} W/(m²·K) at a logarithmic mean temperature difference of {difference} K. What area "
        "in m² does it have?"
    )
    return text, duty * 1000 / (coefficient * difference), "m^2"


def ups_runtime(draw: random.Random) -> Made:
    """How long a battery lasts."""
    energy, load, efficiency = draw.randint(40, 200), draw.randint(80, 250), draw.randint(90, 97)
    text = (
        f"A UPS battery stores {energy} kWh and feeds a load of {load} kW with an efficiency of {efficiency} %. "
        "For how many minutes does it last?"
    )
    return text, energy * efficiency / 100 / load * 60, "min"


def feeder_current(draw: random.Random) -> Made:
    """Current of a three-phase load."""
    power, factor = draw.randint(30, 250), draw.randint(80, 98) / 100
    text = (
        f"A three-phase load draws {power} kW at a line voltage of 400 V with a power factor of {factor}. "
        "What is the line current in A?"
    )
    return text, power * 1000 / (math.sqrt(3) * 400 * factor), "A"


def evaporation(draw: random.Random) -> Made:
    """Balance of solids."""
    feed, thin, thick = draw.randint(800, 3000), draw.randint(8, 20), draw.randint(35, 60)
    text = (
        f"An evaporator concentrates {feed} kg/h of salt solution from {thin} wt% to {thick} wt%. How much "
        "water in kg/h evaporates?"
    )
    return text, feed * (1 - thin / thick), "kg/h"


def tracer(draw: random.Random) -> Made:
    """Wash-out of a stirred tank."""
    volume, start, flow, minutes = (
        draw.randint(2, 12),
        draw.randint(10, 60),
        draw.randint(20, 90),
        draw.randint(30, 200),
    )
    text = (
        f"A well-mixed tank with a volume of {volume} m³ contains a tracer at {start} g/m³. Clean water "
        f"flows through it at {flow} L/min. What is the tracer concentration in g/m³ after {minutes} min?"
    )
    return text, start * math.exp(-flow * minutes / (volume * 1000)), "g/m^3"


def conversion(draw: random.Random) -> Made:
    """A unit."""
    value = draw.randint(200, 900)
    return f"Convert {value} psi to bar.", value * 0.0689475729, "bar"


def reactor(draw: random.Random) -> Made:
    """A stirred tank with a reaction of first order."""
    rate, feed, share = draw.randint(10, 90) / 100, draw.randint(2, 20), draw.randint(60, 95)
    text = (
        f"A first-order reaction with k = {rate} 1/min runs in an isothermal CSTR with a feed of {feed} "
        f"L/min. What volume in L gives {share} % conversion?"
    )
    return text, feed * share / 100 / (rate * (1 - share / 100)), "L"


def two_stage_filling(draw: random.Random) -> Made:
    """Two pumps in turn: for a program."""
    volume, first, second, share = (
        draw.randint(20, 60),
        draw.randint(100, 300),
        draw.randint(400, 900),
        draw.randint(20, 50),
    )
    text = (
        f"An empty basin of {volume} m³ is filled at {first} L/min until it is {share} % full, and then at "
        f"{second} L/min. How many minutes does the filling take in all?"
    )
    return text, volume * 1000 * (share / 100 / first + (1 - share / 100) / second), "min"


def mixed_temperature(draw: random.Random) -> Made:
    """Three streams that mix: for a program."""
    flows, temperatures = [draw.randint(2, 9) for _ in range(3)], [draw.randint(10, 80) for _ in range(3)]
    listed = ", ".join(f"{flow} kg/s at {celsius} °C" for flow, celsius in zip(flows, temperatures, strict=True))
    mixed = sum(flow * celsius for flow, celsius in zip(flows, temperatures, strict=True)) / sum(flows)
    return (
        f"Three water streams mix without losses: {listed}. What is the temperature of the mixture in °C?",
        mixed,
        "degC",
    )


def leaking_level(draw: random.Random) -> Made:
    """Torricelli's outflow, a differential equation: for a program or an integration."""
    diameter, bore, level, minutes = (
        draw.randint(15, 30) / 10,
        draw.randint(15, 30),
        draw.randint(20, 40) / 10,
        draw.randint(10, 25),
    )
    ratio = (bore / 1000 / diameter) ** 2
    root = math.sqrt(level) - 0.62 * ratio * math.sqrt(2 * G) / 2 * minutes * 60
    text = (
        f"An open upright tank of {diameter} m diameter is filled to {level} m and leaks through a hole of "
        f"{bore} mm in its bottom, with a discharge coefficient of 0.62. What is the level in m after "
        f"{minutes} min?"
    )
    return text, max(root, 0.0) ** 2, "m"


def blending(draw: random.Random) -> Made:
    """A linear system: two glycol mixtures."""
    weak, strong, target, amount = (
        draw.randint(10, 20),
        draw.randint(45, 60),
        draw.randint(25, 35),
        draw.randint(200, 900),
    )
    text = (
        f"{amount} kg of coolant with {target} wt% glycol are blended from two stocks with {weak} wt% and "
        f"{strong} wt% glycol. How many kg of the stronger stock are needed?"
    )
    return text, amount * (target - weak) / (strong - weak), "kg"


def generator_dispatch(draw: random.Random) -> Made:
    """A linear programme: the cheapest of two generators first."""
    demand, first, second = draw.randint(900, 1500), draw.randint(500, 700), draw.randint(900, 1200)
    cheap, dear = draw.randint(16, 20), draw.randint(22, 30)
    text = (
        f"Two generators must supply {demand} kW together. The first gives at most {first} kW at {cheap} "
        f"cents for each kWh, the second at most {second} kW at {dear} cents. What is the least cost of "
        "one hour in cents?"
    )
    return text, first * cheap + (demand - first) * dear, ""


TEMPLATES: tuple[tuple[str, Template], ...] = (
    ("gases", gas_cylinder),
    ("gases", co2_volume),
    ("flow", coolant_velocity),
    ("flow", pump_power),
    ("flow", tank_pressure),
    ("flow", sump_time),
    ("heat", chiller_load),
    ("heat", rack_flow),
    ("heat", exchanger_area),
    ("electricity", ups_runtime),
    ("electricity", feeder_current),
    ("balances", evaporation),
    ("balances", tracer),
    ("units", conversion),
    ("reaction", reactor),
    ("several steps", two_stage_filling),
    ("several steps", mixed_temperature),
    ("several steps", leaking_level),
    ("systems", blending),
    ("systems", generator_dispatch),
)


def rows() -> Iterator[dict[str, object]]:
    """Every problem, a few of each template."""
    draw = random.Random(SEED)
    for topic, template in TEMPLATES:
        for number in range(1, EACH + 1):
            text, answer, unit = template(draw)
            name = f"{template.__name__.replace('_', '-')}-{number}"
            row = {"id": name, "topic": topic, "question": text, "answer": float(f"{answer:.6g}"), "unit": unit}
            yield {**row, "rel_tol": 0.005, "licence": "CC0-1.0"}


def text() -> str:
    """The whole file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows())


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")
