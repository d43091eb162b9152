"""What a guided run says before its first step, and on `lines`: unresolved parts and lines that are no steps."""

from collections.abc import Iterable, Iterator
from itertools import chain

from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.sop import LeftOut, Unresolved
from soprag.tools.text.sanitize import one_line

_LONGEST = 90
_NEVER_DONE = frozenset(("metadata", "none", "reference"))  # roles that nobody expects in a run


def opening(plan: FlowPlan, chosen: Iterable[str] = ()) -> str:
    """The words, with the alternatives `chosen` by the question; empty when everything is part of the run.

    Parts and lines are counted in one sentence; `line_account` lists them.
    """
    return "\n".join(chain(_chosen(chosen), _endless(plan), _points(plan), _counted(plan)))


def line_account(plan: FlowPlan) -> str:
    """Every part that could not be resolved with its reason, and every line that is not part of the run."""
    return "\n".join(chain(_unresolved(plan), _left_out(plan))) or f"Every line of {plan.title!r} is part of the run."


def _counted(plan: FlowPlan) -> Iterator[str]:
    """One sentence: how much is left to the operator."""
    parts, spans = len(plan.flow.unresolved), [part.lines for part in _unexpected(plan)]
    told = []
    if parts:
        told.append(f"at {parts} point{'s' * (parts > 1)} of it you decide how to go on")
    if spans:
        lines = sum(span.end - span.start + 1 for span in spans)
        told.append(f"{lines} line{'s' * (lines > 1)} of it {'are' if lines > 1 else 'is'} not part of the run")
    if told:
        yield f"{plan.title}: {', '.join(told)}; `lines` shows which."


def _chosen(chosen: Iterable[str]) -> Iterator[str]:
    for alternative in chosen:
        words = one_line(alternative, _LONGEST)
        yield f"Your question is about {words!r}: `done` at the fork goes there, the number of a way goes elsewhere."


def _unresolved(plan: FlowPlan) -> Iterator[str]:
    parts = plan.flow.unresolved
    if parts:
        yield f"{len(parts)} part{'s' * (len(parts) > 1)} of {plan.title!r} could not be resolved; you decide there:"
    for part in parts:
        yield f"  {_lines(part.lines)}: {part.reason}{_quote(plan, part)}"


def _quote(plan: FlowPlan, part: Unresolved) -> str:
    words = one_line(" ".join(plan.rows[n - 1] for n in part.lines if 0 < n <= len(plan.rows)), _LONGEST)
    return f": {words}" if words else ""


def _endless(plan: FlowPlan) -> Iterator[str]:
    """The steps that lead round in a circle, which only the operator can end."""
    if plan.endless:
        names = ", ".join(name_of(step) for step in plan.endless)
        yield f"No way of {plan.title!r} leads to an end from {names}: `stop` ends the run there."


def _points(plan: FlowPlan) -> Iterator[str]:
    """The situations for which the procedure has a part of its own, entered by `go`."""
    for point in plan.flow.entry_points:
        if point.step in plan.by_id and point.step not in plan.entries:
            step = plan.by_id[point.step]
            yield f"At any time, {one_line(point.situation, _LONGEST)!r}: reply `go {step.number}` for {name_of(step)}."


def _left_out(plan: FlowPlan) -> Iterator[str]:
    spans: dict[str, list[LeftOut]] = {}
    for part in _unexpected(plan):
        spans.setdefault(part.role, []).append(part)
    if spans:
        named = (f"{role} ({', '.join(map(_span, parts))})" for role, parts in sorted(spans.items()))
        yield f"Lines of {plan.title!r} that are not part of the run: {'; '.join(named)}."


def _unexpected(plan: FlowPlan) -> list[LeftOut]:
    """The lines left out that somebody may look for in the run."""
    return [part for part in plan.flow.left_out if part.role not in _NEVER_DONE]


def _span(part: LeftOut) -> str:
    start, end = part.lines.start, part.lines.end
    return f"{start}" if start == end else f"{start}-{end}"


def _lines(lines: tuple[int, ...]) -> str:
    first, last = min(lines), max(lines)
    return f"line {first}" if first == last else f"lines {first}-{last}"
