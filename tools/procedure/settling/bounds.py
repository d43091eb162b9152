"""Ranges bound to the step that states them, to their quantity and to their variant."""

import re

from soprag.tools.procedure.drafting.draft import Draft, ReadUnit
from soprag.tools.procedure.drafting.tree import DraftStep
from soprag.tools.procedure.procedure import ProcedureRange
from soprag.tools.procedure.ranges.found_range import FoundRange
from soprag.tools.procedure.ranges.ranges import find_ranges, telling
from soprag.tools.procedure.wording.conditions import OPENING
from soprag.tools.procedure.wording.verbs import is_check
from soprag.tools.sop import RangeUse
from soprag.tools.units.prose import is_time, quantity_name

_READS = re.compile(r"\b(?:read|measure|weigh|estimate|compare)\b", re.IGNORECASE)
_NEAR = 3  # steps above words in which something may have been read


def bind_ranges(draft: Draft) -> tuple[ProcedureRange, ...]:
    """The ranges of all units that were read as part of the procedure."""
    found: dict[tuple[object, ...], ProcedureRange] = {}
    for unit in draft.units:
        earlier: dict[str, str] = {}
        for made in find_ranges(unit.words.text, unit.unit, "" if unit.branch else unit.quantity):
            bound = _bound(made, unit, draft, earlier)
            earlier[made.unit] = bound.quantity
            found.setdefault(
                (
                    bound.step,
                    bound.low,
                    bound.high,
                    bound.unit,
                    bound.variant,
                    unit.quantity,
                    unit.words.line(made.start),
                ),
                bound,
            )
    return tuple(found.values())


def _bound(made: FoundRange, unit: ReadUnit, draft: Draft, earlier: dict[str, str]) -> ProcedureRange:
    step = _step(made, unit, draft)
    use: RangeUse = (
        "time" if is_time(made.unit) else "branch" if made.conditional or made.relative or unit.branch else "accept"
    )
    return ProcedureRange(
        step=step.id if step else "",
        quantity=_quantity(made, unit, step, draft, earlier),
        variant=made.variant or unit.variant,
        low=made.low,
        high=made.high,
        unit=made.unit,
        low_inclusive=made.low_inclusive,
        high_inclusive=made.high_inclusive,
        negated=made.negated,
        use=use,
        words=unit.words.text[made.start : made.end],
    )


def _quantity(made: FoundRange, unit: ReadUnit, step: DraftStep | None, draft: Draft, earlier: dict[str, str]) -> str:
    """The words before the range; without any, what was read just before: in that unit, in the sentence or the step
    before, or by the step itself.
    """
    words = made.quantity or (unit.quantity if unit.branch else "")
    if not words:
        read = _read_before(made, unit, step, draft) if made.conditional or unit.branch else ""
        words = earlier.get(made.unit) or read or f"{telling(step.text) if step else ''} {made.after}".strip()
    name = quantity_name(made.unit)
    return words if not name or name in words.lower() else f"{words} {name}".strip()


def _read_before(made: FoundRange, unit: ReadUnit, step: DraftStep | None, draft: Draft) -> str:
    """What the sentence before that of the range tells to read, else its decision, else a step above; or nothing."""
    sentences = re.split(r"(?<=[.!?])\s+", unit.words.text[: made.start])[:-1]
    own = draft.steps.index(step) if step in draft.steps else len(draft.steps)
    decision = [step.text] if step is not None and step.kind == "decision" and not OPENING.match(step.text) else []
    above = [one.text for one in draft.steps[max(0, own - _NEAR) : own] if one.scope == draft.steps[own - 1].scope]
    told = (*reversed(sentences), *decision, *reversed(above))
    return next((telling(text) for text in told if is_check(text) or _READS.search(text)), "")


def _step(made: FoundRange, unit: ReadUnit, draft: Draft) -> DraftStep | None:
    """The step whose words hold the range, else the last one that begins before it, decisions first."""
    words = unit.words.text[made.start : made.end]
    line = unit.words.line(made.start)
    steps = [step for step in draft.steps if step.id in unit.steps or line in step.lines]
    for step in steps:
        if words in step.only_if or (words in step.text and step.id in unit.steps):
            return step
    before = unit.words.text[: made.start]
    deciding = [step for step in steps if step.kind == "decision" and step.text[:20].rstrip(" .") in before]
    if deciding:
        return deciding[-1]
    on_line = [step for step in steps if step.kind == "decision" and line in step.lines] or [
        step for step in steps if line in step.lines
    ]
    return next(iter(on_line or steps), None)
