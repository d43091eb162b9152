"""Outcomes that go back to their test: "add 1 L, mix, titrate again" below "Titrate it:", "clean it and repeat"."""

import re

from soprag.tools.procedure.drafting.tree import Act, DraftStep, Node, Outcome
from soprag.tools.procedure.wording.verbs import is_check

_LIMIT = r"(?:,?\s+(?:up to|at most|no more than|not more than|but only)\s+(?:\w+ times|once|twice))?"
_AGAIN = re.compile(
    r"(?:^|[,;.]\s*|\b(?:and|then)\s+)(?:then\s+|and\s+)?(?:re-?(?P<redone>[a-z]{3,})|(?P<verb>[a-z]+)"
    r"(?:\s+(?:it|them|once|the (?:\w+ ){0,3}?\w+))*\s+(?:again|once more|one more time))"
    rf"(?:\s+(?:after|in|for)\b[^.,;]*)?{_LIMIT}\W*$",
    re.IGNORECASE,
)
_REPEAT = re.compile(
    r"(?:[,;.]\s*|\b(?:and|then)\s+)repeat(?:\s+(?:it|once|(?:the|this) (?:test|check|measurement|reading|step)|"
    r"with (?:it|that one|the other)))*"
    rf"{_LIMIT}\W*$",
    re.IGNORECASE,
)
_THIS_STEP = re.compile(
    rf"\brepeat (?:this|the) (?:step|test|check|measurement|reading)(?: with (?:it|that one|the other))?{_LIMIT}\W*$",
    re.IGNORECASE,
)
_LOOKS = frozenset(("check", "look", "test", "measure", "read"))


def repeats(body: list[Node]) -> bool:
    """Whether nodes end in an act that repeats its test, whichever it is ("... repeat this step", "read again")."""
    last = body[-1] if body else None
    if not isinstance(last, Act) or last.loops:
        return False
    again = _AGAIN.search(last.step.text)
    looks = again is not None and (again["redone"] or again["verb"]).lower() in _LOOKS
    return looks or bool(_THIS_STEP.search(last.step.text))


def goes_back(outcome: Outcome, test: DraftStep) -> bool:
    """Whether the last act of an outcome repeats the test whose outcome it is."""
    last = outcome.body[-1] if outcome.body else None
    if not isinstance(last, Act) or last.loops or last.step.only_if:
        return False
    if _THIS_STEP.search(last.step.text) or (_REPEAT.search(last.step.text) and is_check(test.text)):
        return True
    found = _AGAIN.search(last.step.text)
    verb = (found["redone"] or found["verb"]).lower() if found else ""
    asked = set(re.findall(r"[a-z]+", test.text.lower()))
    tries = found is not None and (found["verb"] or "").lower() == "try"
    return bool(verb) and (tries or verb in asked or (verb in _LOOKS and is_check(test.text)))
