"""Series of procedures that a text names by their kind: `Playbook: Phishing`, `Playbook: Website defacement`.

The sections of a series have a structure in common, or steps of their own, so each stands alone whatever else the text
holds. What follows the last one is no part of it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from soprag.tools.markdown.page import MarkdownPage
from soprag.tools.segmentation.title_lines import TitleLine, title_lines

_KIND = re.compile(
    r"(?P<kind>playbook|runbook|procedure|checklist|protocol|method|work instruction|sop|job card|task card|recipe)"
    r"\s*[:–—-]\s+(?=\w)",
    re.IGNORECASE,
)
_FEWEST = 2  # members of a series
_COMMON = 2  # names of sections that most members of a series have


def series_starts(page: MarkdownPage) -> list[TitleLine]:
    """The title lines at which members of a series begin, and the one after each series; empty without a series."""
    titles = title_lines(page)
    places: dict[str, list[int]] = defaultdict(list)
    for place, title in enumerate(titles):
        kind = _KIND.match(title.text)
        if kind:
            places[kind["kind"].casefold()].append(place)
    starts = {start for members in places.values() for start in _starts(titles, members)}
    return [titles[start] for start in sorted(starts) if start]


def _starts(titles: Sequence[TitleLine], members: list[int]) -> list[int]:
    """The places where the members begin and where the series ends; empty where they have nothing in common."""
    last = members[-1]
    ends = [*members[1:], len(titles)]
    held = Counter(name for a, b in zip(members, ends, strict=True) for name in {t.name for t in titles[a + 1 : b]})
    common = {name for name, count in held.items() if count > len(members) / 2}
    apart = all(b - a > 1 for a, b in pairwise(members))
    if len({titles[place].name for place in members}) < _FEWEST or len(common) < _COMMON or not apart:
        return []
    after = (
        place
        for place, title in enumerate(titles)
        if place > last and title.level <= titles[last].level and title.name not in common
    )
    return [*members, *([end] if (end := next(after, None)) is not None else [])]
