"""Parts of a procedure that a model's step has done elsewhere, and comes back from."""

from collections.abc import Iterator, Sequence

from soprag.tools.procedure.procedure import ProcedureEdge
from soprag.tools.sop import Call
from soprag.tools.tasks.retriever import BranchDraft, StepDraft


def ways_of(step: StepDraft, following: str) -> list[BranchDraft]:
    """The ways of a step: what it says, or the step listed after it, to which a run also comes back from a part."""
    if all(way.through for way in step.next):
        return [*step.next, BranchDraft(to=following, when="otherwise" if step.next else "")]
    return step.next


def calls_of(steps: Sequence[StepDraft], edges: Sequence[ProcedureEdge]) -> Iterator[Call]:
    """The calls of all steps; a part that ends before it begins, or holds its caller, is none: the way is a jump."""
    names = [step.id for step in steps]
    for step in steps:
        for way in step.next:
            if not {way.to, way.through}.issubset(names):
                continue
            part = tuple(names[names.index(way.to) : names.index(way.through) + 1])
            back = [edge.target for edge in edges if edge.source == step.id and edge.target != way.to]
            if part and back and step.id not in part:
                left = ((edge.source, edge.target) for edge in edges if edge.source == way.through)
                exits = tuple(dict.fromkeys(pair for pair in left if pair[1] not in part))
                yield Call(source=step.id, target=way.to, steps=part, exits=exits, returns=back[-1])
