"""Lists that answer the question or the check in the paragraph above them."""

from soprag.tools.procedure.answers import AnswerReader, escalates, last_inner, looks
from soprag.tools.procedure.blocks import Block
from soprag.tools.procedure.composing import opens_outcome
from soprag.tools.procedure.item_kinds import compared_cases, states_case
from soprag.tools.procedure.tree import Choice, DraftStep, Node
from soprag.tools.procedure.verbs import is_check


def asked(lead: Block | None, items: list[Block], nodes: list[Node]) -> bool:
    """Whether a question that is no step itself stands above items which answer it ("What is found?")."""
    last = last_inner(nodes)
    asks = lead is not None and lead.kind == "paragraph" and lead.text.rstrip(" *_").endswith("?")
    taken = lead is not None and last is not None and lead.lines[-1] in last.lines
    return asks and not taken and len(items) > 1 and all(opens_outcome(item.passage) for item in items)


def question(reader: AnswerReader, lead: Block | None, items: list[Block]) -> Choice:
    """The decision on a question, which gives its paragraph up for it."""
    assert lead is not None
    draft = reader.draft
    for line in lead.lines:
        draft.roles.pop(line, None)
    head = draft.step(lead.passage, "decision")
    draft.role(lead.lines, "decision", "step-part")
    return Choice(head, [reader.answer(item) for item in items], open=False)


def answered(lead: Block | None, step: DraftStep, items: list[Block]) -> bool:
    """Whether items say what the outcome of the check just above them leads to."""
    above = lead is not None and lead.kind == "paragraph" and lead.lines[-1] in step.lines
    stated = compared_cases(items) or (all(map(states_case, items)) and not escalates(items))
    return above and (is_check(step.text) or looks(step)) and stated
