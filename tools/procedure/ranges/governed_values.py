"""The value of a limit: its number with the unit behind it, known or not, or a plain number that is measured."""

import re
from typing import NamedTuple

from soprag.tools.units.numerals import value_of
from soprag.tools.units.prose import governed_unit

_UNIT_WORDS = 48  # characters behind a number that may hold its unit
_NUMBERED = re.compile(
    r"\b(?:steps?|lines?|items?|sections?|pages?|nos?\.?|parts?|rows?|ropes?|racks?|revision|rev\.?|version|figures?|tables?|"
    r"chapters?|levels?|halls?|units?|pumps?|ports?|slots?|channels?|type|model|ISO|PN|from|releases?|OCP)\s+$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[\w)\]]\s+[A-Z][A-Za-z]*[a-z]\s+$")  # "with Python 3.8 or higher": the version of something
_ACRONYM = re.compile(r"[a-z]\s+[A-Z]{2,}\s+$")  # "requires TLS 1.2 or higher"
_CLAUSE = re.compile(r"[.;:!?(,]\s*|\b(?:and|then|or|but)\s+")
CHECKS = re.compile(
    r"\b(?:ensure|keep|have|maintain|verify|confirm|check|expect|hold|accept|require)\s+$", re.IGNORECASE
)
_ACTS = re.compile(r"\W*(?!(?:If|When|Once|Whenever|Unless|Where)\b|[A-Z]{2,}\b)[^\W\d_]+\s+$")
_AIMED = re.compile(
    r"\b(?:in|with|(?<!wait )for|by|from|on|into|after|before|every|using|across|to|at|each|than|as)\s+$", re.IGNORECASE
)
_STATES = re.compile(
    r"\b(?:is|are|be|was|been|has|have|had|reads?|shows?|of|that|stays?|remains?|contains?|rises?|goes|go|falls?|drops?|"
    r"dips?|gets?|not|never)\s+$",
    re.IGNORECASE,
)
_SPATIAL = re.compile(r"(?:over|past|beyond|under|within|up to|beneath|underneath)\b", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"[^\W\d_][\w)\]/-]*\s*$")


class GovernedValue(NamedTuple):
    """A number, its unit (empty for a plain number or a count) and where its words end."""

    value: float
    unit: str
    end: int


def governed_value(text: str, match: re.Match[str], fallback: str = "", plain: bool = False) -> GovernedValue | None:
    """The value `a` of a matched limit; None where its unit or its words tell that it is no quantity.

    `fallback` is the unit of its column; `plain` tells whether a number without a unit is taken too.
    """
    value = value_of(match["a"])
    found = governed_unit(text[match.end("a") : match.end("a") + _UNIT_WORDS])
    if found and found[0]:
        return GovernedValue(value, found[0], max(match.end("a") + found[1], _end(match)))
    if fallback:
        return GovernedValue(value, fallback, _end(match))
    if is_acidity(text, match.start()) or (found and plain):
        return GovernedValue(value, "", _end(match))
    return None


def is_numbered(before: str) -> bool:
    """Whether the words before a number make it the number of something: a step, a page, a version."""
    return bool(_NUMBERED.search(before))


def is_acidity(text: str, start: int) -> bool:
    """Whether the words before `start` name the pH, which has no unit."""
    return bool(re.search(r"\bpH\b[^.;|]{0,30}$", text[:start]))


def _end(match: re.Match[str]) -> int:
    """Where the words of a limit end without a unit: behind the number, or behind the words that follow it."""
    return match.end("a") if match.groupdict().get("v") is None or match.end("v") == match.end() else match.end()


def is_measured(text: str, match: re.Match[str]) -> bool:
    """Whether a plain number is a value of something that is told, and not an amount of an act or part of a name."""
    before = text[: match.start()]
    if is_numbered(before) or _NAMED.search(before):
        return False
    if match[0][0].isdigit() and _ACRONYM.search(before):
        return False
    if not match[0][0].isalpha() and not match[0][0].isdigit():
        return bool(_WORD_BEFORE.search(before))
    clause = before[max((found.end() for found in _CLAUSE.finditer(before)), default=0) :]
    if _AIMED.search(before) or (_ACTS.fullmatch(clause) and not CHECKS.search(clause)):
        return bool(_STATES.search(clause))
    return not _SPATIAL.match(match[0]) or bool(_STATES.search(before))
