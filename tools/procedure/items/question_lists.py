"""Lists that answer the question or the check in the paragraph above them."""

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.labelled_jumps import Labels, labelled_exit
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Node, Outcome
from soprag.tools.procedure.items.answers import AnswerReader, escalates, last_inner
from soprag.tools.procedure.items.item_kinds import compared_cases, states_case
from soprag.tools.procedure.nodes.composing import opens_outcome
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.targets import exit_of, named_section
from soprag.tools.procedure.wording.verbs import asks

_PLACES = ("section", "step", "anchor", "title")


def asked(lead: Block | None, items: list[Block], nodes: list[Node]) -> bool:
    """Whether a question that is no step itself stands above items which answer it ("What is found?")."""
    last = last_inner(nodes)
    asks = lead is not None and lead.kind == "paragraph" and lead.text.rstrip(" *_").endswith("?")
    taken = lead is not None and last is not None and lead.lines[-1] in last.lines
    return asks and not taken and len(items) > 1 and all(opens_outcome(item.passage) for item in items)


def sends_on(lead: Block | None, items: list[Block], labels: Labels) -> bool:
    """Whether most items below a paragraph name the section or the step of their case ("FILTER: section 2")."""
    told = lead is not None and lead.kind == "paragraph"
    jumps = sum(_names_place(item, labels) for item in items)
    return told and jumps > 1 and 2 * jumps > len(items)


def asking_act(lead: Block | None, table: Block, draft: Draft) -> Act | None:
    """The paragraph above a table whose rows name the section or the step of each case, as the act that asks for it."""
    if lead is None or lead.kind != "paragraph" or not lead.text.rstrip().endswith((":", "?")):
        return None
    cells = [row.cells[-1].text for row in table.children[1:] if row.cells]
    places = [labelled_exit(cell, draft.labels, bare=True) or exit_of(cell) or named_section(cell) for cell in cells]
    if len(cells) < 2 or 2 * sum(place is not None and place.target.kind in _PLACES for place in places) <= len(cells):
        return None
    for line in lead.lines:
        draft.roles.pop(line, None)
    draft.role(lead.lines, "decision", "step-part")
    return Act(draft.step(lead.passage))


def _names_place(item: Block, labels: Labels) -> bool:
    found = clauses(item.passage, labels=True)
    if not found or not found[0].condition or item.number:
        return False
    text = found[0].body.text
    leaving = labelled_exit(text, labels, bare=True) or exit_of(text)
    return leaving is not None and not leaving.before.strip() and leaving.target.kind in _PLACES


def question(reader: AnswerReader, lead: Block | None, items: list[Block], nodes: list[Node]) -> list[Node]:
    """The nodes with the decision on a question; its paragraph becomes the decision, or the last act in it does."""
    assert lead is not None
    draft = reader.draft
    last = nodes[-1] if nodes else None
    if isinstance(last, Act) and lead.lines[-1] in last.step.lines:
        last.step.kind = "decision"
        last.step.extend([item.lines[0] for item in items])
        return [*nodes[:-1], Choice(last.step, _answers(reader, items), open=False)]
    for line in lead.lines:
        draft.roles.pop(line, None)
    head = draft.step(lead.passage, "decision")
    draft.role(lead.lines, "decision", "step-part")
    return [*nodes, Choice(head, _answers(reader, items), open=False)]


def _answers(reader: AnswerReader, items: list[Block]) -> list[Outcome]:
    """The outcomes that items state; what another item tells ("The red lamp takes priority") is no way."""
    places = [_names_place(item, reader.draft.labels) or opens_outcome(item.passage) for item in items]
    for item in (item for item, named in zip(items, places, strict=True) if not named):
        reader.draft.role(item.lines, "step-part")
    return [reader.answer(item) for item, named in zip(items, places, strict=True) if named]


def answered(lead: Block | None, step: DraftStep, items: list[Block]) -> bool:
    """Whether items say what the outcome of the check just above them leads to."""
    above = lead is not None and lead.kind in ("paragraph", "item") and lead.lines[-1] in step.lines
    stated = compared_cases(items) or (all(map(states_case, items)) and not escalates(items))
    return above and asks(step.text) and stated
