"""Rule-based fluid property look-up: extracts the fluid, its state and the requested properties from a text."""

import re
from collections.abc import Sequence

from soprag.tools.math.properties import SHOWN, FluidProperty, FluidState, PropertyName, StateName, is_fluid
from soprag.tools.rules.calculation.asked_quantity import AskedQuantity
from soprag.tools.rules.calculation.stated_quantities import MARK, StatedQuantity
from soprag.tools.units.quantity import same_dimension

# What a question calls a property: words, and the letter that stands for it alone.
_ASKED: tuple[tuple[PropertyName, str], ...] = (
    ("enthalpy", r"enthalp|(?<!['’])\bh(?:_[fg])?\b"),
    ("entropy", r"entrop|(?<!['’])\bs(?:_[fg])?\b"),
    ("specific_volume", r"specific volume|(?<!['’])\bv(?:_[fg])?\b"),
    ("density", r"densit|how dense|\brho\b|ρ"),
    ("internal_energy", r"internal energ|(?<!['’])\bu(?:_[fg])?\b"),
    (
        "temperature",
        r"\bT_?sat\b|(?:saturation|boiling) (?:temperature|point)|(?:boil|condens)\w* at what temperature|"
        r"(?:what|which) temperature [^.?]{0,40}\b(?:boil|condens)",
    ),
    (
        "pressure",
        r"\bP_?sat\b|(?:saturation|vapou?r|boiling)[^.?«]{0,12}pressure|"
        r"(?:what|which) pressure [^.?]{0,40}\b(?:boil|condens)",
    ),
    ("viscosity", r"viscosit"),
    ("thermal_conductivity", r"thermal conductivit"),
    ("heat_capacity", r"heat capacit|specific heat|\bc_?p\b"),
    (
        "latent_heat",
        r"latent heat|heat of (?:evaporation|vapou?ri[sz]ation)|enthalpy of (?:evaporation|vapou?ri[sz]ation)",
    ),
    ("speed_of_sound", r"speed of sound|sound speed"),
    ("surface_tension", r"surface tension"),
    ("quality", r"\bwhat (?:is the )?(?:quality|dryness)"),
)
# Quantities that fix a state. An energy per mass is an enthalpy unless the words before it name the internal energy.
_GIVEN: tuple[tuple[StateName, str], ...] = (
    ("temperature", "K"),
    ("pressure", "Pa"),
    ("density", "kg/m^3"),
    ("enthalpy", "J/kg"),
    ("entropy", "J/(kg*K)"),
)
_INTERNAL = re.compile(r"(?:internal energy|\bu)\b[^«»]{0,20}$", re.IGNORECASE)
_HEAT_CAPACITY = re.compile(r"(?:heat capacity|specific heat|\bc_?[pv])\b[^«»]{0,20}$", re.IGNORECASE)
_PAIR = 2  # stated quantities that fix a state, of which any other property may be asked
_OF_A_STATE: tuple[tuple[PropertyName, str], ...] = (("temperature", r"temperature"), ("pressure", r"pressure"))
_LIQUID = re.compile(
    r"saturated (?:liquid|water)|bubble|[_ ]f\b|saturation as a liquid|saturated \w+ liquid", re.IGNORECASE
)
_VAPOUR = re.compile(r"saturated (?:steam|vapou?r|water vapou?r|gas)|dew|[_ ]g\b", re.IGNORECASE)
_QUALITY = re.compile(r"(?:quality|dryness fraction\)?|\bx)[^«.]{0,25}«(\d+)»", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[0-9]+[a-z]*)?(?:\([A-Z]\))?")
_COMMON = {"air", "water", "steam"}


def fluids(text: str) -> list[str]:
    """The fluids that a text names, in its order."""
    words = [word.lower() for word in _WORD.findall(re.sub(r"«\d+»", " ", text))]
    names: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        pair = f"{word} {following}"
        name = pair if len(word) > 2 and following and is_fluid(pair) else word
        if len(name) > 2 and (name in _COMMON or is_fluid(name)) and name not in names:
            names.append(name)
    return ["water" if name == "steam" else name for name in names]


def look_up(marked: str, readings: Sequence[StatedQuantity], question: AskedQuantity) -> FluidProperty | None:
    """The property look-up that answers the text, or None when it requests none or states an unused quantity."""
    patterns = (*_ASKED, *_OF_A_STATE) if len(readings) == _PAIR else _ASKED
    found = [name for name, pattern in patterns if re.search(pattern, question.sentence, re.IGNORECASE)]
    requested = list(dict.fromkeys(found))
    if "latent_heat" in requested:
        requested = [name for name in requested if name not in ("enthalpy", "entropy")]
    if not requested or not 1 <= len(readings) <= 2 or "gauge" in marked:  # it is not said of which pressure
        return None
    fluid_names = fluids(marked)
    if len(set(fluid_names)) != 1:
        return None
    state = _state(marked, readings, requested)
    if state is None:
        return None
    stated_names = {variable.name for variable in state}
    properties = [name for name in requested if name not in stated_names] or []
    if not properties or (question.unit and not same_dimension(question.unit, SHOWN.get(properties[0], question.unit))):
        return None
    return FluidProperty(fluid=fluid_names[0], properties=properties, state=state, unit=question.unit)


def _state(marked: str, readings: Sequence[StatedQuantity], requested: Sequence[str]) -> list[FluidState] | None:
    quality = _QUALITY.search(marked)
    quality_index = int(quality.group(1)) if quality else -1
    state: list[FluidState] = []
    for index, reading in enumerate(readings):
        name = _variable(reading, marked[: marked.find(MARK.format(index))])
        if index == quality_index and not reading.unit_text.strip("%"):
            name = "quality"
        if name is None or name in {variable.name for variable in state}:
            return None
        state.append(FluidState(name=name, value=reading.value, unit=reading.unit))
    if len(state) == 1:
        phase = _phase(marked, requested)
        return None if phase is None else [*state, FluidState(name="quality", value=phase)]
    return state


def _variable(reading: StatedQuantity, before: str) -> StateName | None:
    """The state variable that a quantity is, with the words before it; None for what fixes no state."""
    name = next((variable for variable, unit in _GIVEN if same_dimension(reading.unit, unit)), None)
    if name == "enthalpy" and _INTERNAL.search(before):
        return "internal_energy"
    return None if name == "entropy" and _HEAT_CAPACITY.search(before) else name


def _phase(marked: str, requested: Sequence[str]) -> float | None:
    """Vapour quality: 0 for saturated liquid, 1 for saturated vapour; either gives the saturation point."""
    if _VAPOUR.search(marked):
        return 1.0
    if _LIQUID.search(marked) or set(requested) <= {"temperature", "pressure", "latent_heat"}:
        return 0.0
    return None
