"""Limits that no reading lies inside or outside of: changes, rates and differences; and values that a text rejects."""

import re

from soprag.tools.units.reading import kind_of

# A change or a difference: "drops by more than 3 K", "within 5 % of the nameplate value"; no value that is read.
_CHANGE_BEFORE = re.compile(
    r"\bby\s+$|\b(?:drop|fall|rise|rose|fell|increase|decrease|change|differ|deviate|vary|varie|shift|drift)(?:s|d|ed|es|ped|ting)?\s+"
    r"(?:not\s+|no\s+)?$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?:more|less) than|at (?:least|most)|(?:no|not) (?:more|less) than|up to|within", re.IGNORECASE)
_SHARE_OF = re.compile(r"^\s*(?:of|from)\s+(?!\d)\w|^\s*$|^\s*[.;,)]")
_AWAY_FROM = re.compile(r"\s*(?:of|from)\s+\D", re.IGNORECASE)
_VALUE = re.compile(
    r"\s*(?:of|from)\s+(?:the\s+|its\s+|each\s+|that\s+)?(?:[\w-]+\s+){0,3}?"
    r"(?:values?|set ?points?|readings?|nominal|target|display|rating|record|average|mean|other)\b",
    re.IGNORECASE,
)
_DIFFERS = re.compile(
    r"\s+(?:more|less|higher|lower|\w+er)\s+than\s+(?:the|its|in|on|that|those)\b|"
    r"\s+(?:above|below|over|under)\s+(?:the\s+|its\s+)?(?!\d)\w",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"^(?:\s+[a-z]+){0,2}\s*\b(?:is|are|means?|counts? as|must be|has to be)\s+(?:a\s+|an\s+)?"
    r"(?:not\s+(?:acceptable|allowed|permitted|ok|good|in order)|unacceptable|inadmissible|fail\w*|reject\w*|refused|"
    r"out of (?:limits?|tolerance|range)|faulty|defective|too \w+)",
    re.IGNORECASE,
)


def is_change(before: str, words: str, after: str, unit: str) -> bool:
    """Whether a limit is one of a change, a rate or a difference, by the words before, of and behind it.

    A distance is measured from something: "within 2 km of the pilot" is a limit, "within 2 mm of the set value" none.
    """
    if is_difference(after, unit):
        return True
    if re.match(r"within\b", words, re.IGNORECASE):
        if unit == "%":
            return bool(_SHARE_OF.match(after))
        return bool(_AWAY_FROM.match(after)) and (kind_of(unit) != "length" or bool(_VALUE.match(after)))
    return bool(_AMOUNT.match(words)) and bool(_CHANGE_BEFORE.search(before))


def is_difference(after: str, unit: str) -> bool:
    """Whether a limit is one of a difference to something, by the words behind it: "5 K above ambient"."""
    return kind_of(unit) != "length" and bool(_DIFFERS.match(after))


def is_rejected(after: str) -> bool:
    """Whether the words behind a limit say that the values of it fail."""
    return bool(_REJECTED.match(after))
