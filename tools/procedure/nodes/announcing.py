"""The words above a list of cases that announce them ("The cause decides:"): the decision begins there."""

import re

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, Node
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.conditions import form
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.verbs import asks, perceives

_YES_NO = re.compile(r"^\W*(?:yes|no)\b", re.IGNORECASE)
_PARTS = re.compile(r"\b(?:depend(?:s|ing) (?:up)?on|var(?:y|ies)|differs?|according to|based on)\b", re.IGNORECASE)
_DEPENDS = re.compile(r"\b(?:depends? (?:up)?on|var(?:y|ies)|differs?)\b", re.IGNORECASE)

# "Go to the numbered item below that corresponds to the value."
_SENDS = re.compile(
    r"\b(?:corresponding|matching|respective|appropriate|relevant|that corresponds?|that match(?:es)?)\b[^.]*"
    r"\b(?:below|following)\b|"
    r"\b(?:items?|cases?|steps?) below (?:that|which) (?:corresponds?|match(?:es)?|applies|apply)\b",
    re.IGNORECASE,
)


def announced(draft: Draft, lead: Block | None, nodes: list[Node]) -> list[Node]:
    """The nodes, with the decision on the cases of a list drawn together with the paragraph above it."""
    choice = nodes[-1] if nodes else None
    if lead is None or lead.kind != "paragraph" or not isinstance(choice, Choice):
        return nodes
    if lead.lines[0] >= choice.step.lines[0]:
        return nodes
    before = nodes[-2] if len(nodes) > 1 else None
    if _read_there(lead, choice):
        choice.step.lines = sorted({lead.lines[-1], *choice.step.lines})
        choice.free = False
        return nodes
    if not (lead.text.rstrip().endswith(":") or _PARTS.search(lead.text)):
        return nodes
    if isinstance(before, Act) and before.step.lines[-1] >= lead.lines[0]:
        return taken_over(draft, nodes)
    if choice.free and draft.roles.get(lead.lines[0]) in ("heading", "prose", "condition"):
        choice.step.lines = sorted({*lead.lines, *choice.step.lines})
        draft.roles[lead.lines[0]] = "decision"
    return nodes


def differs(text: str) -> bool:
    """Whether words do nothing but say what the things below them depend on ("The way out depends on the model:")."""
    return text.rstrip().endswith(":") and form(text) == "statement" and bool(_DEPENDS.search(text))


def _read_there(lead: Block, choice: Choice) -> bool:
    """Whether a paragraph orders to read what the cases below it compare ("Read the level at the gauge.")."""
    reads = any(clause.form == "check" or perceives(clause.body.text) for clause in clauses(lead.passage))
    return reads and choice.free and all(compares(outcome.when) for outcome in choice.outcomes)


def asked_above(draft: Draft, nodes: list[Node], grouped: list[Node]) -> list[Node]:
    """The nodes with those of groups; a question above lists headed "Yes" and "No" is the decision on them."""
    act, choice = (nodes[-1] if nodes else None), (grouped[0] if grouped else None)
    if not isinstance(act, Act) or not isinstance(choice, Choice):
        return [*nodes, *grouped]
    answered = act.step.text.rstrip().endswith("?") and all(_YES_NO.match(one.when) for one in choice.outcomes)
    valued = asks(act.step.text) and all(compares(one.when) for one in choice.outcomes)
    if not (answered or valued):
        return [*nodes, *grouped]
    act.step.extend(choice.step.lines)
    draft.remove(choice.step, act.step)
    act.step.kind, choice.step, choice.free = "decision", act.step, False
    return [*nodes[:-1], *grouped]


def taken_over(draft: Draft, nodes: list[Node]) -> list[Node]:
    """The nodes, with an act that only announces the cases behind it ("Treat the cause:") as their decision."""
    act, choice = (nodes[-2], nodes[-1]) if len(nodes) > 1 else (None, None)
    if not isinstance(act, Act) or not isinstance(choice, Choice):
        return nodes
    if act.loops or choice.step is act.step or not act.step.text.rstrip().endswith(":"):
        return nodes
    step, choice.open = act.step, choice.open or bool(act.step.only_if)
    step.kind, step.only_if = "decision", ""
    step.extend(choice.step.lines)
    draft.remove(choice.step, step)
    choice.step = step
    return [*nodes[:-2], choice]


def sending_act(draft: Draft, items: list[Block], before: list[Node]) -> Act | None:
    """The act before a numbered list that sends the reader to the item of his case, whatever stands between."""
    sends = [node for node in before if isinstance(node, Act) and _SENDS.search(node.step.text)]
    found = sends[-1] if sends and len(items) > 1 and all(item.number for item in items) else None
    return found if found is not None and found.step.scope == draft.scope else None


def flattened(draft: Draft, choice: Choice) -> Choice:
    """A decision whose only way is a decision on cases ("If it fails, treat the cause:") as one on these cases."""
    body = choice.outcomes[0].body if len(choice.outcomes) == 1 else []
    inner = body[0] if len(body) == 1 else None
    if not isinstance(inner, Choice) or not inner.free:
        return choice
    choice.step.extend(inner.step.lines)
    draft.remove(inner.step, choice.step)
    return Choice(choice.step, inner.outcomes, open=True, free=True)
