"""Sections of which one is done, not all in turn: cards by a code or a case that each states, and collections."""

import re
from collections.abc import Callable

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.blocks.heading_kinds import number, role
from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.wording.verbs import directs, opens_with_gerund

_CODED = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:(?:card|alarm|fault|error|event|code|cause|symptom|problem)\s+)?"
    r"(?:[A-Z]{1,5}\d*-)*[A-Z]{1,4}-?\d{1,4}[A-Z]?\b|"
    r"^\W*(?:[\d.]+\s+)?(?:card|alarm|fault|error|cause|symptom|problem)\s+(?:\d+|[A-Z])\b"
)
_FEWEST_CODED = 3
# Nothing but names of alerts or checks: "PodNotReady", "disk_full and inode_full".
_NAME = r"`?(?:[A-Z]+[a-z0-9]+(?:[A-Z]+[a-z0-9]*)+|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z0-9]+(?:_[A-Z0-9]+)+)`?"
_NAMES = re.compile(rf"^\W*{_NAME}(?:\W+(?:(?:and|or)\W+)?{_NAME})*\W*$")
_COLLECTION = re.compile(
    r"\b(?:how[- ]?tos|how[- ]?to guides?|faqs?|frequently asked|tips(?: (?:and|&) tricks)?|recipes|cheat ?sheet|"
    r"common (?:tasks|operations|procedures|issues|problems|errors)|known (?:issues|problems|errors))\b|"
    r"^\W*how[- ]?to\W*$",
    re.IGNORECASE,
)
_METHODS = re.compile(
    r"\b(?:two|three|four|five|several|following|these)\b[^.]*\b(?:methods|ways|options|alternatives|possibilities|procedures)\b",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\b(?:either|(?:only )?one) of the (?:\w+ )?(?:procedures|methods|options|alternatives|ways|sections|modes)\b"
    r"[^.]*\b(?:below|following)\b|\bone of the following (?:procedures|methods|options|ways|sections|modes)\b",
    re.IGNORECASE,
)
_ALIKE = 0.6  # share of the words that titles of ways have in common
_DIFFERS = re.compile(r"\b(?:var(?:y|ies)|differs?|depends?) (?:per|by|between|for each|from|on|with)\b", re.IGNORECASE)
_TAKES = re.compile(
    r"\b(?:the|an?|all|any|this|these|your)\b|\b(?:issue|problem)s?\W*$", re.IGNORECASE
)  # behind a verb
_COLLECTS = re.compile(
    r"\b(?:collection|list) of (?:\w+ )?(?:operations|procedures|tasks|issues|problems|recipes|tips)\b", re.IGNORECASE
)
_PROBLEMS = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:trouble-?shooting|problems?|failures?|errors?)\b|"
    r"\b(?:trouble-?shooting|issues?|problems?|failures|errors|faults|(?:emergency|contingency) procedures)\W*$",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:problem|issue|symptom|fault|failure|error)\s*(?:\d+\s*)?[:–-]\s", re.IGNORECASE
)
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
    """The sections among siblings that are cards: those with a code, those titled "Problem: ...", or when half of them,
    and at least two, are nothing but names of alerts, or state when they apply.

    Others that name a thing ("HIGH HIGH LEVEL", not "Escalation") are then cards too.
    """
    coded = [part for part in parts if _CODED.match(part.title)]
    if len(coded) >= _FEWEST_CODED:
        return coded
    stated = list(filter(stated_problem, parts))
    if len(stated) > 1:
        return stated
    return _named(parts) if _most(parts, states_occasion) or _most(parts, _names_alert) else []


def _names_alert(part: Section) -> bool:
    return bool(_NAMES.match(part.title))


def collected(section: Section) -> list[Section]:
    """The parts of a section that only collects them: operations, questions or problems, none of which follows another.

    Parts in an order (numbered, or named as the parts of one procedure) are none; where problems are collected, neither
    are parts of which more than half order something.
    """
    told = any(_COLLECTS.search(block.text) for block in section.blocks[:2] if block.kind == "paragraph")
    problems = problematic(section.title)
    if not (told or collects(section.title)):
        return []
    acts = sum(_orders(part.title) for part in section.parts)
    ordered = any(number(part.title) for part in section.parts) and (acts or not problems)
    if ordered or any(role(part.title) == "inner" for part in section.parts):
        return []
    return [] if len(section.parts) < 2 or (problems and 2 * acts > len(section.parts)) else section.parts


def collects(title: str) -> bool:
    """Whether a title says that its section collects problems or questions ("FAQ", "Troubleshooting")."""
    return problematic(title) or bool(_COLLECTION.search(title))


def problematic(title: str) -> bool:
    """Whether a title says that its section is about problems ("Pump Troubleshooting"), and orders nothing."""
    return bool(_PROBLEMS.search(title)) and not (_orders(title) and _TAKES.search(title))


def _orders(title: str) -> bool:
    bare = _bare(title)
    return directs(bare) or opens_with_gerund(bare)


def ways(section: Section) -> list[Section]:
    """The parts of a section that are ways of which one is taken: a list above them names them as methods or options,
    or a sentence says that what is done differs from one to the other.
    """
    told = " ".join(block.text for block in section.blocks if block.kind == "paragraph")
    items = [block.text.strip(" .:").lower() for block in section.blocks if block.kind == "item"]
    if _METHODS.search(told):
        named = [
            part
            for part in section.parts
            if any(_bare(part.title).strip().lower().startswith(item) for item in items if item)
        ]
        return named if len(named) > 1 else _offered(section)
    parts = section.parts if len(section.parts) > 1 and _DIFFERS.search(told) else []
    plain = all(role(part.title) == "named" and not number(part.title) and not _orders(part.title) for part in parts)
    return parts if parts and plain else _offered(section)


def _offered(section: Section) -> list[Section]:
    """Parts with titles that differ in a word or two, above which a paragraph sends the reader to one of them."""
    above = [section, *section.parts]
    for at, part in enumerate(section.parts):
        told = [block.text for block in above[at].blocks if block.kind == "paragraph"][-1:]
        if told and _ONE_OF.search(told[0]):
            alike = [one for one in section.parts[at:] if _alike(part.title, one.title)]
            return alike if len(alike) > 1 else []
    return []


def _alike(title: str, other: str) -> bool:
    one, two = (set(re.findall(r"[a-z0-9]+", words.lower())) for words in (title, other))
    return len(one & two) >= _ALIKE * max(len(one), len(two))


def _bare(title: str) -> str:
    """A title without its number."""
    return re.sub(r"^[\W\d.]+", "", title)


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


def stated_problem(part: Section) -> bool:
    """Whether a section is titled by a problem ("Problem: ice on the sample")."""
    return bool(_STATED.match(part.title))


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
