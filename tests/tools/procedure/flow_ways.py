"""The ways of a flow by the lines of its source."""

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.settling.control import END


def ways(flow: ProcedureFlow, line: int) -> dict[str, int | str]:
    """Condition -> the first line of what follows, for the ways out of the steps that begin on a line."""
    first = {step.id: step.lines[0] for step in flow.steps}
    inside = {step.id for step in flow.steps if step.lines[0] == line}
    out = [edge for edge in flow.edges if edge.source in inside and edge.target not in inside]
    return {edge.when: first.get(edge.target, END) for edge in out}
