"""What the items of a list are: cases, titles over lists, labels of commands, names of things, acts told as nouns."""

import re

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.nodes.composing import lead_condition, opens_outcome
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.conditions import read_clause
from soprag.tools.procedure.wording.exclusive import compared, complementary
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.verbs import directs, may_open_order, opens_with_gerund, opens_with_verb, perceives

_PURPOSE = re.compile(r"^\W*for\s+(?!each\b|every\b|all\b|any\b)[^.:]{3,80}:$", re.IGNORECASE)
_LABELLED = re.compile(r"^\W*(?:if|in case of)\s[^,.;:]{2,60}:\s+\S", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:above|previous|preceding|still|again|none of|this|that|these)\b", re.IGNORECASE)
_SPAN = re.compile(r"\d[\d.,]*\s*\S{0,6}\s*(?:to|-|–)\s*\d")
_SAYS = re.compile(
    r"^\W*(?:if|when|in case|unless)\b|\b(?:is|are|was|were|be|must|shall|should|will|can|may|has|have|does|do)\b",
    re.IGNORECASE,
)
_AIM = re.compile(r"^\W*to\s+[a-z-]+\b[^,]*:$", re.IGNORECASE)
_VERSION = re.compile(
    r"^\W*(?:[A-Za-z][\w.-]*\s+){0,3}v?\d+(?:\.\d+)+\s+(?:and|or)\s+(?:above|below|later|earlier|newer|older|higher|lower)\W*$",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(r"\b(?:which|what|whether|who)\b[^.?!]*:\s*$", re.IGNORECASE)
_COMPARES = re.compile(r"\b(?:compare|weigh|titrat|determine|note|record|estimate)", re.IGNORECASE)
_OR = re.compile(r"[\s,;]or\W*$", re.IGNORECASE)
_ARROW = re.compile(r"→|⇒|=>|->")
_FEW_ACTS = 3  # of so many lettered items one that orders something is enough
_TITLE = 10  # words of a title at most


def purposes_end(items: list[Block], start: int) -> int:
    """The end of neighbouring items "For ... issues:" over lists of their own, else `start`."""
    at = start
    while at < len(items) and _PURPOSE.match(items[at].text) and items[at].children:
        at += 1
    return at if at - start > 1 else start


def labelled_end(items: list[Block], start: int) -> int:
    """The end of neighbouring items for a case each behind a colon ("If it is stuck: ..."), else `start`."""
    at = start
    while at < len(items) and _LABELLED.match(items[at].text) and not _SINCE.search(items[at].text.partition(":")[0]):
        at += 1
    return at if at - start > 1 else start


def compared_end(items: list[Block], start: int) -> int:
    """The end of neighbouring numbered items for a compared value each, below one that reads the value; else `start`.

    "2. Read the angle. 3. Up to 0.8°: reset. 4. Over 0.8°: leave it stopped."
    """
    reads = start > 0 and any(
        clause.form == "check" or perceives(clause.body.text) or _COMPARES.search(clause.body.text)
        for clause in clauses(items[start - 1].passage)
    )
    whens: list[str] = []
    for item in items[start:] if reads else []:
        first = next(iter(clauses(item.passage, labels=True)), None)
        opens = first is not None and first.opener in ("if", "label", "asked")
        if first is None or not (item.number and opens and compared(first.condition)):
            break
        whens.append(first.condition)
    return start + len(whens) if len(whens) > 1 and complementary(whens) else start


def exclusive_end(items: list[Block], start: int) -> int:
    """The end of neighbouring numbered items whose "If" conditions exclude each other, else `start`."""
    found = [read_clause(item.passage) for item in items[start : start + 3]]
    whens = [
        clause.condition for clause in found if clause.opener == "if" or (clause.condition and not clause.body.text)
    ]
    both = len(whens) > 1 and len(clauses(items[start].passage)) == 1 and found[0].condition and found[1].condition
    return start + 2 if both and items[start].number and complementary(whens[:2]) else start


def either_end(items: list[Block], start: int) -> int:
    """The end of neighbouring items that "or" joins ("Restore it from the backup; or"), else `start`."""
    at = start
    while at + 1 < len(items) and _OR.search(items[at].text):
        at += 1
    return at + 1 if at > start else start


def states_case(item: Block) -> bool:
    """Whether a bullet that stands under no step opens with a condition or a comparison, not just with a title."""
    found = clauses(item.passage, labels=True)
    label = found[0].condition if found and found[0].opener == "label" else ""
    arrow = bool(_ARROW.search(item.text[: len(label) + 8])) if label else False
    plain = not found or bool(label and not (arrow or compares(label) or _SPAN.search(label)))
    return not plain and opens_outcome(item.passage)


def has_arrow(item: Block) -> bool:
    """Whether an arrow in an item points from a finding to what it leads to ("Not detected → section 4")."""
    return bool(_ARROW.search(item.text))


def names_version(item: Block) -> bool:
    """Whether an item only names the versions that what is nested in it is for ("4.17 and above")."""
    return bool(_VERSION.match(item.text)) and bool(item.children)


def told_case(item: Block) -> bool:
    """Whether a bullet tells what is found before it orders something ("Flow is good: it is worn. Order one")."""
    found = clauses(item.passage, labels=True)
    later = any(clause.form != "statement" for clause in found[1:])
    return bool(found) and found[0].opener in ("label", "asked") and found[0].form == "statement" and later


def told_finding(item: Block) -> bool:
    """Whether a bullet below a question answers it in a sentence, and tells what is done ("It opens. Go on.")."""
    found = clauses(item.passage)
    return len(found) > 1 and not found[0].condition and found[0].form == "statement"


def compared_cases(items: list[Block]) -> bool:
    """Whether bullets compare a value each, over bullets of their own ("Gauge below 0.5 bar")."""
    return len(items) > 1 and all(
        not item.number and holds_items(item) and compares(item.text) and not directs(item.text) for item in items
    )


def orders_in_case(item: Block) -> bool:
    """Whether a bullet orders something for a compared value or before an arrow ("3 or more: stop", "Left → right")."""
    clause = read_clause(item.passage, labels=True)
    told = bool(clause.condition) and clause.form != "statement"
    return told and (compares(clause.condition) or bool(_ARROW.search(item.text)))


def acts_in_gerund(items: list[Block]) -> bool:
    """Whether bullets tell acts as nouns: all of several open so ("Checking the logs", "Scaling the pods")."""
    return len(items) > 1 and not items[0].number and all(opens_with_gerund(item.text) for item in items)


def beside_acts(items: list[Block]) -> list[bool]:
    """For each item whether it opens like an order, in a list of which others are acts.

    Where most of the others are, what stands behind an unknown first word is enough.
    """
    if _lettered_acts(items):
        return [True] * len(items)
    acts = [directs(item.text) for item in items]
    if not any(acts) and not acts_in_gerund(items):
        return [False] * len(items)
    opening = [item.command or opens_with_verb(item.text) or opens_with_gerund(item.text) for item in items]
    mostly = 2 * sum(map(any, zip(acts, opening, strict=True))) > len(items)
    return [opens or (mostly and may_open_order(item.text)) for item, opens in zip(items, opening, strict=True)]


def _lettered_acts(items: list[Block]) -> bool:
    """Whether items are lettered from "a" on, and a third of them hold an act."""
    acting = sum(any(clause.form != "statement" for clause in clauses(item.passage)) for item in items)
    return items[0].number == "a" and all(item.number for item in items) and _FEW_ACTS * acting >= len(items)


def names_things(items: list[Block], lead: Block | None) -> bool:
    """Whether items only name what their lead-in speaks of, which orders nothing ("These devices are there:")."""
    told = lead is not None and lead.kind == "paragraph" and lead.text.rstrip().endswith(":") and not directs(lead.text)
    return told and not any(map(says_more, items))


def says_more(item: Block) -> bool:
    """Whether a numbered item says more than what a thing is or is called."""
    return bool(item.children) or directs(item.text) or opens_with_verb(item.text) or bool(_SAYS.search(item.text))


def enumerates(items: list[Block], head: str) -> bool:
    """Whether numbered items only name the things that a step speaks of, whose words do not announce them."""
    if _ASKS_WHICH.search(head):
        return bool(items[0].number) and not any(directs(one.text) or opens_with_verb(one.text) for one in items)
    announced = head.rstrip().endswith(":")
    return bool(items[0].number) and not announced and not any(map(says_more, items))


def introduces_list(item: Block) -> bool:
    """Whether a numbered item only leads to the list in it: no order, or the purpose of what is ordered there."""
    if not item.text.rstrip().endswith(":") or lead_condition(item.passage):
        return False
    return not directs(item.text) or bool(_AIM.match(item.text))


def _names(item: Block) -> bool:
    """Whether a numbered item is a title: a few words without a verb."""
    title = len(item.text.split()) <= _TITLE and not (directs(item.text) or opens_with_verb(item.text))
    return title and not _SAYS.search(item.text) and not item.text.rstrip().endswith((".", "!", "?"))


def titles_lists(items: list[Block]) -> bool:
    """Whether all numbered items of a list are titles over lists, of which one holds an act."""
    acts = any(
        (child.kind == "item" or child.number) and directs(child.text) for item in items for child in item.children
    )
    return acts and len(items) > 1 and all(item.number and _holds_steps(item) and _names(item) for item in items)


def _holds_steps(item: Block) -> bool:
    """Whether items or numbered lines stand below an item."""
    return any(child.kind == "item" or bool(child.number) for child in item.children)


def labels_command(item: Block) -> bool:
    """Whether an item is the label of the command below it, which is a step in any case."""
    return item.text.rstrip().endswith(":") and bool(item.children) and item.children[0].kind == "code"


def holds_orders(item: Block) -> bool:
    """Whether numbered items are nested in an item, of which one orders something."""
    return any(child.kind == "item" and child.number and directs(child.text) for child in item.children)


def are_options(items: list[Block]) -> bool:
    """Whether items tell each another way to do something: orders, and no conditions or bare names."""
    ordering = any(directs(item.text) or item.children for item in items)
    return len(items) > 1 and ordering and not any(opens_outcome(item.passage) for item in items)


def holds_acts(item: Block) -> bool:
    """Whether items are nested in an item of which one orders something or states a condition."""
    inner = [child for child in item.children if child.kind == "item"]
    return any(directs(child.text) or opens_outcome(child.passage) for child in inner)


def holds_numbered(item: Block) -> bool:
    """Whether numbered items are nested in an item."""
    return any(child.kind == "item" and child.number for child in item.children)


def holds_items(item: Block) -> bool:
    """Whether items are nested in an item."""
    return any(child.kind == "item" for child in item.children)
