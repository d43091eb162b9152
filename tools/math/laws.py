"""Engineering laws: named equations with units that are solved for any one of their quantities.

The laws are defined in `laws.toml`. A law is a list of equations; values are pint quantities, so every evaluation also
checks the dimensions.
"""

import asyncio
import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from soprag.tools.history import StepFailure
from soprag.tools.math.expression import FormulaFault, evaluate, names, quantity
from soprag.tools.math.formulas import FUNCTIONS
from soprag.tools.math.properties import NoProperty, NotInstalled, need
from soprag.tools.math.tool import Computed, MathTool, Named, fail
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.text.terms import terms
from soprag.tools.units.quantity import Quantity, UnitFault, parsed

CLOSE = 1e-6  # relative residual of a solution put back into its equation


class Slot(BaseModel):
    """One quantity of a law."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    unit: str = ""
    what: str = Field(description="what it is, for people and models")
    default: float | None = Field(default=None, description="used when nothing is said, in `unit`")
    lower: float = 0.0
    upper: float = math.inf
    read: tuple[str, ...] = Field(
        default=(), description="patterns that find it in a text; <> is the quantity, # another"
    )
    ask: str = Field(default="", description="pattern that finds it in a question")
    order: int = Field(default=0, description="of streams that a text lists: the first, the second; 0: not listed")
    spare: bool = Field(default=False, description="a text may name it though the law does not need it")


class Law(BaseModel):
    """Equations with their quantities, and the words of a text that is about it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    about: tuple[str, ...] = Field(description="patterns that must all occur in a text about this law")
    never: str = Field(default="", description="pattern that must not occur")
    equations: tuple[str, ...]
    slots: dict[str, Slot]
    fluid: bool = Field(default=False, description="needs the name of a fluid")
    notes: tuple[str, ...] = Field(default=(), description="assumptions and limits of validity")


class ApplyLaw(Frozen):
    """Solve a named law for one of its quantities."""

    tool: Literal["apply_law"] = "apply_law"
    law: str = Field(description="name of the law")
    knowns: list[Named] = Field(description="its known quantities, by the names the law uses")
    unknown: str = Field(description="name of the quantity that is asked for")
    to: str = Field(default="", description="the unit it is wanted in; empty: the law's own")
    fluid: str = Field(default="", description="name of the fluid, for a law that looks up properties")
    fluid2: str = Field(default="", description="name of the second fluid, for a law of two")


@cache
def laws() -> Mapping[str, Law]:
    """Every law by its name."""
    text = (files("soprag.tools.math") / "laws.toml").read_text(encoding="utf-8")
    return {entry["name"]: Law.model_validate(entry) for entry in tomllib.loads(text)["law"]}


def describe(text: str, count: int = 8) -> str:
    """The laws nearest to `text` with their quantities, a line each, and the names of the others."""
    near = nearest(text, count)
    others = [name for name in laws() if name not in {law.name for law in near}]
    return "\n".join([*(_line(law) for law in near), f"others: {', '.join(others)}"])


def nearest(text: str, count: int) -> list[Law]:
    """At most `count` laws that share the rarest word stems with `text`; those whose patterns all occur come first."""
    stems = set(terms(text))
    holders = Counter(stem for law in laws().values() for stem in _stems(law))

    def score(law: Law) -> float:
        about = law.about and all(re.search(pattern, text, re.IGNORECASE) for pattern in law.about)
        return (100.0 if about else 0.0) + math.fsum(1 / holders[stem] for stem in _stems(law) & stems)

    return [law for law in sorted(laws().values(), key=lambda law: -score(law))[:count] if score(law)]


def _stems(law: Law) -> set[str]:
    return set(terms(" ".join([law.name.replace("_", " "), law.title, *(slot.what for slot in law.slots.values())])))


def _line(law: Law) -> str:
    slots = ", ".join(
        f"{name} ({slot.what}{', ' + slot.unit if slot.unit else ''})" for name, slot in law.slots.items()
    )
    return f"{law.name}: {law.title}; {'fluid; ' if law.fluid else ''}{slots}"


async def apply_law(call: ApplyLaw) -> Computed | StepFailure:
    """Solve the law for the unknown."""
    return await asyncio.to_thread(compute, call)


