"""Words that let a step be left out: "skip this step if the pump is off", "this step is not needed when it is new"."""

import re

from soprag.tools.procedure.wording.conditions import Clause

_SKIPS = re.compile(
    r"^\W*(?:(?:you (?:can|may) )?(?:skip|omit|leave out) (?:this|the) (?:step|line|item)\b|"
    r"(?:this|the) (?:step|line|item) (?:(?:can|may|should|must|need not|is to) be (?:skipped|omitted|"
    r"left out)|is (?:not (?:needed|required|necessary)|unnecessary)))\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"\b(?:if|when|where|in case)\s+(?P<when>\S.*?)\W*$", re.IGNORECASE | re.DOTALL)


def omission(clause: Clause) -> str:
    """The condition under which a clause says that the step before it is left out, or nothing."""
    if not _SKIPS.match(clause.body.text):
        return ""
    if clause.condition:
        return clause.condition
    found = _WHEN.search(clause.body.text)
    return found["when"] if found else ""
