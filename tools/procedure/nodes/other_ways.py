"""Another way to do what stands above it: a paragraph that opens with "Alternatively", "or" or "another way"."""

import re

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.tree import Act, Fork, Node, Outcome
from soprag.tools.text.sanitize import one_line

_OPENS = re.compile(
    r"^\W*(?:alternatively\b|or\b(?!\s+else\b)|as an alternative\b|it is also possible\b|instead,|"
    r"another (?:way|option|method|possibility|approach)\b)",
    re.IGNORECASE,
)
_ALSO = re.compile(r"^\W*(?:you|one) (?:can|may|could) also (?P<verb>[a-z]{3,})\b", re.IGNORECASE)
_WAY = "way"  # what a fork of this kind is by
_SHORT = 60  # characters of a step that name its way


def opens_other_way(text: str) -> bool:
    """Whether words offer another way to do what was said before them."""
    return bool(_OPENS.match(text))


def offers_other_way(block: Block, nodes: list[Node]) -> bool:
    """Whether a paragraph offers another way to do what the last node does."""
    offers = opens_other_way(block.text) or _repeats_act(block.text, nodes)
    return block.kind == "paragraph" and offers and takes_other_way(nodes)


def _repeats_act(text: str, nodes: list[Node]) -> bool:
    """Whether words say that the act before may be done otherwise ("You can also unpause it by hand")."""
    found = _ALSO.match(text)
    last = nodes[-1] if nodes else None
    return isinstance(last, Act) and found is not None and last.step.text.lower().startswith(found["verb"].lower())


def beside(nodes: list[Node], other: list[Node]) -> list[Node]:
    """The nodes before, with the last act and the `other` way as alternatives with one continuation."""
    last = nodes[-1] if nodes else None
    if not other:
        return nodes
    if isinstance(last, Fork) and last.by == _WAY:
        last.outcomes.append(_outcome(other))
        return nodes
    if not takes_other_way(nodes):
        return [*nodes, *other]
    return [*nodes[:-1], Fork(_WAY, [_outcome(nodes[-1:]), _outcome(other)])]


def takes_other_way(nodes: list[Node]) -> bool:
    """Whether the last node is something that can be done in another way."""
    last = nodes[-1] if nodes else None
    return (isinstance(last, Act) and not last.loops) or (isinstance(last, Fork) and last.by == _WAY)


def span_of_way(blocks: list[Block], start: int) -> int:
    """How many blocks tell the other way that begins at `start`: its paragraph with its code or its list."""
    at = start + 1
    while at < len(blocks) and blocks[at].kind == "code":
        at += 1
    if at > start + 1:
        return at - start
    while at < len(blocks) and blocks[at].kind == "paragraph" and blocks[at].text.rstrip().endswith(":"):
        at += 1
    if at == start + 1 and not blocks[start].text.rstrip().endswith((":", ",")):
        return 1
    end = at
    while end < len(blocks) and blocks[end].kind == "item":
        end += 1
    return end - start if end > at else 1


def _outcome(body: list[Node]) -> Outcome:
    first = body[0]
    return Outcome(one_line(first.step.text, _SHORT) if isinstance(first, Act) else "", body)
