"""Rule-based flow view: the steps of an SOP with the branches between them (paper Eq. 4)."""

from tools.llm.tasks.retriever import Branch, FlowAnswer, NumberedSop, StepDraft, WarningDraft, unnumber
from tools.rules import branches, pointers, remarks
from tools.rules.connecting import connected
from tools.rules.outline import Block, read
from tools.rules.steps import Draft, Reader
from tools.rules.ways import Ways


def extract(sop: NumberedSop) -> FlowAnswer:
    """The steps with their warnings, references and branches, in the order they are written."""
    _, lines = unnumber(sop.numbered)
    body = "\n".join(lines)
    blocks = read(body)
    drafts = Reader(blocks).read() or Reader(blocks, eager=True).read() or _everything(blocks)
    links = pointers.definitions(body)
    branching = Ways(drafts, tuple(block for block in blocks if block.kind == "heading"))
    leaving = connected(drafts, [branching.leave(index) for index in range(len(drafts))])
    return FlowAnswer(steps=[_step(draft, led, links) for draft, led in zip(drafts, leaving, strict=True)])


def _everything(blocks: tuple[Block, ...]) -> list[Draft]:
    """The blocks as steps; the fallback for an SOP in which no step is recognised (a lone warning or heading)."""
    drafts = []
    for block in [block for block in blocks if block.kind in ("paragraph", "code")] or blocks[:1]:
        kind = remarks.kind_of(block.text)
        warnings = [WarningDraft(kind=kind, start=block.start, end=block.end)] if kind else []
        drafts.append(Draft(block.start, block.end, block.words, source=block.text, warnings=warnings))
    return drafts


def _step(draft: Draft, outgoing: list[Branch], links: dict[str, str]) -> StepDraft:
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
        references=pointers.references(draft.source, links),
    )
