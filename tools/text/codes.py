"""Names that give a procedure away: alarm codes, tags such as AHU-1, and alert names such as KubeNodeNotReady."""

import re
from collections.abc import Set
from functools import lru_cache

from soprag.tools.text.words import squeezed

_TAG = re.compile(r"(?<![\w/.-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z][A-Za-z]*(?:[-_][A-Za-z0-9]+)*(?![\w-])")
_HUMPS = re.compile(r"\b(?:[A-Z]?[a-z0-9]+|[A-Z]{2,}(?![a-z]))(?:[A-Z][a-z0-9]+|[A-Z]{2,}(?![a-z])){1,}\b")
_SNAKE = re.compile(r"(?<![\w/.-])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+){2,}(?![\w/-])|\b[A-Za-z0-9]+_\w+\b")
_ALARMED = re.compile(
    r"\b(?:alarms?|alerts?|codes?|faults?|errors?|alarme?n?|fehler|störung|alarma|falla)\s*(?:code|no\.?|number|:)?\s*"
    r"[`*\"“(]{0,3}(?P<code>[A-Z][A-Za-z]*[-_ ]?[A-Z]*\d[\w-]*|\d{3,6}\b|[A-Z]\w*[a-z][A-Z]\w+)",
    re.IGNORECASE,
)
_ROW = re.compile(r"^\s*\|\s*[`*]*(?P<code>[A-Z]{1,}[A-Za-z]*[-_][A-Z]*\d[\w-]*)", re.MULTILINE)
_CODE_SHAPED = re.compile(r"(?=.*\d)[A-Z0-9][\w-]*$|\w*[a-z][A-Z]\w+$")


def title_names(title: str) -> set[str]:
    """Tags, alert names and file-like names in a title."""
    names = {match[0] for match in _TAG.finditer(title)}
    camel = {match[0] for match in _HUMPS.finditer(title)}
    alone = len(title.split()) == 1
    # Two humps are a product (OpenShift, AuxTel) unless they are the whole title (TargetDown).
    names |= {hump for hump in camel if alone or len(re.findall(r"[A-Z]+[a-z0-9]*", hump)) > 2}
    return names | {match[0] for match in _SNAKE.finditer(title)}


@lru_cache(maxsize=64)
def alarm_codes(body: str) -> frozenset[str]:
    """Codes that the body calls an alarm, alert, fault or error, or that open a row of a table, and their like."""
    called = {match["code"] for match in _ALARMED.finditer(body) if _CODE_SHAPED.match(match["code"])}
    called |= {match["code"] for match in _ROW.finditer(body)}
    # CRAC-A03 is called an alarm, so CRAC-A07 is one as well.
    shapes = {re.sub(r"\d+", r"\\d+", re.escape(code)) for code in called if re.search(r"[A-Za-z].*\d", code)}
    alike = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(shapes))})(?![\w-])") if shapes else None
    return frozenset(called | (set(alike.findall(body)) if alike else set()))


def named_in(text: str, names: Set[str]) -> str:
    """The first of `names` that occurs in `text` as a word of its own, or nothing."""
    flat = squeezed(text)
    for name in sorted(names):
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", flat, re.IGNORECASE):
            return name
    return ""
