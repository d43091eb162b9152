"""Lines that open with a label and no dot behind it ("A1 Ping the host", "1 Die on"): those that count up are steps."""

import re
from collections.abc import Sequence
from itertools import groupby

from soprag.tools.markdown.fences import is_fence
from soprag.tools.procedure.wording.verbs import directs

_BARE = re.compile(
    r"^\s{0,3}(?:[-*+]\s+)?(?P<mark>\*\*|__)?(?P<head>[A-Z]?)(?P<count>\d{1,2})(?(mark)(?P=mark))\s{1,4}(?P<text>[A-Z\"“`].*)$"
)
_BRACKETED = re.compile(
    r"^\s{0,3}(?P<head>)\((?P<count>\d{1,2}|[a-z])\)\s+(?P<text>[A-Z\"“`].*)$"
)  # "(1) Compare the levels"
_ESCAPED = re.compile(r"^(\s*\d{1,3})\\([.)]\s)")  # "1\\. Lower the boom", as converters write a number that is no list
_FEWEST = {True: 2, False: 3}  # lettered labels, numbers


def dotted(rows: Sequence[str]) -> list[str]:
    """The rows with a plain dot behind such labels, so that Markdown and its readers see a numbered line."""
    found = [_ESCAPED.sub(r"\1\2", row) for row in rows]
    for run in _runs(rows, _BRACKETED):
        for at in run:
            found[at] = rows[at].replace("(", "", 1)
    for run in _runs(rows, _BARE):
        texts = [_BARE.match(rows[at])["text"] for at in run]  # type: ignore[index]  # a run holds matches only
        if any(map(directs, texts)):
            for at in run:
                found[at] = re.sub(
                    r"^(\s*(?:[-*+]\s+)?)(?:\*\*|__)?([A-Z]?\d{1,2})(?:\*\*|__)?\s", r"\1\2. ", rows[at], count=1
                )
    return found


def _runs(rows: Sequence[str], form: re.Pattern[str]) -> list[list[int]]:
    """The numbers of the rows whose labels count up from one to the next, in one paragraph or in several."""
    fenced = False
    seen: list[tuple[str, int, int]] = []
    for at, row in enumerate(rows):
        fenced ^= is_fence(row)
        label = None if fenced or "|" in row else form.match(row)
        if label:
            count = label["count"]
            seen.append((label["head"], int(count) if count.isdigit() else ord(count) - ord("a") + 1, at))
    by_sequence = groupby(enumerate(seen), lambda pair: (pair[1][0], pair[1][1] - pair[0]))
    runs = [[label for _, label in run] for _, run in by_sequence]
    return [[at for _, _, at in run] for run in runs if len(run) >= _FEWEST[bool(run[0][0])] and run[0][1] == 1]
