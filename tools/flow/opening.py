"""What a guided run says before its first step: what the reader could not resolve, and what is not part of the run."""

from collections.abc import Iterable, Iterator
from itertools import chain

from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.sop import LeftOut, Unresolved
from soprag.tools.text.sanitize import one_line

_LONGEST = 90
_LISTED = 8  # unresolved parts
_NEVER_DONE = frozenset(("metadata", "none", "reference"))  # roles that nobody expects in a run


def opening(plan: FlowPlan, chosen: Iterable[str] = ()) -> str:
    """The words, with the alternatives `chosen` by the question; empty when everything is part of the run."""
    return "\n".join(chain(_chosen(chosen), _unresolved(plan), _endless(plan), _points(plan), _left_out(plan)))


def _chosen(chosen: Iterable[str]) -> Iterator[str]:
    for alternative in chosen:
        words = one_line(alternative, _LONGEST)
        yield f"Your question is about {words!r}: `done` at the fork goes there, the number of a way goes elsewhere."


def _unresolved(plan: FlowPlan) -> Iterator[str]:
    parts = plan.flow.unresolved
    if parts:
        yield f"{len(parts)} part{'s' * (len(parts) > 1)} of {plan.title!r} could not be resolved; you decide there:"
    for part in parts[:_LISTED]:
        yield f"  {_lines(part.lines)}: {part.reason}{_quote(plan, part)}"
    if len(parts) > _LISTED:
        yield f"  and {len(parts) - _LISTED} more; see `soprag index show`"


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
    for part in plan.flow.left_out:
        if part.role not in _NEVER_DONE:
            spans.setdefault(part.role, []).append(part)
    if spans:
        named = (f"{role} ({', '.join(map(_span, parts))})" for role, parts in sorted(spans.items()))
        yield f"Lines of {plan.title!r} that are not part of the run: {'; '.join(named)}."


def _span(part: LeftOut) -> str:
    start, end = part.lines.start, part.lines.end
    return f"{start}" if start == end else f"{start}-{end}"


def _lines(lines: tuple[int, ...]) -> str:
    first, last = min(lines), max(lines)
    return f"line {first}" if first == last else f"lines {first}-{last}"
