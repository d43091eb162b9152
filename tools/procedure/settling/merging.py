"""Acts under conditions that exclude each other become one decision; sections aside leave the line of steps."""

import re

from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Fork, Go, Node, Outcome, Part
from soprag.tools.procedure.nodes.branching import leaves
from soprag.tools.procedure.wording.conditions import OPENING, form
from soprag.tools.procedure.wording.exclusive import complete, refers_back
from soprag.tools.procedure.wording.passage import SourcePassage

_ASIDE = re.compile(
    r"^\W*(?:[\d.]+\s+)?"
    r"(?:(?:if )?reject(?:ed|ion)|escalation|emergency|abort|back-?out|roll-?back|fallback|evacuation)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:previous|above|preceding|these steps|none of|neither|still|again|continues? to|persists?|afterwards?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z0-9]+")


def merged(nodes: list[Node], draft: Draft) -> list[Node]:
    """The nodes with "If A, do this. Otherwise do that." as one decision, at every depth."""
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, Part):
            node.body = merged(node.body, draft)
        elif isinstance(node, Choice | Fork):
            if isinstance(node, Choice):
                node.outcomes = _by_tries(node, draft)
            for outcome in node.outcomes:
                outcome.body = merged(outcome.body, draft)
        joined = _joined(found, node, draft)
        if joined is None:
            found.append(node)
        else:
            found = joined
    return found


def set_aside(nodes: list[Node]) -> None:
    """An escalation or emergency section that a jump leads to is entered by the jump only."""
    names = [set(_WORD.findall(jump.target.name.lower())) for jump in _jumps(nodes)]
    for part in [node for node in nodes if isinstance(node, Part)]:
        set_aside(part.body)
        title = set(_WORD.findall(part.situation.lower()))
        if _ASIDE.match(part.situation) and any(name and name <= title for name in names):
            part.detached = True


def _by_tries(node: Choice, draft: Draft) -> list[Outcome]:
    """The outcomes of a decision; one that only leads elsewhere when it is found again counts as several."""
    found: list[Outcome] = []
    for outcome in node.outcomes:
        only = outcome.body[0] if len(outcome.body) == 1 else None
        if isinstance(only, Choice) and only.counted and all(leaves(one.body[:1]) for one in only.outcomes[1:]):
            draft.remove(only.step, node.step)
            node.step.extend(only.step.lines)
            found += [Outcome(f"{outcome.when}, {one.when}", one.body, outcome.stated) for one in only.outcomes]
        else:
            found.append(outcome)
    return found


def _joined(nodes: list[Node], node: Node, draft: Draft) -> list[Node] | None:
    """The nodes with `node` as a further outcome of the last one, None when it is none."""
    last = nodes[-1] if nodes else None
    when, body = _conditional(node)
    if not when or last is None or (isinstance(node, Choice) and _looks(node.step)):
        return None
    before, earlier = _conditional(last)
    if not before or refers_back(before) or not complete([before, when]) or _LATER.search(when):
        return None
    if isinstance(last, Choice):
        if isinstance(body[0], Act):
            body[0].step.only_if = ""
        last.outcomes.append(Outcome(when, body))
        last.open = False
        return nodes
    head, kept = _head(nodes[:-1], before, last, draft)
    if isinstance(node, Choice):
        head.extend(node.step.lines)
        draft.steps.remove(node.step)
    for outcome in (earlier, body):
        if isinstance(outcome[0], Act):
            outcome[0].step.only_if = ""
    return [*kept, Choice(head, [Outcome(before, earlier), Outcome(when, body)], open=False)]


def _looks(step: DraftStep) -> bool:
    """Whether a decision begins with a look at something, which is what its condition is about."""
    return form(step.text) != "statement" and not OPENING.match(step.text)


def _conditional(node: Node) -> tuple[str, list[Node]]:
    """The single condition of a node and what is done under it; no condition when there are none or several."""
    if isinstance(node, Act):
        return node.step.only_if, [node]
    if isinstance(node, Choice) and node.open and len(node.outcomes) == 1:
        return node.outcomes[0].when, node.outcomes[0].body or [node]
    return "", []


def _head(nodes: list[Node], when: str, last: Node, draft: Draft) -> tuple[DraftStep, list[Node]]:
    """The check before, or a step of its own on the line of the first condition."""
    before = nodes[-1] if nodes else None
    if isinstance(before, Act) and not before.step.only_if and form(before.step.text) == "check":
        before.step.kind = "decision"
        return before.step, nodes[:-1]
    assert isinstance(last, Act)
    return draft.before(last.step, SourcePassage(f"If {when}", ((0, last.step.lines[0]),))), nodes


def _jumps(nodes: list[Node]) -> list[Go]:
    found: list[Go] = []
    for node in nodes:
        if isinstance(node, Go):
            found.append(node)
        elif isinstance(node, Part):
            found += _jumps(node.body)
        elif isinstance(node, Choice | Fork):
            found += [jump for outcome in node.outcomes for jump in _jumps(outcome.body)]
    return found
