"""Rule-based flow view: the steps of an SOP with the branches between them (paper Eq. 4)."""

from soprag.tools.markdown.outline import OutlineBlock, read
from soprag.tools.procedure import branches, references, safety_labels
from soprag.tools.procedure.control_flow import Ways
from soprag.tools.procedure.reachability import connected
from soprag.tools.procedure.step_reader import StepInProgress, StepReader
from soprag.tools.tasks.retriever import BranchDraft, FlowAnswer, NumberedSop, StepDraft, WarningDraft, unnumber


def extract(sop: NumberedSop) -> FlowAnswer:
    """The steps with their warnings, references and branches, in the order they are written."""
    _, lines = unnumber(sop.numbered)
    body = "\n".join(lines)
    blocks = read(body)
    drafts = StepReader(blocks).read() or StepReader(blocks, eager=True).read() or _everything(blocks)
    links = references.definitions(body)
    branching = Ways(drafts, tuple(block for block in blocks if block.kind == "heading"))
    leaving = connected(drafts, [branching.leave(index) for index in range(len(drafts))])
    return FlowAnswer(steps=[_step(draft, led, links) for draft, led in zip(drafts, leaving, strict=True)])


def _everything(blocks: tuple[OutlineBlock, ...]) -> list[StepInProgress]:
    """The blocks as steps; the fallback for an SOP in which no step is recognised (a lone warning or heading)."""
    drafts = []
    for block in [block for block in blocks if block.kind in ("paragraph", "code")] or blocks[:1]:
        kind = safety_labels.kind_of(block.text)
        warnings = [WarningDraft(kind=kind, start=block.start, end=block.end)] if kind else []
        drafts.append(StepInProgress(block.start, block.end, block.words, source=block.text, warnings=warnings))
    return drafts


def _step(draft: StepInProgress, outgoing: list[BranchDraft], links: dict[str, str]) -> StepDraft:
    decides = (
        len(outgoing) > 1
        or any(branch.when for branch in outgoing)
        or bool(draft.when or draft.condition)
        or (branches.is_question(draft.text) and bool(outgoing))
    )
    return StepDraft.model_construct(
        kind="decision" if decides else "action",
        start=draft.start,
        end=draft.end,
        next=outgoing,
        warnings=draft.warnings,
        references=references.references(draft.source, links),
    )
