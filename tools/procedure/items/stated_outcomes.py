"""Which items below a step state its outcomes, where the step or the other items tell more than their own words."""

import re

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.items.item_kinds import compared_cases, has_arrow, holds_items, told_case, told_finding
from soprag.tools.procedure.wording.conditions import read_clause
from soprag.tools.procedure.wording.verbs import asks, directs

_SHORT = re.compile(r"^\W*\w+(?: \w+){0,3}(?::|\s[–—-])\s+\S")
_YES_NO = re.compile(r"^\W*(?:yes|no|y|n)\b", re.IGNORECASE)
_FIELDS = re.compile(
    r"\b(?:following|fields?|items|points|details|information|parameters?|settings?|make sure|ensure)\b", re.IGNORECASE
)
_TITLE = 5  # words of a finding over a list


def stated_outcomes(items: list[Block], outcomes: list[bool], head: str) -> list[bool]:
    """For each item whether it states an outcome of the step `head`; `outcomes` is what the words of each say alone."""
    stated = _stated(items, outcomes, head)
    return [one and not boxes.warns(item.text, boxed=True) for one, item in zip(stated, items, strict=True)]


def _stated(items: list[Block], outcomes: list[bool], head: str) -> list[bool]:
    """The same, where a warning among the items ("CAUTION: ...") is taken for a finding."""
    if compared_cases(items) or (len(items) > 1 and all(map(has_arrow, items))):
        return [True] * len(items)
    asking = asks(head)
    if asking and (_all_labelled(items, head) or _titles_of_findings(items)):
        return [True] * len(items)
    finding = told_finding if head.rstrip().endswith("?") else told_case
    found = [one or finding(item) for one, item in zip(outcomes, items, strict=True)]
    if any(found) and asking:
        return [one or bool(_SHORT.match(item.text)) for one, item in zip(found, items, strict=True)]
    return found


def asks_and_answers(items: list[Block], head: str) -> bool:
    """Whether numbered items answer the question above them, the first with yes or no."""
    return head.rstrip().endswith("?") and bool(_YES_NO.match(items[0].text))


def _all_labelled(items: list[Block], head: str) -> bool:
    """Whether all items tell a finding, and what is done then behind it ("Hoar frost only: spray it")."""
    found = [read_clause(item.passage, labels=True) for item in items]
    return len(items) > 1 and not _FIELDS.search(head) and all(one.opener in ("label", "asked") for one in found)


def _titles_of_findings(items: list[Block]) -> bool:
    """Whether all items are a finding in a few words over a list of what is done then ("tripped", "charger 1")."""
    return len(items) > 1 and all(
        not item.number and holds_items(item) and len(item.text.split()) <= _TITLE and not directs(item.text)
        for item in items
    )
