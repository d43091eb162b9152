"""Parts of a procedure that a step calls: the run goes there, and comes back when the part has been done."""

from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.sop import END


def follow(plan: FlowPlan, calling: tuple[str, ...], node: str, to: str) -> tuple[str, tuple[str, ...]]:
    """Where a way from `node` to `to` leads in fact, and the steps whose calls are open then, innermost last.

    At the end of a called part that is the step after the call. A stop inside the part stops the run, and a jump out of
    it leaves the call for good. An empty `to` is the end of the procedure.
    """
    source, target = node, to
    while calling:
        call = plan.call(calling[-1])
        if call is None:
            calling = calling[:-1]
        elif (source, target or END) in call.exits:
            source, target = call.source, "" if call.returns == END else call.returns
            calling = calling[:-1]
        elif target in call.steps:
            break
        else:
            calling = calling[:-1]
    made = plan.call(node, to) if to and target == to else None
    return target, (*calling, made.source) if made else calling
