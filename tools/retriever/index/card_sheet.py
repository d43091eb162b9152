"""The sheet of a procedure card, by rule from its views and its headings: sections, issues, equipment, departments."""

import re
from collections.abc import Iterable

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.page import read
from soprag.tools.procedure.source_text import letters_of
from soprag.tools.sop import CardSheet, EntityKind, Sop, Views
from soprag.tools.text.sanitize import one_line

_NUMBERING = re.compile(r"^[\d.]+\)?\s+")
_OWNER = re.compile(
    r"^\W*(?:department|owner|owned by|owning team|responsible(?: team| party| unit)?|team|division|unit|discipline)"
    r"\W*[:|]\s*(?P<name>[^|\n]{2,60})",
    re.IGNORECASE | re.MULTILINE,
)
_SECTIONS, _ISSUES, _EQUIPMENT, _DEPARTMENTS = 16, 8, 8, 3
_LONGEST = 90  # characters of one item


def describe(sop: Sop, views: Views) -> CardSheet:
    """The sheet; issues that the extraction already put there come first, those that the title names are left out."""
    body = sop.body
    resolved = set(views.causal.resolves)
    symptoms = [state.text for state in views.causal.states if state.id in resolved]
    issues, title = [*views.sheet.issues, *_named(views, "alarm"), *symptoms], letters_of(sop.title)
    owners = [match["name"] for match in _OWNER.finditer(body)]
    return CardSheet(
        sections=_distinct(_headings(sop), _SECTIONS),
        issues=_distinct([text for text in issues if letters_of(text) not in title], _ISSUES),
        equipment=_distinct(_by_frequency(_named(views, "asset"), body), _EQUIPMENT),
        departments=_distinct([*owners, *_named(views, "role")], _DEPARTMENTS),
    )


def _headings(sop: Sop) -> list[str]:
    title = one_line(plain(sop.title)).casefold()
    blocks = (block for block in read(sop.body).blocks if block.kind == "heading")
    headings = (_NUMBERING.sub("", one_line(plain(block.text))) for block in blocks)
    return [heading for heading in headings if heading.casefold() != title]


def _named(views: Views, kind: EntityKind) -> list[str]:
    return [entity.name for entity in views.entity.entities if entity.kind == kind]


def _by_frequency(names: list[str], body: str) -> list[str]:
    text = body.casefold()
    return sorted(names, key=lambda name: -text.count(name.casefold()))


def _distinct(texts: Iterable[str], most: int) -> tuple[str, ...]:
    """The first `most` different texts, each on one line."""
    distinct: dict[str, str] = {}
    for text in texts:
        line = one_line(plain(text), _LONGEST).strip(" .:;,-")
        if line:
            distinct.setdefault(line.casefold(), line)
    return tuple(distinct.values())[:most]
