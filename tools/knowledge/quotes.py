"""The check of facts: both names must stand in the quoted lines, or the fact is dropped."""

import re
from collections.abc import Iterable, Sequence

from soprag.tools.knowledge.records import FactDraft

_MARKS = re.compile(r"[*`_\\|>#\s]+")
LONGEST = 4  # lines of a quote


def unmarked(text: str) -> str:
    """`text` without Markdown marks, with single spaces."""
    return _MARKS.sub(" ", text).strip()


def folded(text: str) -> str:
    """`text` without Markdown marks, with single spaces, in lower case."""
    return unmarked(text).casefold()


def stands_in(name: str, quote: str) -> bool:
    """Whether `name` occurs in `quote` as whole words, apart from marks, spaces and case: P-101 is not in P-101-A."""
    needle = folded(name)
    return bool(needle) and bool(
        re.search(rf"(?<![^\W_])(?<![^\W_]-){re.escape(needle)}(?![^\W_])(?!-[^\W_])", folded(quote))
    )


def quoted(lines: Sequence[str], first: int, last: int) -> str:
    """Lines `first` to `last`, counted from 1, verbatim."""
    return "\n".join(lines[first - 1 : last]).strip()


def checked(drafts: Iterable[FactDraft], lines: Sequence[str], most: int | None = None) -> tuple[list[FactDraft], int]:
    """The facts whose quote holds both names, each once, at most `most`; and the number of those dropped."""
    facts: dict[FactDraft, None] = {}
    total = 0
    for draft in drafts:
        if draft in facts:
            continue
        total += 1
        if _holds(draft, lines) and (most is None or len(facts) < most):
            facts[draft] = None
    return list(facts), total - len(facts)


def _holds(draft: FactDraft, lines: Sequence[str]) -> bool:
    if not draft.first <= draft.last <= len(lines) or draft.last - draft.first >= LONGEST:
        return False
    quote = quoted(lines, draft.first, draft.last)
    different = folded(draft.subject.text) != folded(draft.object.text)
    return different and stands_in(draft.subject.text, quote) and stands_in(draft.object.text, quote)
