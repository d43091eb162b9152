"""Ranges as procedures state them: bounds, tolerances, negations, variants, and the quantity they bind."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from soprag.tools.procedure.limit_words import (
    AFTER,
    ALSO,
    ALSO_FOR,
    AROUND,
    BETWEEN,
    COMPARED,
    FAILS,
    NAMED,
    SPAN,
    TOLERANCE,
    UNEQUAL,
    is_change,
)
from soprag.tools.units.prose import unit_of

_NOT = re.compile(
    r"\b(?:not|never|no|nor|cannot|at no time|without|neither|under no circumstances|nothing|in no case)\b|n't\b",
    re.IGNORECASE,
)
_BREAKS = re.compile(r"[;:,()]|\.(?!\d)")
_GOVERNED = 6  # words between a negation and the comparison that it governs
_JOINT = re.compile(
    r"\s*,?\s*(?:and|but|yet|nor|(?P<or>or))?\s*(?:(?:is|be|also|must|shall|should|may|to|not)\s+){0,2}", re.IGNORECASE
)
_CLAUSE_START = re.compile(r"[.;:!?(]\s+|,\s+(?:and|but|or)?\s*|\s+\|\s+|\s+[–—]\s+")
_SENTENCE_START = re.compile(r"[.;!?]\s+|\s+\|\s+")
_CONDITION = re.compile(
    r"^\W*(?:(?:and|but|or|then)\s+)?(?:if|in case|when|whenever|should|once|as long as|otherwise)\b", re.IGNORECASE
)
_ARTICLES = re.compile(
    r"\b(?:the|a|an|that|this|it|is|are|be|was|must|may|shall|should|has|have|been|if|when|of|and|to|in|at|"
    r"on|or|no|not|than|reads?|"
                       r"check|confirm|verify|read|until|still|with|for|by|which|then|between|stays?|"
                       r"remains?)\b", re.IGNORECASE)  # fmt: skip
_DATE = re.compile(
    r"\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\bv?\d+\.\d+\.\d+\b|\b[A-Z]{1,6}-?\d+(?:-\d+)+\b"
)
_LABELS = re.compile(
    r"\b(?:steps?|lines?|items?|sections?|pages?|nos?\.?|parts?|rows?|ropes?|racks?|revision|rev\.?|version|figures?|tables?|"
    r"chapters?|levels?|halls?|units?|pumps?|ports?|slots?|channels?|type|model|ISO|PN|from|releases?|OCP)\s+$",
    re.IGNORECASE,
)
_VARIANT = re.compile(r"(?:^|[\s(,;:])(?P<variant>[A-Z][A-Za-z]*-?\d+[A-Z]?)\s*:?\s*$")
_PICKED = re.compile(
    r"\b(?:any|every|each|all|those|whichever)\s+(?:[\w-]+\s+){0,2}?(?!is\b|are\b|be\b|must\b|of\b)[\w-]+\s+"
    r"(?:(?:that|which) (?:is|are|reads?|has|have)\s+)?$",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[^.;:!?|]*\?")
_KEPT = re.compile(
    r"\b(?:keep|hold|maintain|ensure|check|verify|confirm|set|expect|is|are|be|must|shall|should|has|have|for|at|to|of|with)\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    ("reading", "readings", "value", "result", "still", "up", "now", "so", "accept", "display", "show", "shows")
)


@dataclass(frozen=True)
class FoundRange:
    """A stated range: bounds (None for open), unit, and the words `start` to `end` of the text that state it."""

    low: float | None
    high: float | None
    unit: str
    quantity: str
    start: int
    end: int
    low_inclusive: bool = True
    high_inclusive: bool = True
    negated: bool = False
    conditional: bool = False
    variant: str = ""
    after: str = ""  # the words behind it
    relative: bool = False  # a change, a rate or a difference to something: no reading lies inside or outside

    @property
    def inclusive(self) -> bool:
        """Whether the stated bounds belong to the range."""
        return (self.low is None or self.low_inclusive) and (self.high is None or self.high_inclusive)


def find_ranges(text: str, unit: str = "", quantity: str = "") -> list[FoundRange]:
    """The ranges of a text in order; `unit` and `quantity` stand in where the text names none (a table column)."""
    hidden = _DATE.sub(lambda m: "¤" * len(m[0]), text)
    found: list[FoundRange] = []
    for make in (_around, _tolerances, _spans, _compared, _variants):
        for made in make(hidden, unit, found):
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
            yield pending
        pending = made
    if pending:
        yield pending


def _are_bounds_of_one(first: FoundRange, second: FoundRange, between: str) -> bool:
    """Whether "at least 3 bar" and "but below 6 bar" state one range; "above 6 or below 3" states two."""
    open_ends = {(made.low is None, made.high is None) for made in (first, second)}
    joint = _JOINT.fullmatch(between)
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


def number(text: str) -> float:
    """The value of a number or a fraction; a comma before three digits groups thousands, else it is decimal."""
    whole, _, part = text.rpartition(" ") if "/" in text else ("", "", "")
    if part:
        above, below = part.split("/")
        return float(whole or 0) + float(above) / float(below)
    bare = text.replace("−", "-").replace("+", "")
    bare = re.sub(r",(?=\d{3}(?:\D|$))", "", bare).replace(",", ".")
    return float(bare)


def _unit(match: re.Match[str], fallback: str, *names: str) -> str | None:
    for name in names:
        words = match.groupdict().get(name)
        if words and (known := unit_of(words)) is not None:
            return known
    return fallback or None


def _end(match: re.Match[str], unit: str | None) -> int:
    """The end of the range's words: what only looked like a unit is none of them."""
    words = match.groupdict().get("v")
    share = (words or "").strip() == "%"  # of a value in another unit: "400 V ± 10 %"
    return match.end() if words is None or share or unit_of(words) == unit else match.start("v")