def compute(call: ApplyLaw) -> Computed | StepFailure:
    """`apply_law`, synchronously."""
    law = laws().get(call.law)
    if law is None:
        return fail("arguments", f"There is no law {call.law!r}; there are: {', '.join(laws())}.")
    strange = {item.name for item in call.knowns} - set(law.slots)
    if strange or call.unknown not in law.slots:
        unknown_names = ", ".join(sorted(strange)) or call.unknown
        return fail("arguments", f"{law.name} has no quantity {unknown_names}; it has: {', '.join(law.slots)}.")
    try:
        values = _solve(law, _knowns(law, call), call.unknown)
        results = _results(law, call, values)
    except UnitFault as wrong_unit:
        return wrong_unit.failure
    except NoProperty as missing:
        return missing.failure
    except (FormulaFault, NoSolution) as error:
        return fail("arguments" if isinstance(error, FormulaFault) else "empty", f"{law.title}: {error}")
    method = f"{law.title}: {'; '.join(law.equations)}"
    return Computed(values=results, method=method, assumptions=(*law.notes, *_assumed(law, call)))


class NoSolution(ValueError):
    """A law that has no solution, or several, for the values given."""


def _knowns(law: Law, call: ApplyLaw) -> dict[str, Any]:
    """The known quantities in base units, each checked against the dimension and the bounds of its slot."""
    values: dict[str, Any] = {}
    for item in call.knowns:
        slot = law.slots[item.name]
        if parsed(item.unit).dimensionality != parsed(slot.unit).dimensionality:
            raise UnitFault(
                f"{item.name} of {law.name} is a {slot.what} in {slot.unit or 'plain numbers'}; "
                f"{item.quantity.words()} has another dimension."
            )
        values[item.name] = quantity(item.value, item.unit)
        if not _inside(slot, item.quantity):
            raise NoSolution(f"{item.name} = {item.quantity.words()} is not possible for a {slot.what}.")
    for name, slot in law.slots.items():
        if slot.default is not None and name not in values and name != call.unknown:
            values[name] = quantity(slot.default, slot.unit)
    if law.fluid and not call.fluid:
        raise FormulaFault("it needs the name of a fluid.")
    return {**values, "fluid": call.fluid, "fluid2": call.fluid2, "steam": "water"}


def _inside(slot: Slot, amount: Quantity) -> bool:
    value = quantity(amount.value, amount.unit)
    low = quantity(slot.lower, slot.unit) if slot.lower > -math.inf else None
    return (low is None or value >= low * (1 - 1e-9)) and (
        slot.upper == math.inf or value <= quantity(slot.upper, slot.unit) * (1 + 1e-9)
    )


def _solve(law: Law, knowns: Mapping[str, Any], unknown: str) -> dict[str, Any]:
    """All quantities that follow from the known ones, including the unknown."""
    values = _carry(law, dict(knowns))
    if unknown not in values:
        values = _search(law, values, unknown)
    return values


def _carry(law: Law, values: dict[str, Any]) -> dict[str, Any]:
    """Forward substitution: evaluates every equation whose right side is known, until nothing new follows."""
    pending = [equation.split("=") for equation in law.equations]
    while True:
        ready = [sides for sides in pending if names(sides[1]) <= set(values) and sides[0].strip() not in values]
        fresh = [sides for sides in ready if sides[0].strip().isidentifier()]
        if not fresh:
            return values
        lhs, rhs = fresh[0]
        values[lhs.strip()] = evaluate(rhs, values, FUNCTIONS)


def _search(law: Law, values: dict[str, Any], unknown: str) -> dict[str, Any]:
    """Solves the remaining equations for the unknown with Brent's method between sign changes on a grid."""
    slot = law.slots[unknown]
    test = _residual(law, values, unknown)
    if test is None:
        missing = ", ".join(name for name, entry in law.slots.items() if name not in values and name != unknown)
        raise NoSolution(f"{unknown} does not follow from what is known; also needed: some of {missing}.")
    roots = list(_roots(test, list(_grid(slot))))
    if len(roots) != 1:
        raise NoSolution(f"{len(roots)} values of {unknown} satisfy the equations; more must be known.")
    return _carry(law, {**values, unknown: quantity(roots[0], slot.unit)})


