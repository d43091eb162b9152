"""Ranges as procedures state them: bounds, tolerances, negations, variants, and the quantity they bind."""

import re
from collections.abc import Iterator
from dataclasses import replace

from soprag.tools.procedure.ranges.compared_ranges import compared, towards
from soprag.tools.procedure.ranges.found_range import FoundRange, LimitColumn
from soprag.tools.procedure.ranges.limit_words import JOINT
from soprag.tools.procedure.ranges.range_conditions import is_condition
from soprag.tools.procedure.ranges.range_forms import around, spans, tolerances, variants

_SENTENCE_START = re.compile(r"[.;!?]\s+|\s+\|\s+")
_ARTICLES = re.compile(
    r"\b(?:the|a|an|that|this|it|is|are|be|was|must|may|shall|should|has|have|been|if|when|of|and|to|in|at|"
    r"on|or|no|not|do|let|allow|than|reads?|"
                       r"check|confirm|verify|read|until|still|with|for|by|which|then|between|stays?|"
                       r"remains?|but|above|below|either|both|they|there|neither|these|those)\b",
                       re.IGNORECASE)  # fmt: skip
_DATE = re.compile(
    r"\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\bv?\d+\.\d+\.\d+\b|\b[A-Z]{1,6}-?\d+(?:-\d+)+\b"
)
_VARIANT = re.compile(r"(?:^|[\s(,;:])(?P<variant>[A-Z][A-Za-z]*-?\d+[A-Z]?)\s*:?\s*$")
_COUNTED = re.compile(
    r"(?:\s+(?!or\b|and\b|in\b|on\b|of\b|before\b|to\b|are\b|is\b)[a-z]{3,}){1,3}"
)  # "3 healthy members"
_OF = re.compile(r"\s+of\s+(?P<what>[^.;:,|()]{3,50})")  # "more than 50 ml of water and sediment"
_GENERIC = frozenset(
    ("reading", "readings", "value", "result", "still", "up", "now", "so", "accept", "display", "show", "shows")
)


def find_ranges(text: str, unit: str = "", quantity: str = "") -> list[FoundRange]:
    """The ranges of a text in order; `unit` and `quantity` stand in where the text names none (a table column)."""
    hidden = _DATE.sub(lambda m: "¤" * len(m[0]), text)
    found: list[FoundRange] = []
    for make in (around, tolerances, spans, compared, towards, variants):
        for made in make(hidden, LimitColumn(unit, quantity), found):
            if all(made.end <= other.start or made.start >= other.end for other in found):
                found.append(_bound(made, text, quantity))
    return list(_joined(sorted(found, key=lambda made: made.start), text))


def _joined(found: list[FoundRange], text: str) -> Iterator[FoundRange]:
    """The ranges, with a lower and an upper bound of one quantity in one clause as one range."""
    pending: FoundRange | None = None
    for made in found:
        if pending and _are_bounds_of_one(pending, made, text[pending.end : made.start]):
            pending = _interval(pending, made)
            continue
        if pending:
            yield _conditional_with(pending, made, text)
        pending = made
    if pending:
        yield pending


def _conditional_with(first: FoundRange, second: FoundRange, text: str) -> FoundRange:
    """The first of two bounds, a condition where the one joined to it is: "below 3 or above 5 mmol/l: repeat"."""
    between = text[first.end : second.start]
    joined = second.conditional and between.strip() and JOINT.fullmatch(between)
    return replace(first, conditional=True) if joined else first


def _are_bounds_of_one(first: FoundRange, second: FoundRange, between: str) -> bool:
    """Whether "at least 3 bar" and "but below 6 bar" state one range; "above 6 or below 3" states two."""
    open_ends = {(made.low is None, made.high is None) for made in (first, second)}
    joint = JOINT.fullmatch(between)
    if open_ends != {(True, False), (False, True)} or not joint or first.unit != second.unit:
        return False
    either = joint["or"] and not (first.negated and second.negated)
    one = _interval(first, second)
    return not either and first.variant == second.variant and (one.low or 0.0) < (one.high or 0.0)


def _interval(first: FoundRange, second: FoundRange) -> FoundRange:
    lower, upper = (first, second) if first.low is not None else (second, first)
    return replace(
        first,
        low=lower.low,
        high=upper.high,
        low_inclusive=lower.low_inclusive,
        high_inclusive=upper.high_inclusive,
        negated=first.negated and second.negated,
        end=second.end,
        after=second.after,
    )


def _bound(made: FoundRange, text: str, fallback: str) -> FoundRange:
    """The range with the quantity before it, its variant and whether it stands in a condition."""
    begin = max((match.end() for match in _SENTENCE_START.finditer(text[: made.start])), default=0)
    sentence = text[begin : made.start]
    before, variant = sentence, made.variant
    found = _VARIANT.search(before)
    if found and not variant:
        variant, before = found["variant"], before[: found.start()]
    counted = _COUNTED.match(text, made.end) if not made.unit else None
    told = _OF.match(text, made.end) if made.unit and not counted else None
    own = " ".join(_quantity(told["what"]).split()[:3]) if told else ""
    named = (fallback or own or _quantity(before), made.quantity, counted[0].strip() if counted else "")
    quantity = " ".join(filter(None, named))
    conditional = made.conditional or is_condition(
        sentence, text[made.start : made.end], text[made.end :], made.negated
    )
    after = _quantity(made.within) or _quantity(re.split(r"[.;:|]", text[made.end : made.end + 60])[0])
    return replace(made, quantity=quantity, after=after, variant=variant, conditional=conditional)


def telling(text: str) -> str:
    """The last telling words of a text, without articles and the verbs of reading."""
    return _quantity(text.split(". ", maxsplit=1)[0])


def _quantity(before: str) -> str:
    words = [word for word in re.sub(r"\([^)]*\)", " ", before).split() if re.search(r"[^\W\d_]{2,}|[A-Z]-?\d", word)]
    telling = [word.strip(",:;()\"'") for word in words if not _ARTICLES.fullmatch(word.strip(",:;()"))]
    return "" if {word.lower() for word in telling} <= _GENERIC else " ".join(telling[-6:])
