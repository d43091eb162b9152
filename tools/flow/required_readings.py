"""The readings that a step requires: every stated range is satisfied by a reading of its own, for one variant."""

import re
from dataclasses import dataclass

from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.procedure.ranges.comparisons import GivenReading
from soprag.tools.procedure.ranges.reading_range import Range
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import quantity_of

_JOINER = re.compile(r"^(?:[,;]|and\b|\s)+")
_WORD = re.compile(r"[^\W\d_]{3,}")
_NAME = re.compile(r"(?P<name>[^\W\d_]{2,}(?:[ -][^\W\d_]{2,}){0,3})(?:\s+is|\s*[:=])?\s+(?=[-+−]?\d)")
_NOTED, _ALSO, _DECIDE = "Noted: ", ". The SOP also states ", ". This is a decision: "


def named_values(text: str) -> tuple[tuple[str, Quantity], ...]:
    """The readings of "suction 2.5 bar, discharge 7 bar" with their names; empty where other words stand among them."""
    found: list[tuple[str, Quantity]] = []
    rest = text.strip().rstrip(".")
    while rest:
        name = _NAME.match(rest)
        parsed = quantity_of(rest[name.end() :]) if name else None
        if name is None or parsed is None or not parsed[0].unit:
            return ()
        found.append((name["name"].strip().removesuffix(" is"), parsed[0]))
        rest = _JOINER.sub("", parsed[1])
    return tuple(found)


def values_of(text: str) -> tuple[tuple[Quantity, ...], str]:
    """The quantities of a reply such as `398 V, 50.1 Hz`, and the words after them."""
    found: list[Quantity] = []
    parsed = quantity_of(text)
    while parsed:
        found.append(parsed[0])
        text = _JOINER.sub("", parsed[1])
        parsed = quantity_of(text)
    return tuple(found), text.strip()


