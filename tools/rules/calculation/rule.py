"""The rules of the tasks `math` and `code`: choose a tool from what the text states, or write its program."""

import re

from tools.llm.tasks.calculate import CodeAsk, CodeDraft, MathAsk, MathChoice
from tools.math.conversion import UnitConvert
from tools.math.laws import ApplyLaw, compute, laws
from tools.math.tool import Computed
from tools.math.units import Quantity, is_unit, same_dimension
from tools.rules.calculation.asked import Asked, question
from tools.rules.calculation.binding import Text, bind
from tools.rules.calculation.fluids import fluids, look_up
from tools.rules.calculation.reading import Reading, marked, read

_FORM = re.compile(r"\b(?:report|present|give) (?:your|the) (?:final )?answers?\b.*", re.IGNORECASE | re.DOTALL)
_WANTED = re.compile(r"\n(?:The result is )?wanted in (?P<unit>.+?)\.?$", re.IGNORECASE)
_CONVERT = re.compile(
    r"(?:convert «0» (?:in)?to|«0» (?:in|to|as|into)|how many .*? (?:is|are|in) «0»|express «0» in)", re.IGNORECASE
)
_TO = re.compile(r"(?:to|in|into|as|many) (?P<unit>[^\s?.,]+(?: of water)?)")
CLOSE = 1e-6
LONGEST = 8_000  # characters


def choose(ask: MathAsk) -> MathChoice:
    """The one call that uses every quantity of the task; none when there is no such call, or two that disagree."""
    if len(ask.task) + len(ask.inputs) > LONGEST:
        return MathChoice(call=None, why="the text is too long to be one problem")
    text = _text(ask)
    if not text.readings:
        return MathChoice(call=None, why="the text states no quantity with its unit")
    own = list(text.readings[: text.given])
    converted = _conversion(text, own)
    if converted:
        return MathChoice(call=converted, why="a conversion")
    call = _law(text)
    if call:
        return MathChoice(call=call, why=laws()[call.law].title)
    property_ = look_up(text.marked, own, text.asked) if text.given == len(text.readings) else None
    if property_:
        return MathChoice(call=property_, why="a property of a fluid")
    return MathChoice(call=None, why="no law of the rules uses all quantities of the text; a model may know more")


def write(ask: CodeAsk) -> CodeDraft:
    """A program that calls the tool the rules would choose; empty when they know none."""
    choice = choose(MathAsk(task=ask.task, inputs=ask.inputs))
    if choice.call is None:
        return CodeDraft(code="", why=choice.why)
    name = choice.call.tool
    arguments = choice.call.model_dump(mode="json", exclude={"tool"})
    if f"tool('{name}'" not in ask.tools:
        return CodeDraft(code="", why=f"programs may not call {name} here")
    shown = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    return CodeDraft(code=f"found = tool({name!r}, {shown})\nanswer = next(iter(found.values()))\n", why=choice.why)


def _text(ask: MathAsk) -> Text:
    wanted = _WANTED.search(ask.task)
    task = _FORM.sub("", _WANTED.sub("", ask.task))
    readings = read(task)
    whole = f"{task}\n{ask.inputs}" if ask.inputs else task
    every = read(whole) if ask.inputs else readings
    asked = question(marked(task, readings))
    if wanted and is_unit(wanted["unit"]):
        asked = Asked(asked.sentence, wanted["unit"])
    return Text(marked(whole, every), every, len(readings), asked)


def _conversion(text: Text, own: list[Reading]) -> UnitConvert | None:
    if len(own) != 1 or not _CONVERT.search(text.marked):
        return None
    target = next((one["unit"] for one in _TO.finditer(text.marked) if is_unit(one["unit"])), text.asked.unit)
    if not target or not own[0].unit or not same_dimension(own[0].unit, target):
        return None
    return UnitConvert(value=own[0].value, unit=own[0].unit, to=target)


def _law(text: Text) -> ApplyLaw | None:
    """The law that fits; when several do they must agree, else none is chosen."""
    solved: list[tuple[ApplyLaw, Computed]] = []
    for law in laws().values():
        call = bind(law, text)
        if call and law.fluid:
            named = [*fluids(text.marked), "", ""]
            call = call.model_copy(update={"fluid": named[0], "fluid2": named[1]})
        made = compute(call) if call else None
        if call and isinstance(made, Computed):
            solved.append((call, made))
    if not solved:
        return None
    first = solved[0][1].first
    agree = all(_agrees(first, other.first) for _, other in solved[1:])
    return solved[0][0] if agree else None


def _agrees(one: Quantity, other: Quantity) -> bool:
    if not same_dimension(one.unit, other.unit):
        return False
    return abs(one.to(other.unit).value - other.value) <= CLOSE * abs(other.value)
