"""Whether conditions exclude each other, and whether together they leave no case open."""

import re
from itertools import pairwise

from soprag.tools.units.numerals import NUMERAL, value_of

_NEGATION = re.compile(
    r"\b(?:not|no|n't|cannot|never|without|neither|nor|none|unable|un\w+ful|fails?|failed|persists?|missing|stopped|failing)\b|n't\b",
    re.IGNORECASE,
)
_ELSE = re.compile(
    r"\b(?:otherwise|(?<!\bone )(?<!body )(?<!thing )(?<!where )else|any other|other|if not|for the other)\b|"
    r"^(?:if )?(?:one|any|either|some) of (?:them|these|those|both) (?:does|do|is|are|has|have)(?: not|n't)\W*$|"
    r"^(?:if )?(?:it|they|this|that) can(?:not|'t)\W*$|^(?:if )?(?:it|they|this|that) (?:does|"
    r"do|is|are|did|has|have|was)(?: not|n't)(?: within\b.*)?\W*$",
    re.I,
)
_NUMERAL = re.compile(NUMERAL)
_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)*")
_ABOVE = re.compile(
    r"\b(?:above|over|more than|exceeds?|greater than|higher than|at least|"
    r"or (?:more|above|over|higher|longer))\b|[>≥]",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:below|under|less than|lower than|up to|at most|fewer than|or (?:less|fewer|lower|shorter))\b|[<≤]",
    re.IGNORECASE,
)
_OR_MORE = re.compile(r"\bor (?:more|less|above|below|over|under|higher|lower)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\b|\d\s*\S{0,5}\s*(?:to|-|–)\s*\d", re.IGNORECASE)
_GOOD = re.compile(
    r"\b(?:works?|succeeds?|successful(?:ly)?|resolved|fixed|solved|passes|passed|clears?|cleared|dry|clean|"
    r"comes? back|returned|recovered|restored|(?:is|are) (?:back|normal|in order))\b",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:persists?|fails?|failed|not|remains?|stays|unsuccessful|standing|wet|dirty|still)\b|n't\b", re.IGNORECASE
)
# "If it is, go on. If it stands ajar, shut it.": the second is what the first denies.
_AFFIRMS = re.compile(
    r"^\W*(?:if\s+)?(?:so|yes|(?:it|they|this|that|both|all) (?:is|are|does|do|has|have)(?: so| the case)?)\W*$",
    re.IGNORECASE,
)
_ALL_WELL = re.compile(
    r"^\W*(?:if\s+)?(?:it|they|all|everything|both)(?: \w+)? (?:is|are) (?:sound|in order|ok|okay|good|intact|"
    r"undamaged|fine|normal|correct|clean|dry|right)\W*$",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:still|again|after|second|third|times?)\b", re.IGNORECASE)
_NONE = re.compile(r"^\W*(?:if\s+)?(?:none|no \w+ (?:is|are|runs?))\b", re.IGNORECASE)
_ANY_NUMBER = re.compile(
    r"\b(?:(?:one|two|1|2) or more|more than one|at least one|any|some|several|all|both)\b", re.IGNORECASE
)
_WORD = re.compile(r"[a-z0-9]{2,}")
_IDLE = frozenset(
    [
        "the",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "been",
        "that",
        "this",
        "it",
        "its",
        "only",
        "an",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "and",
        "or",
        "by",
        "be",
        "does",
        "do",
        "did",
        "with",
    ]
)
_PAIRS = ({"yes", "no"}, {"pass", "fail"}, {"passed", "failed"}, {"ok", "nok"}, {"on", "off"}, {"open", "closed"},
          {"present", "absent"}, {"true", "false"}, {"normal", "abnormal"}, {"lit", "dark"}, {"running", "stopped"},
          {"full", "empty"}, {"wet", "dry"}, {"up", "down"}, {"tight", "loose"}, {"clean", "dirty"},
          {"locked", "released"}, {"free", "blocked"}, {"dead", "live"})  # fmt: skip
# "If it is still silent, ...; if it now runs, ...": the act above has changed it, or has not.
_NOW = re.compile(r"^\W*(?:if\s+)?(?:it|they|this|that|the [\w-]+) now\b", re.IGNORECASE)
_STILL = re.compile(r"\bstill\b", re.IGNORECASE)


def complete(conditions: list[str]) -> bool:
    """Whether one of the conditions always holds, as far as their words tell."""
    if len(conditions) < 2:
        return False
    return (
        any(_ELSE.search(words) for words in conditions)
        or _named_opposites(conditions)
        or _denied(conditions)
        or _counts(conditions)
        or _covers(conditions)
        or any(_opposite(a, b) for at, a in enumerate(conditions) for b in conditions[at + 1 :])
    )


def _named_opposites(conditions: list[str]) -> bool:
    """Whether two of the conditions are yes and no, open and closed, or good and bad."""
    bare = {_first_words(words.lower().strip(" .:").removeprefix("if ")) for words in conditions}
    if any(pair <= bare for pair in _PAIRS) or any(map(_differ, conditions, conditions[1:])):
        return True
    if any(map(_NOW.match, conditions)) and any(map(_STILL.search, conditions)):
        return True
    return any(
        _GOOD.search(a) and not _NEGATION.search(a) and _BAD.search(b)
        for a in conditions
        for b in conditions
        if a is not b
    )