def _residual(law: Law, values: Mapping[str, Any], unknown: str) -> Callable[[float], float] | None:
    """The relative residual of an equation as a function of the unknown; None when no equation depends on it."""
    slot = law.slots[unknown]

    def trial(value: float) -> dict[str, Any]:
        return _carry(law, {**values, unknown: quantity(value, slot.unit)})

    reachable = _reach(law, {*values, unknown})
    before = _reach(law, set(values))
    for lhs, rhs in (equation.split("=") for equation in law.equations):
        sides = names(lhs) | names(rhs)
        made_by_it = lhs.strip().isidentifier() and lhs.strip() not in values
        if sides <= reachable and not sides <= before and not made_by_it:

            def residual(value: float, lhs: str = lhs, rhs: str = rhs) -> float:
                trial_values = trial(value)
                lhs_value, rhs_value = evaluate(lhs, trial_values, FUNCTIONS), evaluate(rhs, trial_values, FUNCTIONS)
                return _relative(lhs_value, rhs_value)

            return residual
    return None


def _reach(law: Law, reachable: set[str]) -> set[str]:
    reachable = set(reachable)
    while True:
        new = {
            lhs.strip()
            for lhs, rhs in (equation.split("=") for equation in law.equations)
            if lhs.strip().isidentifier() and names(rhs) <= reachable
        } - reachable
        if not new:
            return reachable
        reachable |= new


def _relative(lhs: Any, rhs: Any) -> float:  # noqa: ANN401 - floats or pint quantities
    gap, size = lhs - rhs, abs(lhs) + abs(rhs)
    ratio = gap / size if size else gap * 0
    return float(ratio.to("").magnitude) if hasattr(ratio, "to") else float(ratio)


def _grid(slot: Slot) -> Iterator[float]:
    if slot.upper < math.inf:
        span = slot.upper - slot.lower
        yield from (slot.lower + span * (step + 0.5) / 400 for step in range(400))
    else:
        start = slot.lower if slot.lower > 0 else 0.0
        yield from (start + 10 ** (exponent / 10) for exponent in range(-120, 121))


def _roots(test: Callable[[float], float], grid: Iterable[float]) -> Iterator[float]:
    brentq = need("scipy.optimize").brentq
    last: tuple[float, float] | None = None
    for value in grid:
        try:
            residual = test(value)
        except NotInstalled:
            raise
        except (FormulaFault, NoProperty):
            last = None
            continue
        if math.isfinite(residual):
            if last is not None and (last[1] < 0 < residual or residual < 0 < last[1]):
                root = float(brentq(test, last[0], value, xtol=1e-300, rtol=1e-12))
                if abs(test(root)) < CLOSE:
                    yield root
            elif residual == 0:
                yield value
                last = None
                continue
            last = (value, residual)


def _results(law: Law, call: ApplyLaw, values: Mapping[str, Any]) -> tuple[Named, ...]:
    known_names = {item.name for item in call.knowns}
    order = [call.unknown, *(name for name in law.slots if name not in known_names and name != call.unknown)]
    results = []
    for name in order:
        if name in values and (name == call.unknown or law.slots[name].default is None):
            unit = call.to if name == call.unknown and call.to else law.slots[name].unit
            results.append(Named(name=name, value=_in(values[name], unit), unit=unit))
    if not _inside(law.slots[call.unknown], results[0].quantity):
        raise NoSolution(f"{call.unknown} would be {results[0].quantity.words()}, which is not possible.")
    return tuple(results)


def _in(value: Any, unit: str) -> float:  # noqa: ANN401 - a float or a pint quantity
    converted = value if hasattr(value, "to") else quantity(float(value), "")
    target = parsed(unit)
    if converted.dimensionality != target.dimensionality:
        raise UnitFault(
            f"The result has the dimension {converted.dimensionality}, and not that of {unit or 'a number'}."
        )
    return float(converted.to(target).magnitude)


def _assumed(law: Law, call: ApplyLaw) -> Iterator[str]:
    known_names = {item.name for item in call.knowns} | {call.unknown}
    for name, slot in law.slots.items():
        if slot.default is not None and name not in known_names:
            yield f"{slot.what} {name} = {Quantity(value=slot.default, unit=slot.unit).words()}"


TOOLS = (
    MathTool(
        ToolProtocol(
            name="apply_law",
            purpose="Solve a known engineering law (pumps, pipes, heat exchangers, gases, reactors ...) with units.",
            when_to_use="The task is about one of the laws in the list, and all but one of its quantities follow.",
            when_not="No law of the list fits; use solve_equations with equations of your own.",
            arguments=ApplyLaw,
            response=Computed,
            side_effect="pure",
            errors=("dimension", "arguments", "empty", "range"),
        ),
        apply_law,
    ),
)
