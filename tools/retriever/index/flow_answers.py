"""A `ProcedureFlow` in the form in which a model answers about the flow."""

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.wording.safety_labels import kind_of
from soprag.tools.sop import UNRESOLVED
from soprag.tools.tasks.retriever import BranchDraft, FlowAnswer, StepDraft, WarningDraft


def answer_of(flow: ProcedureFlow) -> FlowAnswer:
    """The answer that has the steps, ways and warnings of a flow; line roles and ranges have no place in an answer."""
    ways: dict[str, list[BranchDraft]] = {}
    through = {(call.source, call.target): call.steps[-1] for call in flow.calls}
    for edge in flow.edges:
        last = through.get((edge.source, edge.target), "")
        ways.setdefault(edge.source, []).append(BranchDraft(to=edge.target, when=edge.when, through=last))
    for one in flow.unresolved:
        if one.step and not one.doubt:
            ways.setdefault(one.step, []).append(BranchDraft(to=UNRESOLVED, when=one.when))
    steps = [
        StepDraft(
            id=step.id,
            kind=step.kind,
            start=step.lines[0],
            end=step.lines[-1],
            words=step.text,
            only_if=step.only_if,
            next=ways.get(step.id, []),
        )
        for step in flow.steps
    ]
    warnings = [
        WarningDraft(
            kind=kind_of(warning.text) or "warning",
            start=min(warning.lines),
            end=max(warning.lines),
            words=warning.text,
            protects=list(warning.protects),
        )
        for warning in flow.warnings
    ]
    points, forks = list(flow.entry_points), list(flow.alternatives)
    return FlowAnswer(steps=steps, warnings=warnings, alternatives=forks, entry_points=points)
