"""Sections that each say when they apply, by symptoms, causes or a trigger: one of them is done, not all in turn."""

import re
from collections.abc import Callable

from soprag.tools.procedure.blocks import Block
from soprag.tools.procedure.heading_kinds import role
from soprag.tools.procedure.sections import Section

_OCCASION = re.compile(
    r"^\W*(?:(?:possible|probable|potential|common|likely|typical|root|observed|alarm|fault|error|alert)\s+)?"
    r"(?:symptoms?|causes?|triggers?|triggered by|indications?|signs|alarms?|alerts?|problem|issue|meaning|"
    r"condition|detection|when (?:this|it) (?:happens|occurs|applies)|when to use(?: (?:this|it))?|"
    r"what (?:it|this) means)"
    r"(?:\s+(?:condition|description|message|details|name|code))?(?:\s*(?:&|and|/|or)\s*\w+)?\W*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(?P<label>[^:.]{3,40}):(?:\s|$)")
_SHARE = 0.5  # of sibling sections that state an occasion, from which on all that name a thing are cards


def cards(parts: list[Section]) -> list[Section]:
    """The sections among siblings that are cards, when half of them, and at least two, state when they apply.

    Others that name a thing ("HIGH HIGH LEVEL", not "Escalation") are then cards too.
    """
    return _named(parts) if _most(parts, states_occasion) else []


def groups(parts: list[Section]) -> list[Section]:
    """The sections among siblings that hold cards only, when half of them, and at least two, surely do."""
    if not _most(parts, lambda part: bool(cards(part.parts))):
        return []
    return [part for part in _named(parts) if len(part.parts) > 1]


def _most(parts: list[Section], holds: Callable[[Section], bool]) -> bool:
    agreeing = sum(map(holds, parts))
    return agreeing > 1 and agreeing >= _SHARE * len(parts)


def _named(parts: list[Section]) -> list[Section]:
    return [part for part in parts if states_occasion(part) or role(part.title) == "named"]


def states_occasion(section: Section) -> bool:
    """Whether a section has a part of its own on its symptoms, its causes or what triggers it, and more than that."""
    labels = [_label(block) for block in section.blocks] + [part.title for part in section.parts]
    return len(section.blocks) + len(section.parts) > 1 and any(_OCCASION.match(label) for label in labels)


def _label(block: Block) -> str:
    """The words that a paragraph or item puts before a colon, or the whole of a short paragraph."""
    if block.kind not in ("paragraph", "item") or block.number:
        return ""
    found = _LABEL.match(block.text)
    return found["label"] if found else block.text if len(block.text) <= 40 else ""
