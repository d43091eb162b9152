"""Why a run stands where it stands: the place of its step, what led to it, its range and its warnings."""

from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.procedure.rendered_steps import lines_of


def explain(plan: FlowPlan, run: FlowRun) -> str:
    """An explanation of the current step from the SOP and the trail."""
    step = plan.by_id[run.at]
    sentences = [f"{name_of(step)} stands in {plan.title!r}, {lines_of(step.lines)}"]
    sentences[0] += f", under {step.section!r}." if step.section else "."
    if run.trail:
        last = run.trail[-1]
        came = f"It follows {name_of(plan.by_id[last.node])}, which was {last.outcome}"
        sentences.append(f"{came}, because: {last.condition} (by {last.means})." if last.condition else f"{came}.")
    else:
        sentences.append("It is the first step.")
    if step.only_if:
        sentences.append(f"It applies only if: {step.only_if}.")
    sentences += [f"The SOP states {demand.phrase!r} here." for demand in plan.demands(run.at)]
    sentences += [f"It is protected by: {warning.text}" for warning in step.warnings]
    return "\n".join(sentences)
