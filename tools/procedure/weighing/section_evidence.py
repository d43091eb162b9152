"""What is to be seen at two neighbouring sections: whether one follows the other, or each is done by itself."""

import re
from collections.abc import Iterator
from itertools import combinations

from soprag.tools.procedure.blocks.heading_kinds import names_task, role
from soprag.tools.procedure.blocks.sections import Section, topic
from soprag.tools.procedure.weighing.block_evidence import Signs
from soprag.tools.procedure.wording.verbs import directs

Pair = tuple[int, int]  # the indices of two sections of one parent, in reading order

_WORD = re.compile(r"[a-z]{3,}")
_STEM = 6
_ONWARD = re.compile(r"^\W*(?:once|after|when|now|then|next|finally|if)\b", re.IGNORECASE)
_STEPS = re.compile(r"\b(?:procedure|steps?|instructions?|mitigation|resolution|diagnosis)\b", re.IGNORECASE)
_FEW = 3


def section_pairs(section: Section) -> Iterator[tuple[Section, Section, Section]]:
    """(parent, one, later one) for all sections of one parent, in a section and all sections in it."""
    for one, other in combinations(section.parts, 2):
        yield section, one, other
    for part in section.parts:
        yield from section_pairs(part)


def pair_signs(parent: Section, one: Section, other: Section) -> Signs:
    """Name -> value of what is to be seen at two sections of one parent; absent signs are 0."""
    shared = _stems(one.title) & _stems(other.title)
    first = next((block.text for block in other.blocks if block.text), "")
    acting = sum(topic(part.title) == "acts" for part in parent.parts)
    marks = {
        "later numbered": bool(other.heading and other.heading.number),
        "both name tasks": names_task(one.title) and names_task(other.title),
        "titles share words": bool(shared),
        "later opens onward": bool(_ONWARD.match(first)),
        "later opens with an act": directs(first),
        "later holds sections": bool(other.parts),
        "earlier holds sections": bool(one.parts),
        "parent is the procedure": bool(_STEPS.search(parent.title)) and parent.level > 1,
        "sections of steps beside": any(_STEPS.search(part.title) for part in parent.parts),
        "few sections of acts": acting <= _FEW,
    }
    named = [f"{role(one.title)} then {role(other.title)}", f"about {topic(one.title)} then {topic(other.title)}"]
    named += [f"later title {stem}" for stem in _stems(other.title)]
    named += [f"level {min(other.level, 4)}", *(name for name, holds in marks.items() if holds)]
    return {"bias": 1.0} | dict.fromkeys(named, 1.0)


def _stems(title: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(title.lower())}
