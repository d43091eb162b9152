"""Look-ups of properties by rules: which fluid, which state, and which properties a text asks for."""

import re
from collections.abc import Sequence

from tools.math.properties import SHOWN, FluidProperty, PropertyName, State, StateName, is_fluid
from tools.math.units import same_dimension
from tools.rules.calculation.asked import Asked
from tools.rules.calculation.reading import Reading

# What a question calls a property: words, and the letter that stands for it alone.
_ASKED: tuple[tuple[PropertyName, str], ...] = (
    ("enthalpy", r"enthalp|\bh(?:_[fg])?\b"),
    ("entropy", r"entrop|\bs(?:_[fg])?\b"),
    ("specific_volume", r"specific volume|\bv(?:_[fg])?\b"),
    ("density", r"densit|\brho\b|ρ"),
    ("internal_energy", r"internal energ|\bu(?:_[fg])?\b"),
    ("temperature", r"\bT_?sat\b|(?:saturation|boiling) (?:temperature|point)|(?:boil|condens)\w* at what temperature"),
    ("pressure", r"\bP_?sat\b|(?:saturation|vapou?r|boiling)[^.?«]{0,12}pressure"),
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
_GIVEN: tuple[tuple[StateName, str], ...] = (("temperature", "K"), ("pressure", "Pa"), ("density", "kg/m^3"))
_LIQUID = re.compile(
    r"saturated (?:liquid|water)|bubble|[_ ]f\b|saturation as a liquid|saturated \w+ liquid", re.IGNORECASE
)
_VAPOUR = re.compile(r"saturated (?:steam|vapou?r|water vapou?r|gas)|dew|[_ ]g\b", re.IGNORECASE)
_QUALITY = re.compile(r"(?:quality|dryness fraction\)?|\bx)[^«.]{0,25}«(\d+)»", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[0-9]+[a-z]*)?(?:\([A-Z]\))?")
_COMMON = {"air", "water", "steam"}


def fluids(text: str) -> list[str]:
    """The fluids that a text names, in its order."""
    found: list[str] = []
    for word in _WORD.findall(re.sub(r"«\d+»", " ", text)):
        if len(word) > 2 and (word.lower() in _COMMON or is_fluid(word)) and word.lower() not in found:
            found.append(word.lower())
    return ["water" if one == "steam" else one for one in found]


def look_up(marked: str, readings: Sequence[Reading], asked: Asked) -> FluidProperty | None:
    """The look-up that answers the text, or None when it asks for no property or leaves a quantity over."""
    wanted = [name for name, pattern in _ASKED if re.search(pattern, asked.sentence, re.IGNORECASE)]
    if "latent_heat" in wanted:
        wanted = [name for name in wanted if name not in ("enthalpy", "entropy")]
    if not wanted or not 1 <= len(readings) <= 2 or "gauge" in marked:  # it is not said of which pressure
        return None
    named = fluids(marked)
    if len(set(named)) != 1:
        return None
    state = _state(marked, readings, wanted)
    if state is None:
        return None
    given = {one.name for one in state}
    properties = [name for name in wanted if name not in given] or []
    if not properties or (asked.unit and not same_dimension(asked.unit, SHOWN.get(properties[0], asked.unit))):
        return None
    return FluidProperty(fluid=named[0], properties=properties, state=state, unit=asked.unit)


def _state(marked: str, readings: Sequence[Reading], wanted: Sequence[str]) -> list[State] | None:
    quality = _QUALITY.search(marked)
    at = int(quality.group(1)) if quality else -1
    state: list[State] = []
    for place, one in enumerate(readings):
        name: StateName | None = next((known for known, unit in _GIVEN if same_dimension(one.unit, unit)), None)
        if place == at and not one.said.strip("%"):
            name = "quality"
        if name is None or name in {other.name for other in state}:
            return None
        state.append(State(name=name, value=one.value, unit=one.unit))
    if len(state) == 1:
        phase = _phase(marked, wanted)
        return None if phase is None else [*state, State(name="quality", value=phase)]
    return state


def _phase(marked: str, wanted: Sequence[str]) -> float | None:
    """0 for a saturated liquid, 1 for a saturated vapour; at saturation alone either gives pressure and temperature."""
    if _VAPOUR.search(marked):
        return 1.0
    if _LIQUID.search(marked) or set(wanted) <= {"temperature", "pressure", "latent_heat"}:
        return 0.0
    return None
