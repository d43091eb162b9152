"""Rules for any time ("**At any time:** smoke in the hall: leave it"): entered from anywhere, they end there."""

import re

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, Node, Part, Stop
from soprag.tools.procedure.nodes.branching import leaves
from soprag.tools.procedure.nodes.composing import Composer
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.passage import SourcePassage

_OPENS = re.compile(
    r"^\W*(?:at any (?:time|line|step|point|stage|moment)|any ?time|at all times|throughout)\b[^:,.;]{0,40}[:,]\W*",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\bat any (?:time|line|step|point|stage|moment)\b|\bat all times\b|"
    r"\b(?:during|in|at) any (?:of (?:these|the) )?steps?\b|\bduring (?:the|this) (?:test|work|job|procedure|run)\b|"
    r"\bbetween (?:steps?|lines?) \d+ and (?:(?:steps?|lines?) )?\d+\b|"
    r"\bwhatever you are (?:doing|busy with)\b|"
    r"\bno matter (?:what|where|which (?:step|section|line))\b|\bwherever you are in\b",
    re.IGNORECASE,
)
_RECURS = r"(?:comes? (?:back|up again)|returns?|recurs?|re-?appears?|(?:happens?|occurs?|trips?) again)"
_ANY_TIME = re.compile(
    r"\bany (?:time|point|stage|moment)\b|\b(?:return|recurrence|reappearance) of\b|\blater (?:in|during|on)\b|"
    r"^\W*(?:[\d.]+\s+)?(?:while|during)\b",
    re.IGNORECASE,
)
_COMES_BACK = re.compile(rf"\b{_RECURS}\b.*\b(?:within|after|later)\b", re.IGNORECASE)
_TITLE = re.compile(r"^\W*\w+(?: \w+){0,2}\.\s+(?=[A-Z])")  # "Fire. Flame at a door ...: hit GAS OFF"
_TABLE = re.compile(r"\b(?:this|the|following) table\b|\btable below\b", re.IGNORECASE)
_LONGEST = 160  # characters in which it is said


def standing_rule(block: Block, draft: Draft) -> Part | None:
    """What is done when the rule that a paragraph states applies; None for other paragraphs."""
    opening = _OPENS.match(block.text)
    if block.number or boxes.warns(block.text, boxed=False) or not (opening or _WITHIN.search(block.text[:_LONGEST])):
        return None
    title = _TITLE.match(block.text)
    start = opening.end() if opening else title.end() if title else 0
    words = block.passage.cut(start, len(block.text))
    first = next(iter(clauses(words, labels=True)), None)
    if first is None or not first.condition or not (opening or _acts(words)):
        return None
    begun = len(draft.steps)
    outcome = Composer(draft).outcome(words)
    body = outcome.body if outcome else []
    if not any(isinstance(node, Act | Choice) for node in body):
        body = [Act(draft.step(words)), *body]
    draft.note(block.passage, begun)
    draft.role(block.lines, "step", "step-part")
    return Part(draft.scope, body if leaves(body) else [*body, Stop()], True, first.condition)


def told_below(blocks: list[Block], at: int) -> int:
    """How many blocks below a paragraph it announces: a list behind its colon, or a table whose rows it names."""
    text, below = blocks[at].text, blocks[at + 1 : at + 2]
    if blocks[at].kind != "paragraph" or not below or below[0].kind not in ("table", "item"):
        return 0
    if below[0].kind == "table":
        labels = [row.cells[0].text.strip(" .:") for row in below[0].children[1:] if row.cells]
        named = any(label and re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text) for label in labels)
        return int(named or text.rstrip().endswith(":") or bool(_TABLE.search(text)))
    if not text.rstrip().endswith(":"):
        return 0
    return next((i for i, block in enumerate(blocks[at + 1 :]) if block.kind != "item"), len(blocks) - at - 1)


def stands_beside(title: str, body: list[Node]) -> bool:
    """Whether a section is for any time, or for when its problem comes back, and all it tells has a condition."""
    supposed = [_supposed(node) for node in body if not isinstance(node, Stop)]
    comes_back = bool(supposed and _COMES_BACK.search(supposed[0]))
    return bool(supposed) and all(supposed) and (comes_back or bool(_ANY_TIME.search(title)))


def entered(body: list[Node], draft: Draft) -> list[Node]:
    """What is done once a section stands beside the others for the one condition that it opens with."""
    only = body[0] if len(body) == 1 else None
    told = only.outcomes[0].body if isinstance(only, Choice) and only.open and len(only.outcomes) == 1 else []
    if not isinstance(only, Choice) or not told or not isinstance(told[0], Act):
        return body
    told[0].step.extend(only.step.lines)
    draft.remove(only.step, told[0].step)
    return told


def _supposed(node: Node) -> str:
    """The condition of an act, a decision or a rule; none of what is done in any case."""
    if isinstance(node, Part):
        return node.condition or node.situation
    if isinstance(node, Choice):
        return node.outcomes[0].when if node.outcomes else ""
    return node.step.only_if if isinstance(node, Act) else ""


def _acts(words: SourcePassage) -> bool:
    """Whether anything is done under the condition that opens the rule."""
    return any(clause.form != "statement" for clause in clauses(words, labels=True))