@dataclass(frozen=True)
class RequiredReadings:
    """The ranges of a step for one variant; `variant` is empty until one is chosen."""

    demands: tuple[Range, ...]
    variant: str = ""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that the step states bounds for."""
        return tuple(dict.fromkeys(demand.variant for demand in self.demands if demand.variant))

    @property
    def applicable(self) -> tuple[Range, ...]:
        """The ranges that hold for the variant; all of them as long as none has to be chosen."""
        chosen = self.variant_in(self.variant)
        if len(self.variants) < 2 or not chosen:
            return self.demands
        return tuple(demand for demand in self.demands if demand.variant in ("", chosen))

    def variant_in(self, words: str) -> str:
        """The variant that a reply names, or the one chosen before."""
        return next((name for name in self.variants if name.lower() in words.lower()), self.variant)

    def outside(self, value: Quantity) -> bool:
        """Whether a value lies outside a range that holds for it, and inside none."""
        results = [demand.holds(value) for demand in self.applicable]
        return False in results and True not in results

    def misnamed(self, readings: tuple[tuple[str, Quantity], ...]) -> str:
        """Why a reading does not fit the range of the quantity that it names; empty when all do."""
        for name, value in readings:
            own = self._of_quantity(name)
            if own and own.holds(value) is False:
                return f"{name} {value} is outside {own.phrase!r}: correct it, choose a way, or `skip` and the reason."
        return ""

    def _of_quantity(self, name: str) -> Range | None:
        """The one range whose quantity ends nearest to a word of the name."""
        asked = {word.lower() for word in _WORD.findall(name)}
        near: dict[int, list[Range]] = {}
        for demand in self.applicable:
            words = [word.lower() for word in _WORD.findall(demand.quantity)]
            places = [len(words) - at for at, word in enumerate(words) if word in asked]
            if places:
                near.setdefault(min(places), []).append(demand)
        nearest = near[min(near)] if near else []
        return nearest[0] if len(nearest) == 1 else None

    def foreign(self, readings: tuple[Quantity, ...]) -> str:
        """Why a value is none of those that the step states, by its unit; it is no reading of this step."""
        demands = self.applicable
        units = " or ".join(dict.fromkeys(demand.unit for demand in demands))
        strange = [value for value in readings if demands and all(demand.holds(value) is None for demand in demands)]
        return f"{strange[0]} is not measured in {units}; give it with its unit." if strange else ""

    def problem(self, readings: tuple[Quantity, ...]) -> str:
        """Why the last of the readings does not complete the step; empty when it does or nothing is stated."""
        demands = self.applicable
        if not demands:
            return ""
        if len(self.variants) > 1 and self.variant_in(self.variant) not in self.variants:
            phrases = ", ".join(_named(demand) for demand in demands if demand.variant)
            return f"The SOP states {phrases}: reply `done`, the value and which of them it is."
        satisfied = self._satisfied(readings)
        return self._unfit(readings[-1], satisfied) or self._missing(readings, satisfied)

    def _satisfied(self, readings: tuple[Quantity, ...]) -> dict[int, int]:
        """Index of a range -> index of the reading inside it; one reading serves one quantity."""
        used: dict[int, int] = {}
        for at, reading in enumerate(readings):
            inside = [i for i, demand in enumerate(self.applicable) if i not in used and demand.holds(reading)]
            for i in inside[:1]:
                used |= {other: at for other in inside if _same(self.applicable[i], self.applicable[other])}
        return used

    def _unfit(self, value: Quantity, satisfied: dict[int, int]) -> str:
        """Why a value fits none of the ranges."""
        results = [demand.holds(value) for demand in self.applicable]
        if True in results:
            return ""
        outside = [(i, repr(self.applicable[i].phrase)) for i, result in enumerate(results) if result is False]
        phrases = [phrase for i, phrase in outside if i not in satisfied] or [phrase for _, phrase in outside]
        return f"{value} is outside {' and '.join(phrases)}: correct it, choose a way, or `skip` and the reason."

    def _missing(self, readings: tuple[Quantity, ...], satisfied: dict[int, int]) -> str:
        """Which required ranges have no reading yet."""
        missing = [repr(d.phrase) for i, d in enumerate(self.applicable) if d.required and i not in satisfied]
        if not missing:
            return ""
        noted = ", ".join(str(readings[at]) for at in dict.fromkeys(satisfied.values()))
        return f"{_NOTED}{noted}{_ALSO}{' and '.join(missing)}: reply `done` and that value."


def _named(demand: Range) -> str:
    """The words of a range with its variant, unless they name it."""
    return repr(demand.phrase) if demand.variant in demand.phrase else f"{demand.phrase!r} for {demand.variant}"


def for_variant(plan: FlowPlan, run: FlowRun, words: str) -> FlowRun | None:
    """The run for the variant of its step that the words name and nothing else; None for other words."""
    variants = RequiredReadings(plan.demands(run.at)).variants
    named = {name.casefold(): name for name in variants} if len(variants) > 1 else {}
    variant = named.get(words.strip(" .!").casefold())
    return run.model_copy(update={"variant": variant}) if variant else None


def noted_readings(problem: str) -> str:
    """The readings that a problem says were taken, when it only asks for more; empty for any other problem."""
    if not problem.startswith(_NOTED):
        return ""
    parts = (problem.removeprefix(_NOTED).partition(asked) for asked in (_ALSO, _DECIDE))
    return next((noted for noted, asked, _ in parts if asked), "")


def way_asked(ways: int, reading: Quantity | None) -> str:
    """The request to choose one of so many ways, behind the reading that was taken at the decision."""
    asked = f"reply with the number of the way, 1 to {ways}, or `yes` or `no`."
    return f"{_NOTED}{reading}{_DECIDE}{asked}" if reading else f"{_DECIDE.lstrip('. ')}{asked}"


def labelled_problem(label: str, problem: str) -> str:
    """The problem behind a label such as `Not taken:`; without it where readings were taken."""
    return problem if noted_readings(problem) else f"{label} {problem}"


def shown_reading(plan: FlowPlan, run: FlowRun, reading: GivenReading) -> str:
    """A recorded value, with a word when it lies outside the range that its step states."""
    outside = RequiredReadings(plan.demands(reading.node), run.variant).outside(reading.quantity)
    return f"{reading.quantity} (outside the stated range)" if outside else f"{reading.quantity}"


def _same(one: Range, another: Range) -> bool:
    """Whether two ranges bind the same quantity, as far as their words tell."""
    if one is another or not one.quantity or not another.quantity:
        return True
    first, second = ({word.lower() for word in _WORD.findall(demand.quantity)} for demand in (one, another))
    return bool(first & second)