def _tolerances(text: str, fallback: str, _: list[FoundRange]) -> Iterator[FoundRange]:
    for match in TOLERANCE.finditer(text):
        middle, spread = number(match["a"]), number(match["d"])
        own = (match["u"] or "").split(" per ")[0]
        unit = (unit_of(own) if own else None) or _unit(match, fallback, "v")
        if unit is None and not _acidity(text, match.start()):
            continue
        if (match["v"] or "").strip() == "%" and own and unit != "%":
            spread = abs(middle) * spread / 100
        low, high = round(middle - spread, 9), round(middle + spread, 9)
        yield FoundRange(low, high, unit or "", "", match.start(), _end(match, unit))


def _around(text: str, fallback: str, _: list[FoundRange]) -> Iterator[FoundRange]:
    for match in AROUND.finditer(text):
        middle, spread, unit = number(match["a"]), number(match["d"]), unit_of(match["v"])
        if unit is None:
            continue
        spread = abs(middle) * spread / 100 if match["w"].strip() == "%" and unit != "%" else spread
        yield FoundRange(round(middle - spread, 9), round(middle + spread, 9), unit, "", match.start(), match.end())
    for match in UNEQUAL.finditer(text):
        ends = [number(match[name].replace(" ", "")) for name in ("first", "second")]
        unit = _unit(match, fallback, "u", "v", "w")
        if unit is None or min(ends) > 0 or max(ends) < 0:
            continue
        middle, share = number(match["a"]), ((match["w"] or match["v"] or "").strip() == "%") is not (unit == "%")
        low, high = (middle + end * (abs(middle) / 100 if share else 1) for end in sorted(ends))
        yield FoundRange(round(low, 9), round(high, 9), unit, "", match.start(), match.end())


def _spans(text: str, fallback: str, _: list[FoundRange]) -> Iterator[FoundRange]:
    for pattern in (BETWEEN, SPAN):
        for match in pattern.finditer(text):
            unit = _unit(match, fallback, "v", "u")
            low, high = number(match["a"]), number(match["b"])
            if (unit is None and not _acidity(text, match.start())) or low >= high:
                continue
            if _LABELS.search(text[: match.start()]) and match["v"] is None and not fallback:
                continue
            yield FoundRange(low, high, unit or "", "", match.start(), _end(match, unit))


def _compared(text: str, fallback: str, _: list[FoundRange]) -> Iterator[FoundRange]:
    ended = 0  # of the range before, whose words a negation before it does not belong to
    for match in [*COMPARED.finditer(text), *NAMED.finditer(text), *AFTER.finditer(text)]:
        groups = match.groupdict()
        unit = _unit(match, fallback, "v") or _unit_behind(text, match)
        if unit is None and not _acidity(text, match.start()):
            continue
        value, end = number(groups["a"]), _end(match, unit)
        negation = _negation(text, match.start())
        over, under = bool(groups.get("over")), bool(groups.get("under"))
        start = negation if negation is not None and negation >= ended else match.start()
        ended = end
        if is_change(text[: match.start()], match[0], text[end:], unit or ""):
            lower = bool(over or groups.get("least"))
            low, high = (value, None) if lower else (None, value)
            yield FoundRange(low, high, unit or "", "", match.start(), end, negated=negation is not None, relative=True)
        elif (negation is not None or FAILS.match(text[end:])) and (over or under):
            low, high = (None, value) if over else (value, None)
            inside = "" if negation is None else _quantity(text[negation : match.start()])
            yield FoundRange(low, high, unit or "", "", start, end, negated=True, after=inside)
        elif over or under:
            low, high = (value, None) if over else (None, value)
            yield FoundRange(low, high, unit or "", "", match.start(), end, low_inclusive=False, high_inclusive=False)
        else:
            least = groups.get("least") or groups.get("least2")
            words = (groups.get("least") or groups.get("most") or "").lower()
            negated = words.startswith(("no ", "not "))
            low, high = (value, None) if least else (None, value)
            yield FoundRange(low, high, unit or "", "", match.start(), end, negated=negated)


