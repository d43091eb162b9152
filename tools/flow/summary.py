"""The closing summary of a guided run: steps done, skipped and measured, and steps that were not reached."""

from soprag.tools.flow.required_readings import shown_reading
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.plan import START, FlowPlan
from soprag.tools.text.sanitize import one_line

_LONGEST = 70


def closing(plan: FlowPlan, run: FlowRun) -> str:
    """The summary of a finished or stopped run."""
    done = f"{len([node for node in run.done if node != START])} of {len(plan.steps)} steps done"
    head = f"{run.title!r} {'has ended' if run.status == 'finished' else 'was stopped'}: {done}."
    return "\n".join([head, *_rows(plan, run)])


def _rows(plan: FlowPlan, run: FlowRun) -> list[str]:
    steps = plan.by_id
    rows = [f"Skipped: {name_of(steps[mark.node])}, because: {one_line(mark.reason)}" for mark in run.skipped]
    rows += [
        f"Reading at {name_of(steps[reading.node])}: {shown_reading(plan, run, reading)} ({reading.source})"
        for reading in run.readings
    ]
    rows += [f"Note: {one_line(note)}" for note in run.notes]
    rows += [f"Refused: {refusal}" for refusal in run.declined]
    if run.at:
        rows.append(f"It stands at {name_of(steps[run.at])} {one_line(steps[run.at].text, _LONGEST)}")
    visited = {mark.node for mark in run.trail} | {run.at}
    remaining = [step for step in plan.steps if step.id not in visited]
    if remaining:
        rows.append(f"Not on the way that was taken: {', '.join(str(step.number) for step in remaining)}.")
    lost = [step for step in remaining if step in plan.unreachable]
    if lost:
        rows.append(f"No way leads to: {', '.join(str(step.number) for step in lost)}; look at them in the SOP.")
    return rows
