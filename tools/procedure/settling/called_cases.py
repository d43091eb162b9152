"""Cases below a list of steps that one of these orders to carry out: the way comes back to the steps behind it."""

import re
from itertools import takewhile

from soprag.tools.procedure.drafting.tree import Act, Fork, Node, Outcome, Part, Stop

# "Carry out the actions of its row", "Do what the table says for the alarm", "Follow the card of that code".
_CARRIES = re.compile(
    r"\b(?:carry out|do|take|perform|follow|apply|execute|complete|work through)\b[^.;]*\b(?:"
    r"(?:actions?|responses?|measures?|instructions?)\b[^.;]*\b(?:row|line|table|matrix|card|sheet|code|alarm|fault|case|"
    r"cause|given|listed|stated|there|below)|"
    r"(?:row|line|table|matrix|card)\b[^.;]*\b(?:says?|tells?|orders?|alarm|code|fault|case)|"
    r"(?:row|card) (?:that|which|of|for)|(?:its|that|the matching|the right) (?:row|line|card)"
    r")\b|\bact (?:by|on|upon|according to|as (?:stated|given|told) in) (?:the|its|that) "
    r"(?:row|line|table|matrix|card)\b",
    re.IGNORECASE,
)


def call_cases(nodes: list[Node]) -> None:
    """Moves cases behind the step that calls them, at every depth, when other steps stand between the two."""
    for node in nodes:
        if isinstance(node, Part):
            call_cases(node.body)
    held = next((at for at, node in enumerate(nodes) if _cases(node)), len(nodes))
    called = [_cases(node) for node in takewhile(_cases, nodes[held:])]
    place = _caller(nodes, held) if called else None
    if place is None:
        return
    del nodes[held : held + len(called)]
    body, at = place
    outcomes = [_returning(outcome) for forks in called for fork in forks for outcome in fork.outcomes]
    body.insert(at, Fork(called[0][0].by, outcomes))


def _caller(nodes: list[Node], end: int) -> tuple[list[Node], int] | None:
    """The list that holds the calling step, and the place behind it; None where nothing follows it before `end`."""
    for at, node in enumerate(nodes[:end], 1):
        if isinstance(node, Act) and at < end and not node.loops and _calls(node.step.text):
            return nodes, at
        if isinstance(node, Part) and (found := _caller(node.body, len(node.body))):
            return found
    return None


def _calls(order: str) -> bool:
    """Whether a step orders to do what cases say; one that ends in a colon is followed by its own."""
    return not order.rstrip().endswith(":") and bool(_CARRIES.search(order))


def _cases(node: Node) -> list[Fork]:
    """The alternatives that a node holds and nothing else; none for other nodes."""
    if isinstance(node, Fork):
        return [node]
    found = [_cases(one) for one in node.body] if isinstance(node, Part) else []
    return [fork for forks in found for fork in forks] if all(found) else []


def _returning(outcome: Outcome) -> Outcome:
    """The case without the end that it has as one entered by itself; an end that it states stays."""
    last = outcome.body[-1] if outcome.body else None
    return Outcome(outcome.when, outcome.body[:-1] if last == Stop() else outcome.body, outcome.stated)