def _unit_behind(text: str, match: re.Match[str]) -> str | None:
    """The unit of the next bound, where two are joined and only the last one names it: "at least 2 but below 4 bar"."""
    joint = _JOINT.match(text, match.end("a"))
    following = COMPARED.match(text, joint.end()) if joint and joint.end() > match.end("a") else None
    return unit_of(following["v"]) if following and following["v"] else None


def _negation(text: str, start: int) -> int | None:
    """Where a negation begins that governs the comparison at `start`."""
    sentence = max((match.end() for match in _SENTENCE_START.finditer(text[:start])), default=0)
    last = next(reversed([*_NOT.finditer(text, sentence, start)]), None)
    if last is None or _BREAKS.search(text[last.end() : start]):
        return None
    return last.start() if len(text[last.end() : start].split()) <= _GOVERNED else None


def _variants(text: str, _: str, found: list[FoundRange]) -> Iterator[FoundRange]:
    """ "below 380 L/min (PX-250: 210 L/min)": the same bound with another value."""
    for match in [*ALSO.finditer(text), *ALSO_FOR.finditer(text)]:
        first = next(
            (made for made in sorted(found, key=lambda made: -made.end) if made.end <= match.start() + 1), None
        )
        unit = unit_of(match["v"])
        if first is None or unit is None or text[first.end : match.start()].strip():
            continue
        value, last = number(match["a"]), match["b"]
        low = value if last or first.low is not None else None
        high = number(last) if last else (value if first.high is not None else None)
        yield replace(
            first, low=low, high=high, unit=unit, start=match.start(), end=match.end(), variant=match["variant"].strip()
        )


def _acidity(text: str, start: int) -> bool:
    return bool(re.search(r"\bpH\b[^.;|]{0,30}$", text[:start]))


def _bound(made: FoundRange, text: str, fallback: str) -> FoundRange:
    """The range with the quantity before it, its variant and whether it stands in a condition."""
    begin = max((match.end() for match in _SENTENCE_START.finditer(text[: made.start])), default=0)
    before = text[begin : made.start]
    variant = made.variant
    found = _VARIANT.search(before)
    if found and not variant:
        variant, before = found["variant"], before[: found.start()]
    quantity = made.quantity or fallback or _quantity(before)
    opening = text[begin : made.start]
    last = max((match.end() for match in _CLAUSE_START.finditer(opening)), default=0)
    labels = text[made.end :].lstrip().startswith(":")
    conditional = (
        labels
        or (_restricts(before) and not made.negated)
        or (bool(_CONDITION.match(opening)) and not re.search(r",\s+(?!(?:or|and)\b)\w+\s", opening))
        or bool(_CONDITION.match(opening[last:]))
        or bool(_ASKED.match(text[made.end :]))
    )
    after = made.after or _quantity(re.split(r"[.;:|]", text[made.end : made.end + 60])[0])
    return replace(made, quantity=quantity, after=after, variant=variant, conditional=conditional)


def _restricts(before: str) -> bool:
    """Whether the words before a comparison say which things it picks ("any tank below 20 %"), not what must be so."""
    return bool(_PICKED.search(before)) and not _KEPT.search(before)


def telling(text: str) -> str:
    """The last telling words of a text, without articles and the verbs of reading."""
    return _quantity(text.split(". ", maxsplit=1)[0])


def _quantity(before: str) -> str:
    words = [word for word in re.sub(r"\([^)]*\)", " ", before).split() if re.search(r"[^\W\d_]{2,}|[A-Z]-?\d", word)]
    telling = [word.strip(",:;()\"'") for word in words if not _ARTICLES.fullmatch(word.strip(",:;()"))]
    return "" if {word.lower() for word in telling} <= _GENERIC else " ".join(telling[-6:])
