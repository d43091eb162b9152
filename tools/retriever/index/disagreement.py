"""Where a model's flow and the code's own reading of the same lines lead elsewhere.

Two readers who agree are seldom wrong. Where they do not, the model's way stands and is listed as in doubt, so that a
run shows its lines before it is taken.
"""

from collections.abc import Iterator
from itertools import groupby

from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep
from soprag.tools.sop import END, Unresolved

_NO_STEP = "may be no step of its own: the rules read none there"
_ELSEWHERE = "may lead elsewhere: the rules read another way here"


def disputed(flow: ProcedureFlow, reading: ProcedureFlow) -> Iterator[Unresolved]:
    """A doubt for every step of `flow` that `reading` does not have on its line, or leads elsewhere from it.

    Neighbours of which the reading has none are one doubt at the first of them, with the lines of all.
    """
    listed = {part.step for part in flow.unresolved}
    ways, others = _ways(flow), _ways(reading)

    def reason(step: ProcedureStep) -> str:
        line = step.lines[0]
        if step.id in listed or ways[line] == others.get(line):
            return ""
        return _ELSEWHERE if line in others else _NO_STEP

    for said, steps in groupby(flow.steps, reason):
        if said == _NO_STEP:
            yield _doubt(said, list(steps))
        elif said:
            yield from (_doubt(said, [step]) for step in steps)


def _doubt(reason: str, steps: list[ProcedureStep]) -> Unresolved:
    lines = tuple(dict.fromkeys(line for step in steps for line in step.lines))
    return Unresolved(lines=lines, reason=reason, step=steps[0].id, doubt=True)


def _ways(flow: ProcedureFlow) -> dict[int, set[int | str]]:
    """First line of the steps -> the first lines of what follows them, or END; ways within a line are left out."""
    first = {step.id: step.lines[0] for step in flow.steps}
    found: dict[int, set[int | str]] = {line: set() for line in first.values()}
    for edge in flow.edges:
        start, end = first[edge.source], first.get(edge.target, END)
        if start != end:
            found[start].add(end)
    return found
