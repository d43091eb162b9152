"""How limits are worded: spans, tolerances, comparisons before and behind a number, as patterns over numbers."""

import re

from soprag.tools.units.numerals import DECIMAL, FRACTION, NUMERAL
from soprag.tools.units.prose import UNIT

_N = rf"(?<![\w.,/-])(?:{FRACTION}(?=\s*(?:to\b|-|–|in\b|inch))|{NUMERAL})(?!\d|/\d)"
_M = rf"(?:{FRACTION}(?=\s*in)|{NUMERAL})"
_DASH = r"\s*(?:to|through|-|–|—|\.\.\.?|…)\s*"
BETWEEN = re.compile(
    rf"\b(?:between|from)\s+(?P<a>{_N})\s*(?P<u>{UNIT})??\s*(?:and|to)\s+(?P<b>{_M})(?:\s*(?P<v>{UNIT}))?",
    re.IGNORECASE,
)
SPAN = re.compile(rf"(?P<a>{_N})\s*(?P<u>{UNIT})??{_DASH}(?P<b>{_M})(?:\s*(?P<v>{UNIT}))?")
_PLUS_MINUS = r"(?:±|\+/-|\+-|\+/−|plus or minus|give or take)"
TOLERANCE = re.compile(
    rf"(?P<a>{_N})\s*(?P<u>{UNIT}(?:\s+per\s+\d+\s*[a-z]+)?)??,?\s*\(?\s*{_PLUS_MINUS}\s*(?P<d>{_M})(?:\s*(?P<v>{UNIT}))?",
    re.IGNORECASE,
)
# "35 Nm +5/-0 Nm" and "24 V -5 %/+10 %": another tolerance upwards than downwards.
UNEQUAL = re.compile(
    rf"(?P<a>{_N})\s*(?P<u>{UNIT})??,?\s*\(?\s*(?P<first>[-−+]\s?{DECIMAL})\s*(?P<w>{UNIT})??\s*(?:/|,)\s*"
    rf"(?P<second>[-−+]\s?{DECIMAL})(?:\s*(?P<v>{UNIT}))?"
)
# "within 0.5 Hz of 50 Hz"; of anything else than a value nothing can be said.
AROUND = re.compile(
    rf"\bwithin\s+(?:{_PLUS_MINUS}\s*)?(?P<d>{_M})\s*(?P<w>{UNIT})\s+(?:of|from)\s+(?P<a>{_N})\s*(?P<v>{UNIT})",
    re.IGNORECASE,
)
_THAN = r"(?:than|then)"
_UPWARDS = (
    r"(?:more|further|farther|(?:great|high|larg|hott|warm|wid|long|thick|fast|heavi|old|strong|deep|loud|bigg|tall)er)"
)
_DOWNWARDS = r"(?:less|(?:few|low|small|short|cool|cold|narrow|thinn|slow|light|young|weak|quiet|clos|near|shallow)er)"
_EQUAL = r"(?:or )?equal(?: to)?"
_OVER_SIGN, _UNDER_SIGN = r"(?<![-=–—<>~|])>(?![>=])", r"(?<!<)<(?![<=>]|-[->\s])"  # an arrow is no comparison
_OVER = rf"(?:above|over|in excess of|exceed(?:s|ed|ing)?|beyond|past|{_UPWARDS} {_THAN}(?! (?:or )?equal))"
_UNDER = rf"(?:below|under|beneath|underneath|short of|{_DOWNWARDS} {_THAN}(?! (?:or )?equal))"
_LEAST = (
    rf"(?:at least(?: {_EQUAL})?|a minimum of|minimum(?: of)?|(?<!\d )(?<!\d)min\.?|(?:no|not) {_DOWNWARDS} {_THAN}|"
    rf"(?:at|on|{_EQUAL}) or (?:above|over|{_UPWARDS} {_THAN})|{_UPWARDS} (?:{_THAN} )?{_EQUAL}|"
    rf"not (?:to )?(?:fall|drop|sink) below)"
)
_MOST = (
    rf"(?:at most(?: to)?|a maximum of|maximum(?: of)?|max\.?|up to|within|(?:no|not) {_UPWARDS} {_THAN}|not to exceed|"
    rf"(?:at|on|{_EQUAL}) or (?:below|under|{_DOWNWARDS} {_THAN})|{_DOWNWARDS} (?:{_THAN} )?{_EQUAL})"
)
_ABOUT = r"(?:a|an|about|the|around|approx(?:imately|\.)?|roughly|[~≈])"
_NAME = r"(?:(?!No\b)(?:[a-z]?[A-Z]|[A-Z][a-z])\s+)"  # "above Ct 38": the quantity before its number
COMPARED = re.compile(
    rf"(?:(?i:(?<!\w)(?:(?P<least>{_LEAST})|(?P<most>{_MOST})|(?P<over>{_OVER})|(?P<under>{_UNDER}))\s+)|"
    rf"(?P<least2>>\s?=|[≥⩾≧]|(?<!\w)\\?geq\b|\\ge\b)|(?P<most2><\s?=|=<|[≤⩽≦]|(?<!\w)\\?leq\b|\\le\b)|"
    rf"(?P<over2>{_OVER_SIGN})|(?P<under2>{_UNDER_SIGN}))"
    rf"\s*(?i:{_ABOUT}\s*)?{_NAME}?(?P<a>{_M})(?![\w]*[-/]\d)(?=(?:\s*(?P<v>{UNIT}))?)",
)
# "0.8 V < Vref < 1.2 V": the quantity between its bounds.
CHAIN = re.compile(
    rf"(?P<a>{_N})\s*(?P<u>{UNIT})??\s*(?:(?P<over>{_UNDER_SIGN})|<=|[≤⩽≦])\s*(?P<name>[^\W\d][^<>≤|;:.]{{0,24}}?)\s*"
    rf"(?:(?P<under>{_UNDER_SIGN})|<=|[≤⩽≦])\s*(?P<b>{_M})(?:\s*(?P<v>{UNIT}))?"
)
# "Max. vibration 4.5 mm/s", "minimum clearance of 25 mm", "limit: 500 MB": the limit, its quantity, and the value.
NAMED = re.compile(
    rf"(?<!\w)(?<!\d )"
    rf"(?:(?:(?P<least>min(?:imum|\.)?)|(?P<most>max(?:imum|\.)?))(?:\s+(?!of\b|is\b)[A-Za-z][\w-]*){{1,5}}?|"
    rf"(?:(?P<least2>lower|low)\s+|(?:upper|high)\s+)?(?P<most2>limit(?:ed to)?))\s*"
    rf"(?::|=|\bof\b|\bis\b)?\s*(?P<a>{_N})\s*(?P<v>{UNIT})",
    re.IGNORECASE,
)
AFTER = re.compile(
    rf"(?P<a>{_N})(?:\s*(?P<v>{UNIT}))??\s*,?\s*\b(?:or|and)\s+(?:(?P<least>{_UPWARDS}|above|over|up(?:wards)?)|"
    rf"(?P<most>{_DOWNWARDS}|below|under|down(?:wards)?))\b(?!\s+(?:than\b|[-−+\d]))",
    re.IGNORECASE,
)
# "1 MΩ minimum", "3 bar at the very least".
ENDED = re.compile(
    rf"(?P<a>{_N})\s*(?P<v>{UNIT})\s*,?\s*(?:(?P<least>min(?:imum|\.)?|at (?:the )?(?:very )?least)|"
    rf"(?P<most>max(?:imum|\.)?|at (?:the )?(?:very )?most))(?!\w)(?!\s+(?:to\s+)?[-−+\d])",
    re.IGNORECASE,
)
# "falls to 2 bar" in a wait or a demand: where the quantity goes to says which side of the value is meant.
_UP = (
    r"(?:ris(?:es?|en)|increas(?:es?|ed)|(?:climb|recover)(?:s|ed)?|grow[sn]?|(?:warm|heat|go|buil[dt])(?:e?s|ed)? up)"
)
_DOWN = (
    r"(?:f[ae]ll(?:s|en)?|drop(?:s|ped)?|(?:decreas|declin)(?:es?|ed)|s[iu]nks?|(?:cool|go|come)(?:e?s|ed)? down|"
    r"cool(?:s|ed)?)"
)
TOWARDS = re.compile(
    rf"(?<!\w)(?:(?:(?P<least>{_UP})|(?P<most>{_DOWN}))\s+(?:back\s+)?to|(?P<reached>reach(?:e[sd])?))\s+"
    rf"(?P<a>{_M})(?![\w]*[-/]\d)(?:\s*(?P<v>{UNIT}))?",
    re.IGNORECASE,
)
UNTIL = re.compile(rf"\buntil\s+(?P<a>{_N})\s*(?P<v>{UNIT})\s+of\b", re.IGNORECASE)
_FOR = r"(?:for|on|with)\s+(?:the\s+)?"
ALSO = re.compile(
    rf"\((?P<variant>[\w][\w /-]{{1,40}}?)(?::|\s+is|\s+=)?\s+(?P<a>{_M})(?:{_DASH}(?P<b>{_M}))?\s*(?P<v>{UNIT})\)"
)
ALSO_FOR = re.compile(
    rf"\((?P<a>{_M})(?:{_DASH}(?P<b>{_M}))?\s*(?P<v>{UNIT}),?\s+{_FOR}(?P<variant>[\w][\w /-]{{1,40}})\)"
)
# "above 0.6 bar (type 1) or 0.8 bar (type 2)": the first variant, then the second one with its value.
ALSO_OR = re.compile(
    rf"\s*(?:\((?P<first>[\w][\w /-]{{1,30}})\)|{_FOR}(?P<first2>[\w-]+(?: \d+)?))\s*,?\s*(?:or|and)\s+"
    rf"(?P<a>{_M})\s*(?P<v>{UNIT})\s*(?:\((?P<variant>[\w][\w /-]{{1,30}})\)|{_FOR}(?P<variant2>[\w-]+(?: \d+)?))"
)
# What stands between two bounds of one quantity.
JOINT = re.compile(
    r"\s*[,/]?\s*(?:and|but|yet|nor|(?P<or>or))?\s*(?:(?:is|be|also|must|shall|should|may|to|not)\s+){0,2}",
    re.IGNORECASE,
)
