"""The last pass of the reader: numbered items that no step holds are put back, so that none is lost."""

import re
from collections.abc import Iterator

from soprag.tools.markdown.outline import ListItem, OutlineBlock, read
from soprag.tools.procedure.drafting.draft import Role
from soprag.tools.procedure.procedure import LineRole, ProcedureEdge, ProcedureFlow, ProcedureStep
from soprag.tools.procedure.wording.instructions import directs
from soprag.tools.sop import END, Unresolved

_JUMP = re.compile(r"\W*(?:go|return|proceed|continue|skip)\b", re.IGNORECASE)  # read as a way already
_OUT_OF_REACH = "no way leads here"
_PUT_BACK = "stands in a numbered list and was not read as an act: whether it is one is not sure"


def restored(markdown: str, flow: ProcedureFlow) -> ProcedureFlow:
    """The flow with a step for every numbered item without one, where its list holds a step or an instruction.

    Such a step stands between the step before it and what followed that step, and is listed as unresolved; where
    several ways leave the step before, no way leads to it.
    """
    for block in _lost(markdown, flow):
        flow = _extended(flow, block) if _JUMP.match(block.words) else _inserted(flow, block)
    return flow


def _lost(markdown: str, flow: ProcedureFlow) -> Iterator[OutlineBlock]:
    held = {line for step in flow.steps for line in step.lines}
    held |= {line for warning in flow.warnings for line in warning.lines}
    titles = {line.n for line in flow.lines if line.role == "heading"}  # over the items nested in them
    first: dict[ListItem, OutlineBlock] = {}
    for block in read(markdown):
        if block.item and block.item.ordered and block.kind == "paragraph" and block.start == block.item.start:
            first.setdefault(block.item, block)
    acting = {item.list for item, block in first.items() if block.start in held or directs(block.words)}
    inner = {item.parent for item in first if item.list in acting}
    for item, block in first.items():
        lines = range(item.start, item.end + 1)
        if (
            item.list in acting
            and block.start not in held
            and block.start not in titles
            and not _JUMP.match(block.words)
            and (item in inner or held.isdisjoint(lines))
        ):
            yield block


def _extended(flow: ProcedureFlow, block: OutlineBlock) -> ProcedureFlow:
    """The lines of a jump, which was read as a way, belong to the step before it."""
    lines = tuple(range(block.start, block.end + 1))
    before = next((step.id for step in reversed(flow.steps) if step.lines[0] < block.start), "")
    steps = tuple(
        step.model_copy(update={"lines": tuple(sorted({*step.lines, *lines}))}) if step.id == before else step
        for step in flow.steps
    )
    return flow.model_copy(update={"steps": steps})


def _inserted(flow: ProcedureFlow, block: OutlineBlock) -> ProcedureFlow:
    lines = tuple(range(block.start, block.end + 1))
    position = sum(step.lines[0] < block.start for step in flow.steps)
    name = f"r{block.start}"
    label = block.item.label.rstrip(")") if block.item else ""
    step = ProcedureStep(id=name, lines=lines, kind="action", text=block.words, label=label)
    steps = (*flow.steps[:position], step, *flow.steps[position:])
    following = flow.steps[position].id if position < len(flow.steps) else END
    update: dict[str, object] = {"steps": steps, "lines": tuple(_roles(flow, lines))}
    if not position:
        entry = flow.entry[1:] if flow.entry[:1] == (following,) else flow.entry
        update |= {"entry": (name, *entry), "edges": (ProcedureEdge(source=name, target=following), *flow.edges)}
        return _marked(flow.model_copy(update=update), step)
    before = flow.steps[position - 1].id
    ways = [edge for edge in flow.edges if edge.source == before]
    others = [edge for edge in flow.edges if edge.source != before]
    if (len(ways) == 1 and ways[0].target != END) or (len(ways) == 1 and following == END):
        ways = [edge.model_copy(update={"target": name, "when": ""}) for edge in ways] + [
            ways[0].model_copy(update={"source": name})
        ]
    else:
        ways.append(ProcedureEdge(source=name, target=following))
        lost = Unresolved(lines=lines, reason=_OUT_OF_REACH)
        update["unresolved"] = (*flow.unresolved, lost)
    return _marked(flow.model_copy(update=update | {"edges": tuple(_ordered([*others, *ways], steps))}), step)


def _marked(flow: ProcedureFlow, step: ProcedureStep) -> ProcedureFlow:
    doubt = Unresolved(lines=step.lines[:1], reason=_PUT_BACK, step=step.id, doubt=True)
    return flow.model_copy(update={"unresolved": (*flow.unresolved, doubt)})


def _ordered(edges: list[ProcedureEdge], steps: tuple[ProcedureStep, ...]) -> list[ProcedureEdge]:
    order = {step.id: position for position, step in enumerate(steps)}
    return sorted(edges, key=lambda edge: order[edge.source])


def _roles(flow: ProcedureFlow, lines: tuple[int, ...]) -> Iterator[LineRole]:
    opening: Role = "step"
    part: Role = "step-part"
    for line in flow.lines:
        inside = line.n in lines
        yield LineRole(n=line.n, role=opening if line.n == lines[0] else part) if inside else line
