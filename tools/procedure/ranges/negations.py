"""Negations that govern a comparison: "must not exceed", "do not let the pressure in the vessel rise above"."""

import re

_NOT = re.compile(
    r"\b(?:not|never|no|nor|cannot|at no time|without|neither|under no circumstances|nothing|in no case)\b(?!-)|n't\b",
    re.IGNORECASE,
)
_LET = re.compile(r"\s+(?:let|allow|permit)\b", re.IGNORECASE)
_BREAKS = re.compile(
    r"[;:,()]|\.(?!\d)|\b(?:unless|until|till|if|when|whenever|once|while|before|because)\b", re.IGNORECASE
)
_SENTENCE_START = re.compile(r"[.;!?]\s+|\s+\|\s+")
_GOVERNED, _LET_GOVERNED = 6, 14  # words between a negation and the comparison that it governs


def negation_before(text: str, start: int) -> int | None:
    """Where a negation begins that governs the comparison at `start`."""
    sentence = max((match.end() for match in _SENTENCE_START.finditer(text[:start])), default=0)
    last = next(reversed([*_NOT.finditer(text, sentence, start)]), None)
    if last is None or _BREAKS.search(text[last.end() : start]):
        return None
    most = _LET_GOVERNED if _LET.match(text, last.end()) else _GOVERNED
    return last.start() if len(text[last.end() : start].split()) <= most else None
