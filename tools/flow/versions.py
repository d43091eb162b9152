"""Carries a run over to a changed SOP by matching steps with unchanged text."""

from soprag.tools.flow.run import FlowRun, StepResult
from soprag.tools.procedure.plan import FlowPlan, words_of


def carry(run: FlowRun, plan: FlowPlan) -> FlowRun:
    """The run in the new edition: at the same step if its text is unchanged, else at the first step.

    Completed steps whose text changed lose their completion; all warnings must be acknowledged again.
    """
    node_by_hash: dict[str, str] = {}
    for step in plan.steps:
        node_by_hash.setdefault(words_of(step), step.id)
    same_step = node_by_hash.get(run.words, "")
    node = same_step or (plan.steps[0].id if plan.steps else "")
    renamed = {mark.node: node_by_hash[mark.words] for mark in run.trail if mark.words in node_by_hash}
    trail = [_moved(mark, renamed, plan, node) for mark in run.trail if mark.node in renamed]
    renamed[run.at] = node
    readings = [
        reading.model_copy(update={"node": renamed[reading.node]})
        for reading in run.readings
        if reading.node in renamed
    ]
    return run.model_copy(
        update={
            "title": plan.title,
            "digest": plan.digest,
            "graph": plan.graph,
            "at": node,
            "words": words_of(plan.by_id[node]) if node else "",
            "status": "running" if node else "finished",
            "trail": tuple(trail) if same_step else (),
            "readings": tuple(readings),
            "warned": False,
            "read": (),
            "visits": {node: 1},
            "confirming": "",
            "calling": (),
            "problem": "" if same_step else "The step where the run stood is not in the new edition: it begins anew.",
        }
    )


def _moved(mark: StepResult, renamed: dict[str, str], plan: FlowPlan, node: str) -> StepResult:
    """The result under the step's id and number in the new edition; a target that is gone becomes `node`."""
    step = renamed[mark.node]
    return mark.model_copy(update={"node": step, "number": plan.by_id[step].number, "to": renamed.get(mark.to, node)})