def _differ(one: str, another: str) -> bool:
    """Whether conditions differ in two opposite words only ("the lamp is lit", "the lamp is dark")."""
    a, b = ({*_WORD.findall(words.lower())} for words in (one, another))
    return (a - b) | (b - a) in _PAIRS and bool(a & b)


def _denied(conditions: list[str]) -> bool:
    """Whether the last condition holds where the first does not: "it is", "it stands ajar"; a crack, "it is sound"."""
    first, last = conditions[0], conditions[-1]
    affirmed = len(conditions) == 2 and _AFFIRMS.match(first) and not _LATER.search(last)
    return bool(affirmed or (_ALL_WELL.match(last) and not _ALL_WELL.match(first)))


def _first_words(condition: str) -> str:
    """A condition without how often it is found ("no, for the second time")."""
    return re.split(r",\s| for the | a second ", condition)[0]


def _of_two_things(conditions: list[str]) -> bool:
    """Whether compared values have no word in common ("the pH is below 7", "chloride is above 25 mg/L")."""
    named = [_content(_BELOW.sub(" ", _ABOVE.sub(" ", _NUMBER.sub(" ", words)))) for words in conditions]
    return all(a and b and not a & b for a, b in pairwise(named))


def refers_back(condition: str) -> bool:
    """Whether a condition only denies what stands before it ("otherwise", "if it does not")."""
    return bool(_ELSE.search(condition)) or bool(re.fullmatch(r"\W*(?:if\s+)?not\W*", condition, re.IGNORECASE))


def compared(condition: str) -> bool:
    """Whether a condition compares a number ("up to 0.4", "the probe is above 6.0 °C", "3° or more")."""
    bounds = (_ABOVE, _BELOW, _OR_MORE, _BETWEEN)
    return bool(_NUMBER.search(condition)) and any(bound.search(condition) for bound in bounds)


def complementary(conditions: list[str]) -> bool:
    """Whether neighbouring conditions are answers to one question: they compare or describe the same subject."""
    numbers = sum(map(compared, conditions))
    if complete(conditions) or (numbers > 1 and not _of_two_things(conditions)):
        return True
    subjects = [_content(words) for words in conditions]
    return len(subjects) > 1 and all(
        a and b and len(a & b) / min(len(a), len(b)) >= 0.5 and _subject(x) == _subject(y)
        for (a, x), (b, y) in zip(
            zip(subjects, conditions, strict=True), list(zip(subjects, conditions, strict=True))[1:], strict=False
        )
    )


def one_subject(conditions: list[str]) -> bool:
    """Whether all conditions speak of the same thing first ("the issue ...", "the issue ...")."""
    opening = re.compile(r"^\W*(?:if|in case|when|should)\b", re.IGNORECASE)
    return len({_subject(opening.sub("", words)) for words in conditions}) == 1


def _subject(words: str) -> str:
    return next((word for word in _WORD.findall(words.lower()) if word not in _IDLE), "")


def _content(words: str) -> set[str]:
    return {word.rstrip("s") for word in _WORD.findall(words.lower()) if word not in _IDLE}


def _opposite(one: str, another: str) -> bool:
    """Whether one condition denies the other: one negation between them, and most other words in common."""
    if bool(_NEGATION.search(one)) == bool(_NEGATION.search(another)):
        return False
    a, b = (_content(_NEGATION.sub(" ", words)) for words in (one, another))
    return bool(a and b) and len(a & b) / min(len(a), len(b)) >= 0.6


def gapped(conditions: list[str]) -> bool:
    """Whether one condition is open below, another above, and the values between their bounds belong to none."""
    above = [value_of(n) for words in conditions if _ABOVE.search(words) for n in _NUMERAL.findall(words)]
    below = [value_of(n) for words in conditions if _BELOW.search(words) for n in _NUMERAL.findall(words)]
    return len(conditions) == 2 and len(above) == len(below) == 1 and below[0] < above[0]


def _counts(conditions: list[str]) -> bool:
    """Whether conditions count from none to any number ("none", "one is running", "two or more are running")."""
    none = any(_NONE.match(words) for words in conditions)
    return none and any(_ANY_NUMBER.search(words) for words in conditions)


def _covers(conditions: list[str]) -> bool:
    """Whether one condition is open below, another open above, and every bound is met by two of them."""
    above = {n for words in conditions if _ABOVE.search(words) for n in _NUMBER.findall(words)}
    below = {n for words in conditions if _BELOW.search(words) for n in _NUMBER.findall(words)}
    between = [
        n
        for words in conditions
        if not _ABOVE.search(words) and not _BELOW.search(words)
        for n in _NUMBER.findall(words)
    ]
    if above and below and above & below and len(conditions) == 2:
        return True
    return bool(above and below and between) and above <= {*between} and below <= {*between}
