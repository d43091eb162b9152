"""What a guided run came to, in words: what was done, skipped and measured, and what was not on the way."""

from tools.flow.page import name_of
from tools.flow.plan import FlowPlan
from tools.flow.run import FlowRun
from tools.text.sanitize import one_line

_LONGEST = 70


def closing(plan: FlowPlan, run: FlowRun) -> str:
    """The end of a run, also of one that was stopped."""
    done = f"{len(run.done)} of {len(plan.steps)} steps done"
    head = f"{run.title!r} {'has ended' if run.status == 'finished' else 'was stopped'}: {done}."
    return "\n".join([head, *_rows(plan, run)])


def _rows(plan: FlowPlan, run: FlowRun) -> list[str]:
    steps = plan.by_id
    rows = [f"Skipped: {name_of(steps[mark.node])}, because: {one_line(mark.reason)}" for mark in run.skipped]
    rows += [f"Reading at {name_of(steps[one.node])}: {one.quantity} ({one.source})" for one in run.readings]
    rows += [f"Note: {one_line(words)}" for words in run.notes]
    rows += [f"Refused: {words}" for words in run.declined]
    if run.at:
        rows.append(f"It stands at {name_of(steps[run.at])} {one_line(steps[run.at].text, _LONGEST)}")
    seen = {mark.node for mark in run.trail} | {run.at}
    left = [step for step in plan.steps if step.id not in seen]
    if left:
        rows.append(f"Not on the way that was taken: {', '.join(str(step.number) for step in left)}.")
    lost = [step for step in left if step in plan.unreachable]
    if lost:
        rows.append(f"No way leads to: {', '.join(str(step.number) for step in lost)}; look at them in the SOP.")
    return rows
