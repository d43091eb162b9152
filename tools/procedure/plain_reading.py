"""The reading of last resort: where no act is recognised, as in most languages, every item or paragraph is a step."""

from soprag.tools.markdown.outline import OutlineBlock, read
from soprag.tools.procedure.drafting.draft import Role
from soprag.tools.procedure.procedure import LineRole, ProcedureEdge, ProcedureFlow, ProcedureStep
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.sop import END


def plain_reading(source: SourceText, flow: ProcedureFlow) -> ProcedureFlow:
    """The flow with the list items, or else the paragraphs and commands, of the source as steps in a chain."""
    noted = {line for remark in source.remarks() for line in range(remark.start, remark.end + 1)}
    blocks = [block for block in read(source.body) if block.start not in noted]
    chosen = [block for block in blocks if block.item and block.start == block.item.start] or [
        block for block in blocks if block.kind in ("paragraph", "code")
    ]
    chosen = chosen or [block for block in read(source.body) if block.kind != "rule"][:1]
    steps = tuple(_step(f"s{position}", block) for position, block in enumerate(chosen, 1))
    following = [step.id for step in steps[1:]] + [END] * bool(steps)
    edges = (ProcedureEdge(source=step.id, target=to) for step, to in zip(steps, following, strict=True))
    taken = {line for step in steps for line in step.lines}
    step_role: Role = "step"
    roles = tuple(LineRole(n=one.n, role=step_role if one.n in taken else one.role) for one in flow.lines)
    update = {"lines": roles, "steps": steps, "edges": tuple(edges), "entry": tuple(step.id for step in steps[:1])}
    return flow.model_copy(update=update)


def _step(name: str, block: OutlineBlock) -> ProcedureStep:
    lines = tuple(range(block.start, block.end + 1))
    return ProcedureStep(id=name, lines=lines, kind="action", text=block.words or block.text)
