"""The rules of the tasks `math` and `code`: choose a tool from what the text states, or write its program."""

import re
from dataclasses import replace

from soprag.tools.math.conversion import UnitConvert
from soprag.tools.math.laws import ApplyLaw, compute, laws
from soprag.tools.math.tool import Computed
from soprag.tools.rules.calculation.asked_quantity import question
from soprag.tools.rules.calculation.fluids import fluids, look_up
from soprag.tools.rules.calculation.number_words import unused_number
from soprag.tools.rules.calculation.stated_quantities import StatedQuantity, marked, read
from soprag.tools.rules.calculation.variable_binding import TaskText, bind
from soprag.tools.tasks.calculate import CodeAsk, CodeDraft, MathAsk, MathChoice
from soprag.tools.units.quantity import Quantity, is_unit, same_dimension

_FORM = re.compile(r"\b(?:report|present|give) (?:your|the) (?:final )?answers?\b.*", re.IGNORECASE | re.DOTALL)
_WANTED = re.compile(r"\n(?:The result is )?wanted in (?P<unit>.+?)\.?$", re.IGNORECASE)
_CONVERT = re.compile(
    r"(?:convert «0» (?:in)?to|«0» (?:in|to|as|into)|how many .*? (?:is|are|in) «0»|express «0» in|"
    r"«0»[^«]{0,30}\bhow many \S+ (?:is|are|does|would) (?:that|this|it)(?: make| be)?\W*$)",
    re.IGNORECASE,
)
_TO = re.compile(r"(?:to|in|into|as|many) (?P<unit>[^\s?.,]+(?: of water)?)")
CLOSE = 1e-6
LONGEST = 8_000  # characters


def choose(ask: MathAsk) -> MathChoice:
    """The one call that uses every quantity of the task; none when there is no such call, or two that disagree."""
    if len(ask.task) + len(ask.inputs) > LONGEST:
        return MathChoice(call=None, why="the text is too long to be one problem")
    text = _text(ask)
    if not text.readings or unused_number(text):
        why = "a number in words, which no rule uses" if text.readings else "no quantity with its unit"
        return MathChoice(call=None, why=f"the text states {why}")
    stated = list(text.readings[: text.stated_count])
    converted = _conversion(text, stated)
    if converted:
        return MathChoice(call=converted, why="a conversion")
    call = _law(text)
    if call:
        return MathChoice(call=call, why=laws()[call.law].title)
    property_ = look_up(text.marked, stated, text.question) if text.stated_count == len(text.readings) else None
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
    keywords = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    return CodeDraft(code=f"found = tool({name!r}, {keywords})\nanswer = next(iter(found.values()))\n", why=choice.why)


def _text(ask: MathAsk) -> TaskText:
    unit_request = _WANTED.search(ask.task)
    task = _FORM.sub("", _WANTED.sub("", ask.task))
    readings = read(task)
    full_text = f"{task}\n{ask.inputs}" if ask.inputs else task
    every = read(full_text) if ask.inputs else readings
    target = question(marked(task, readings))
    if unit_request and is_unit(unit_request["unit"]):
        target = replace(target, unit=unit_request["unit"])
    return TaskText(marked(full_text, every), every, len(readings), target)


def _conversion(text: TaskText, stated: list[StatedQuantity]) -> UnitConvert | None:
    if len(stated) != 1 or not _CONVERT.search(text.marked):
        return None
    target = next((match["unit"] for match in _TO.finditer(text.marked) if is_unit(match["unit"])), text.question.unit)
    if not target or not stated[0].unit or not same_dimension(stated[0].unit, target):
        return None
    return UnitConvert(value=stated[0].value, unit=stated[0].unit, to=target)


def _law(text: TaskText) -> ApplyLaw | None:
    """The law that applies; None when several apply and their results differ."""
    solved: list[tuple[ApplyLaw, Computed]] = []
    for law in laws().values():
        call = bind(law, text)
        if call and law.fluid:
            fluid_names = [*fluids(text.marked), "", ""]
            call = call.model_copy(update={"fluid": fluid_names[0], "fluid2": fluid_names[1]})
        result = compute(call) if call else None
        if call and isinstance(result, Computed):
            solved.append((call, result))
    if not solved:
        return None
    first = solved[0][1].first
    agree = all(_agrees(first, computed.first) for _, computed in solved[1:])
    return solved[0][0] if agree else None


def _agrees(quantity: Quantity, reference: Quantity) -> bool:
    if not same_dimension(quantity.unit, reference.unit):
        return False
    return abs(quantity.to(reference.unit).value - reference.value) <= CLOSE * abs(reference.value)
