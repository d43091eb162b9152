"""The nodes of paragraphs and items with a bold heading of their own."""

from collections.abc import Sequence

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.blocks.run_ins import RunIn, run_in, run_in_cases
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, Fork, Node, Outcome, Stop
from soprag.tools.procedure.items.answers import last_inner
from soprag.tools.procedure.items.lists import ListReader
from soprag.tools.procedure.nodes.composing import Composer
from soprag.tools.procedure.wording.verbs import directs


def titled_acts(block: Block, rows: Sequence[str], draft: Draft) -> list[Node]:
    """The acts of a paragraph; its bold heading names the first of them and is none itself."""
    titled = run_in(block, rows)
    words = titled.block.passage if titled and directs(titled.block.text) else block.passage
    made = Composer(draft).unit(words, prose=titled is None, number=block.number)
    first = made[0] if made and words is not block.passage else None
    if isinstance(first, Act | Choice) and words.text.startswith(first.step.text[:20]):
        first.step.text = f"{block.text[: len(block.text) - len(words.text)]}{first.step.text}"
    return made


def titled_cases(blocks: Sequence[Block], rows: Sequence[str], draft: Draft) -> list[Node]:
    """The blocks of a section that collects problems, each under the bold name of one; empty for others."""
    outcomes = [_case(case, draft) for case in run_in_cases(blocks, rows)]
    return [Fork("alarm", outcomes)] if outcomes else []


def _case(case: RunIn, draft: Draft) -> Outcome:
    start, words = len(draft.steps), case.block.passage
    body = Composer(draft).unit(words) or [Act(draft.step(words))]
    draft.note(words, start)
    draft.role(case.block.lines, "step", "step-part")
    last = last_inner(body)
    if last is not None:
        last.extend([line for line in words.lines if line >= last.lines[0]])
    inner = [child for child in case.block.children if child.kind == "item"]
    body = ListReader(draft).items(inner, body, True) if inner else body
    return Outcome(case.label, [*body, Stop()])
