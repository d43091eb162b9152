"""Neighbouring sections that a decision sends the reader to, one for each outcome: none follows another."""

import re
from itertools import groupby, pairwise

from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.drafting.tree import Act, Choice, Fork, Go, Node, Part
from soprag.tools.procedure.settling.control import numbers_title, slug

# Titles of sections that follow no work which went well: "Stop and hand over", "Cannot be used".
_FAILED = re.compile(
    r"\b(?:stop|hand(?:ing)?[ -]?over|escalat\w*|cannot|unable|fail\w*|faults?|emergenc\w+|abandon\w*|abort\w*|"
    r"reject\w*|out of (?:service|order|use)|not|no|alarms?|contingenc\w+|trip(?:s|ped)?|call\w*)\b|"
    r"over(?:pressure|flow|load|heat)",
    re.IGNORECASE,
)

# "Sign the sheet", "enter the weight in the log", "report the truck as ready": nothing is left to do.
_CLOSES = re.compile(
    r"\b(?:sign|enter|write|record|note|fill in|log|close|file)\b[^.;]*"
    r"\b(?:log|logbook|book|sheet|form|record|report|entry|register|ticket|diary|checklist|file)\b|"
    r"\breport\b[^.;]*\b(?:ready|complete|finished|done)\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\b(?:clos(?:e|ing)|complet\w+|return\w*|restor\w+|finish\w*|verif\w+|after|end|hand-?over|back|record\w*|report\w*|"
    r"documentation|follow-?up|clean\w*)\b",
    re.IGNORECASE,
)


def set_apart(nodes: list[Node], sections: list[Section]) -> None:
    """Lets the last step of such a section lead to what follows the last of them, at every depth."""
    _mark(nodes, _named(_outcome_jumps(nodes), sections))


def _mark(nodes: list[Node], named: dict[int, set[int]]) -> None:
    for node in nodes:
        if isinstance(node, Part):
            _mark(node.body, named)
    for _, run in groupby(nodes, key=lambda node: _is_named(node, named)):
        parts = [node for node in run if isinstance(node, Part) and _is_named(node, named)]
        beside = _beside(parts, named)
        for part in beside:
            part.passed = bool(_FAILED.search(part.situation))
            part.apart = len(beside) > 1 or part.passed
    for before, after in pairwise(nodes):
        if (
            isinstance(after, Part)
            and _is_named(after, named)
            and (_sent_on(before, after.situation) or _closed(before, after.situation))
        ):
            after.apart = after.passed = True


def _beside(parts: list[Part], named: dict[int, set[int]]) -> list[Part]:
    """The sections without those at the end that close what each of the others did."""
    if len(parts) > 1 and _closes(parts[-1], named):
        parts = parts[:-1]
    while parts and named[parts[-1].scope] <= _inside(parts[:-1]):
        parts = parts[:-1]
    return parts


def _closes(part: Part, named: dict[int, set[int]]) -> bool:
    """Whether several sections send to the last one, which is no place for what has failed: all others lead there."""
    return len(named[part.scope]) > 1 and not _FAILED.search(part.situation)


def _inside(parts: list[Part]) -> set[int]:
    """The sections that are parts, or inside them."""
    return {scope for part in parts for scope in (part.scope, *part.scopes)}


def _sent_on(node: Node, title: str) -> bool:
    """Whether a section ends in a condition under which alone the section of that title follows."""
    last = _last(node)
    if not isinstance(last, Choice) or not last.open:
        return False
    targets = [jump.target for jump in _outcome_jumps([last]) if jump.target.kind == "title"]
    return any(target.name.lower().strip() in title.lower() for target in targets)


def _closed(node: Node, title: str) -> bool:
    """Whether a section ends in what closes the work, and the one of that title does not close it once more."""
    last = _last(node)
    done = isinstance(last, Act) and not last.step.only_if and not last.loops and bool(_CLOSES.search(last.step.text))
    return done and not _CLOSING.search(title)


def _last(node: Node) -> Node | None:
    last: Node | None = node
    while isinstance(last, Part):
        last = last.body[-1] if last.body else None
    return last


def _is_named(node: Node, named: dict[int, set[int]]) -> bool:
    return isinstance(node, Part) and node.scope in named and not node.detached


def _named(jumps: list[Go], sections: list[Section]) -> dict[int, set[int]]:
    """The sections that jumps of outcomes name as a whole, from above, each with those that name it.

    A way back makes no way of its own.
    """
    found: dict[int, set[int]] = {}
    for jump in jumps:
        target = jump.target
        for section in sections[1:]:
            title = section.title.lower()
            if target.step or not target.name or section.index <= jump.scope:
                continue
            numbered = target.kind == "section" and numbers_title(title, target.name.lower())
            anchored = target.kind == "anchor" and slug(title) == target.name.lower().strip("-")
            titled = target.kind == "title" and target.name.lower().strip() in title
            if numbered or anchored or titled:
                found.setdefault(section.index, set()).add(jump.scope)
                break
    return found


def _outcome_jumps(nodes: list[Node], inside: bool = False) -> list[Go]:
    found: list[Go] = []
    for node in nodes:
        if isinstance(node, Go) and inside:
            found.append(node)
        elif isinstance(node, Part):
            found += _outcome_jumps(node.body, False)
        elif isinstance(node, Choice | Fork):
            found += [jump for outcome in node.outcomes for jump in _outcome_jumps(outcome.body, True)]
    return found
