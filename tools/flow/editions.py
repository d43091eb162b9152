"""A run whose SOP was changed goes on in the new edition, as far as the same words still stand there."""

from tools.flow.plan import FlowPlan, words_of
from tools.flow.run import FlowRun


def carry(run: FlowRun, plan: FlowPlan) -> FlowRun:
    """The run in the new edition: at the same step if its words still stand there, else at the first.

    Steps that were done and whose words changed are done no more; warnings are to be read again.
    """
    places: dict[str, str] = {}
    for step in plan.steps:
        places.setdefault(words_of(step), step.id)
    here = places.get(run.words, "")
    at = here or (plan.steps[0].id if plan.steps else "")
    renamed = {mark.node: places[mark.words] for mark in run.trail if mark.words in places}
    trail = [
        mark.model_copy(
            update={
                "node": renamed[mark.node],
                "number": plan.by_id[renamed[mark.node]].number,
                "to": renamed.get(mark.to, at),
            }
        )
        for mark in run.trail
        if mark.node in renamed
    ]
    renamed[run.at] = at
    readings = [one.model_copy(update={"node": renamed[one.node]}) for one in run.readings if one.node in renamed]
    return run.model_copy(
        update={
            "title": plan.title,
            "digest": plan.digest,
            "graph": plan.graph,
            "at": at,
            "words": words_of(plan.by_id[at]) if at else "",
            "status": "running" if at else "finished",
            "trail": tuple(trail) if here else (),
            "readings": tuple(readings),
            "warned": False,
            "read": (),
            "visits": {at: 1},
            "confirming": "",
            "problem": "" if here else "The step where the run stood is not in the new edition: it begins anew.",
        }
    )
