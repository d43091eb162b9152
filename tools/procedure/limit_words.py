"""How limits are worded: numbers, spans, tolerances, comparisons before and behind a number, as patterns."""

import re

from soprag.tools.units.prose import UNIT

_FRACTION = r"(?:\d+\s)?\d{1,2}/(?:2|4|8|16|32|64)(?![\d/])"
_DECIMAL = r"\d+(?:,\d{3})*(?:[.,]\d+)?"
_N = rf"(?<![\w.,/-])(?:{_FRACTION}(?=\s*(?:to\b|-|–|in\b|inch))|[-−+]?{_DECIMAL})(?![\d/])"
_M = rf"(?:{_FRACTION}(?=\s*in)|[-−+]?{_DECIMAL})"
DASH = r"\s*(?:to|through|-|–|—|\.\.\.?|…)\s*"
BETWEEN = re.compile(
    rf"\b(?:between|from)\s+(?P<a>{_N})\s*(?P<u>{UNIT})??\s*(?:and|to)\s+(?P<b>{_M})(?:\s*(?P<v>{UNIT}))?",
    re.IGNORECASE,
)
SPAN = re.compile(rf"(?P<a>{_N})\s*(?P<u>{UNIT})??{DASH}(?P<b>{_M})(?:\s*(?P<v>{UNIT}))?")
_PLUS_MINUS = r"(?:±|\+/-|\+-|\+/−|plus or minus|give or take)"
TOLERANCE = re.compile(
    rf"(?P<a>{_N})\s*(?P<u>{UNIT}(?:\s+per\s+\d+\s*[a-z]+)?)??,?\s*\(?\s*{_PLUS_MINUS}\s*(?P<d>{_M})(?:\s*(?P<v>{UNIT}))?",
    re.IGNORECASE,
)
# "35 Nm +5/-0 Nm" and "24 V -5 %/+10 %": another tolerance upwards than downwards.
UNEQUAL = re.compile(
    rf"(?P<a>{_N})\s*(?P<u>{UNIT})??,?\s*\(?\s*(?P<first>[-−+]\s?{_DECIMAL})\s*(?P<w>{UNIT})??\s*(?:/|,)\s*"
    rf"(?P<second>[-−+]\s?{_DECIMAL})(?:\s*(?P<v>{UNIT}))?"
)
# "within 0.5 Hz of 50 Hz"; of anything else than a value nothing can be said.
AROUND = re.compile(
    rf"\bwithin\s+(?:{_PLUS_MINUS}\s*)?(?P<d>{_M})\s*(?P<w>{UNIT})\s+(?:of|from)\s+(?P<a>{_N})\s*(?P<v>{UNIT})",
    re.IGNORECASE,
)
_THAN = r"(?:than|then)"
_MORE = r"(?:more|greater|high|larg|great|hott|warm|wid|long|thick|fast|heavi|old|strong|deep|loud|bigg)(?:er)?"
_LESS = r"(?:less|fewer|low|small|short|cool|cold|narrow|thinn|slow|light|young|weak|quiet)(?:er)?"
_OVER = rf"(?:above|over|in excess of|exceed(?:s|ed|ing)?|beyond|past|>(?!=)|{_MORE} {_THAN}(?! or equal))"
_UNDER = rf"(?:below|under|beneath|underneath|short of|<(?!=)|{_LESS} {_THAN}(?! or equal))"
_LEAST = (
    rf"(?:at least|a minimum of|minimum(?: of)?|min\.|>=|≥|=>|\\?geq|no less than|not less than|"
    rf"{_MORE} {_THAN} or equal to|not (?:to )?(?:fall|drop|sink) below)"
)
_MOST = (
    r"(?:at most|a maximum of|maximum(?: of)?|max\.?|up to|within|<=|≤|=<|\\?leq|no more than|"
    rf"not more than|not to exceed|{_LESS} {_THAN} or equal to)"
)
COMPARED = re.compile(
    rf"(?<!\w)(?:(?P<least>{_LEAST})|(?P<most>{_MOST})|(?P<over>{_OVER})|(?P<under>{_UNDER}))\s*(?:a\s+|about\s+|the\s+)?"
    rf"(?P<a>{_M})(?![\w]*[-/]\d)(?:\s*(?P<v>{UNIT}))?",
    re.IGNORECASE,
)
# "Max. vibration 4.5 mm/s", "minimum clearance of 25 mm": the limit, its quantity, and the value.
NAMED = re.compile(
    rf"(?<!\w)(?:(?P<least>min(?:imum|\.)?)|(?P<most>max(?:imum|\.)?))(?:\s+(?!of\b|is\b)[A-Za-z][\w-]*){{1,5}}?\s*"
    rf"(?::|=|\bof\b|\bis\b)?\s*(?P<a>{_N})\s*(?P<v>{UNIT})",
    re.IGNORECASE,
)
AFTER = re.compile(
    rf"(?P<a>{_N})\s*(?P<v>{UNIT})\s*,?\s*(?:or\s+(?:(?P<least>more|higher|above|over|greater|longer)|"
    rf"(?P<most>less|lower|below|under|fewer|shorter))|(?P<least2>min(?:imum|\.)?|at (?:the )?(?:very )?least)(?!\w)|"
    rf"(?P<most2>max(?:imum|\.)?|at (?:the )?(?:very )?most)(?!\w))",
    re.IGNORECASE,
)
ALSO = re.compile(
    rf"\((?P<variant>[\w][\w /-]{{1,40}}?)(?::|\s+is|\s+=)?\s+(?P<a>{_M})(?:{DASH}(?P<b>{_M}))?\s*(?P<v>{UNIT})\)"
)
ALSO_FOR = re.compile(
    rf"\((?P<a>{_M})(?:{DASH}(?P<b>{_M}))?\s*(?P<v>{UNIT}),?\s+(?:for|on|with)\s+(?:the\s+)?"
    r"(?P<variant>[\w][\w /-]{1,40})\)"
)
# A change or a difference: "drops by more than 3 K", "within 5 % of the nameplate value"; no value that is read.
_CHANGE_BEFORE = re.compile(
    r"\bby\s+$|\b(?:drop|fall|rise|rose|fell|increase|decrease|change|differ|deviate|vary|varie|shift|drift)(?:s|d|ed|es|ped|ting)?\s+"
    r"(?:not\s+|no\s+)?$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?:more|less) than|at (?:least|most)|(?:no|not) (?:more|less) than|up to|within", re.IGNORECASE)
_SHARE_OF = re.compile(r"^\s*(?:of|from)\s+(?!\d)\w|^\s*$|^\s*[.;,)]")
FAILS = re.compile(
    r"^\s*(?:is|are|means?|counts? as|must be|has to be)\s+(?:a\s+|an\s+)?"
    r"(?:not\s+(?:acceptable|allowed|permitted|ok|good|in order)|unacceptable|inadmissible|fail\w*|reject\w*|refused|"
    r"out of (?:limits?|tolerance|range)|faulty|defective|too \w+)",
    re.IGNORECASE,
)


def is_change(before: str, words: str, after: str, unit: str) -> bool:
    """Whether a limit is one of a change, a rate or a difference, by the words before, of and behind it."""
    amount = bool(_AMOUNT.match(words))
    if re.match(r"within\b", words, re.IGNORECASE):
        return bool(_SHARE_OF.match(after)) if unit == "%" else bool(re.match(r"\s*(?:of|from)\s+\D", after))
    return amount and bool(_CHANGE_BEFORE.search(before))
