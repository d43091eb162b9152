"""Ranges with one stated end: comparisons with their negations, and values that a quantity goes to."""

import re
from collections.abc import Iterator
from dataclasses import replace

from soprag.tools.procedure.ranges.found_range import FoundRange, LimitColumn
from soprag.tools.procedure.ranges.governed_values import GovernedValue, governed_value, is_measured
from soprag.tools.procedure.ranges.limit_changes import is_change, is_rejected
from soprag.tools.procedure.ranges.limit_words import AFTER, COMPARED, ENDED, JOINT, NAMED, TOWARDS, UNTIL
from soprag.tools.procedure.ranges.negations import negation_before
from soprag.tools.units.numerals import value_of
from soprag.tools.units.prose import unit_of

_GOES = re.compile(r"\b(?:wait|until|must|should|shall|has to|if|when|whenever|once|unless)\b[^.;:,]*$", re.IGNORECASE)
_DOWNWARDS = re.compile(
    r"cool|froz|freez|vacuum|evacuat|pump(?:ed|ing)? down|drain|deflat|lower|decreas|discharg|drop|fall", re.IGNORECASE
)
# "Top the tank up to 80 %": the value to which something is brought, and no limit.
_FILLS = re.compile(
    r"\b(?:top|fill|charge|pump|heat|warm|bring|build|inflate|make|speed|run|turn|ramp|pressuri[sz]e)\s+"
    r"(?:(?!up\b)[\w-]+\s+){0,4}$",
    re.IGNORECASE,
)
_MADE = re.compile(r"\b(?:is|are|was|were|be|being)\s+$", re.IGNORECASE)


def compared(text: str, column: LimitColumn, _: list[FoundRange]) -> Iterator[FoundRange]:
    """ "at least 2 bar", "exceeds 40 °C", "Max. vibration 4.5 mm/s", "60 or higher"."""
    ends: list[int] = []  # of the ranges, whose words a negation before them belongs to
    for match in [*COMPARED.finditer(text), *NAMED.finditer(text), *AFTER.finditer(text), *ENDED.finditer(text)]:
        if match[0].lower().startswith("up to") and _FILLS.search(text[: match.start()]):
            continue
        behind = column.unit or (_unit_behind(text, match) if match.re is COMPARED else "")
        plain = match.re in (COMPARED, AFTER) and (bool(column.quantity) or is_measured(text, match))
        value = governed_value(text, match, behind, plain)
        if value is None:
            continue
        ended = max((end for end in ends if end <= match.start()), default=0)
        ends.append(value.end)
        yield _compared(text, match, value, ended)


def _compared(text: str, match: re.Match[str], value: GovernedValue, ended: int) -> FoundRange:
    """The range of one comparison, with its negation: what it may not exceed is its upper bound."""
    side = _side(match)
    upwards, inclusive = side in ("least", "over"), side in ("least", "most")
    negation = negation_before(text, match.start())
    between = text[ended : match.start()]
    if negation is not None and negation < ended and not (between.strip() and JOINT.fullmatch(between)):
        negation = None
    relative = is_change(text[: match.start()], match[0], text[value.end :], value.unit)
    turned = _turns(match, inclusive) and (negation is not None or is_rejected(text[value.end :]))
    made = FoundRange(
        value.value if upwards is not turned else None,
        None if upwards is not turned else value.value,
        value.unit,
        "",
        match.start(),
        value.end,
        relative=relative,
        conditional=ended > 0 and between.isspace(),  # "250 KIAS below 10,000 ft": where the first limit holds
    )
    if relative:
        return replace(made, negated=negation is not None)
    if turned:
        start = negation if negation is not None and negation >= ended else match.start()
        inside = "" if negation is None else text[negation : match.start()]
        made = replace(made, start=start, negated=True, within=inside)
        return replace(made, low_inclusive=not inclusive, high_inclusive=not inclusive) if inclusive else made
    if inclusive:
        return replace(made, negated=match[0].lower().startswith(("no ", "not ")))
    return replace(made, low_inclusive=False, high_inclusive=False)


def _side(match: re.Match[str]) -> str:
    return next(name.rstrip("2") for name, words in match.groupdict().items() if words and name not in ("a", "v"))


def _turns(match: re.Match[str], inclusive: bool) -> bool:
    """Whether a negation before the comparison turns it: "not above", "not at or above", "not 60 or more"."""
    return (
        not inclusive
        or match.re is AFTER
        or bool(re.match(r"(?:at|on|equal(?: to)?) or\b|[≥≤]|[<>]", match[0], re.IGNORECASE))
    )


def towards(text: str, _: LimitColumn, __: list[FoundRange]) -> Iterator[FoundRange]:
    """ "wait until the pressure falls to 2 bar": at most; "should rise to 60 °C": at least."""
    for match in TOWARDS.finditer(text):
        before = text[: match.start()]
        value = governed_value(text, match)
        if value is None or not _GOES.search(before) or _MADE.search(before) or negation_before(text, match.start()):
            continue
        if match["reached"] and (value.value < 0 or _DOWNWARDS.search(before)):
            continue
        low, high = (None, value.value) if match["most"] else (value.value, None)
        yield FoundRange(low, high, value.unit, "", match.start(), value.end)
    for match in UNTIL.finditer(text):
        if unit := unit_of(match["v"]):
            yield FoundRange(value_of(match["a"]), None, unit, "", match.start("a"), match.end("v"))


def _unit_behind(text: str, match: re.Match[str]) -> str:
    """The unit of the next bound, where two are joined and only the last one names it: "at least 2 but below 4 bar"."""
    joint = JOINT.match(text, match.end("a"))
    following = COMPARED.match(text, joint.end()) if joint and joint.end() > match.end("a") else None
    return (unit_of(following["v"]) or "") if following and following["v"] else ""
