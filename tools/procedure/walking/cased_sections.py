"""Sections titled by what was found at the step above them ("No path active", "Level hot"): one of them is done."""

import re

from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.wording.exclusive import complementary
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.verbs import asks, directs, opens_with_gerund

# What follows whichever case was done, and says so.
_JOINS = re.compile(
    r"\b(?:both|all|any|either|every|other|first (?:two|three)|last (?:two|three))\b[^,]*\b(?:cases?|kinds?|types?|"
    r"variants?|models?)\b|"
    r"\b(?:after|for|in) (?:the )?cases?\b|\bcases? \w+ (?:and|or) \w+\b",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:(?:when|once|after) .*|after(?:wards|ward| that)|wrap[- ]?up|finally|then|to finish|"
    r"in any case|finish(?:ing)?|"
    r"clos(?:e|ing)(?:[- ]?out)?|"
    r"completion|common (?:end|steps?)|conclusion)\W*$",
    re.IGNORECASE,
)
# Phases of one task, which follow each other.
_PHASE = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:before|during|after|while|prepar\w+|preliminar\w+|procedures?|steps?|tools?|safety|purpose|scope|equipment|"
    r"materials?|overview|background|impact|resolution|mitigation|diagnos\w+|verif\w+|check\w*|records?|references?|"
    r"prerequisites?|requirements?|introduction|part|section|phase|stage|day|week|shift|notes?|summary|results?|details?)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"\b(?:no|none|one|two|three|only|several|more|all|some|neither|both)\b", re.IGNORECASE)
_TELLS = re.compile(
    r"^\W*(?:he|she|they|it|the user|the \w+)\s+(?:only\s+|just\s+)?(?:is|are|was|were|has|have|does|did|\w+ed|\w+s)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\b(?:which|what|whether)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{3,}")


def found_cases(parts: list[Section], start: int, asked: str) -> list[Section]:
    """The neighbouring sections from `start` on that are cases of what the step `asked` looks at; empty for others."""
    following = parts[start:]
    joins = next((at for at, part in enumerate(following) if at > 1 and _JOINS.search(part.title)), 0)
    after = (at for at, part in enumerate(following) if at > 1 and _follows(part.title))
    ends = joins or next(after, len(following))
    cases = following[:ends]
    titles = [part.title for part in cases]
    if len(cases) < 2 or any(map(_PHASE.match, titles)) or not all(part.blocks for part in cases):
        return []
    told = not any(opens_with_gerund(title) or directs(title) for title in titles)
    return cases if joins or (told and asks(asked) and alike(titles, asked)) else []


def _follows(title: str) -> bool:
    """Whether a section comes after the cases before it, by its title."""
    return bool(_AFTERWARDS.match(title) or _PHASE.match(title))


def alike(titles: list[str], asked: str) -> bool:
    """Whether titles are answers to one question: values, counts, what somebody did, or one thing in several states."""
    if all(map(compares, titles)) or all(map(_COUNTS.search, titles)) or all(map(_TELLS.match, titles)):
        return True
    words = [_WORD.findall(re.sub(r"\([^)]*\)|[\"“”]", "", title.lower())) for title in titles]
    if not all(words):
        return False
    first, last = {one[0] for one in words}, {one[-1] for one in words}
    named = set(_WORD.findall(asked.lower()))
    shared = (first if len(first) == 1 else set()) | (last if len(last) == 1 else set())
    if len({" ".join(one) for one in words}) == 1 and not _WHICH.search(asked):
        return False  # "Hall 1", "Hall 2": one after the other
    return (bool(shared) and (len(first) == 1 or bool(shared & named))) or (len(titles) == 2 and complementary(titles))
