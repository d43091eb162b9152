"""What a run says where it cannot go on by itself: a way in doubt, and a way that leads to no step it knows."""

from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.sop import Unresolved


def doubtful(plan: FlowPlan, doubt: Unresolved, to: str) -> str:
    """That the words of a step speak of another way than the one that was read, with its lines."""
    onward = f"on to {name_of(plan.by_id[to])}" if to else "to the end of the procedure"
    return (
        f"{name_of(plan.by_id[doubt.step])} {doubt.reason}:\n{_quoted(plan, doubt.lines)}\n"
        f"Reply the same again to go {onward}, or `go` and the number of the step that the text means."
    )


def _quoted(plan: FlowPlan, numbers: tuple[int, ...]) -> str:
    return "\n".join(f"  {n}| {plan.rows[n - 1]}" for n in numbers if 0 < n <= len(plan.rows))


def stranded(plan: FlowPlan, node: str, condition: str = "") -> str:
    """That a way leads nowhere the reader knows, with the lines in question."""
    step = plan.by_id[node]
    parts = [one for one in plan.flow.unresolved if one.step == node and one.when in ("", condition)]
    numbers = parts[0].lines if parts else tuple(range(step.lines.start, step.lines.end + 1))
    said = f"{parts[0].reason!r} leads to no step" if parts else "It is not known what follows"
    return (
        f"{said} that this reading of the procedure knows. The lines in question:\n{_quoted(plan, numbers)}\n"
        f"Choose the next step: reply `go` and its number, 1 to {len(plan.steps)}, or `stop`."
    )
