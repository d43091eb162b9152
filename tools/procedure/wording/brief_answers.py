"""Answers that are a finding and a label each, in one sentence ("Watch the joint: broken, S3; holding, S4.")."""

import re
from itertools import pairwise

from soprag.tools.procedure.wording.verbs import directs, is_check, perceives

_PARTS = re.compile(r"\s*[;/]\s+|(?<=[\w)])[.]\s+|,\s+(?=[^,]{1,40}(?:→|⇒|->|=>|\([A-Z]?\d{0,2}\)))")
_ANSWER = re.compile(
    r"^(?P<label>[^:=,;→⇒]{1,60}?)\s*(?P<sign>=>|->|[:=,→⇒(]|\s[–—-]\s)\s*"
    r"(?P<to>(?:(?:go |back )?to |then )?(?P<word>step |item |no\. ?|section |part |box |row )?"
    r"(?:(?P<coded>(?-i:[A-Z])\d{1,2}|(?<=\()(?-i:[A-Z])(?=\)))|\((?-i:[a-z])\)|\d{1,2}(?:\.\d{1,2})?[a-z]?))"
    r"(?:\)?\s+(?P<again>again|once more|once again|anew|directly|straight))?\W*$",
    re.IGNORECASE,
)
_ORDER = re.compile(r"^\W*\w+\s+(?:the|an?|all|your|each|every|both)\b", re.IGNORECASE)
_JUDGES = re.compile(r"\?$|\b(?:judge|decide|assess|evaluate|determine|look|compare)\b", re.IGNORECASE)
_SIGNS = frozenset("→⇒") | {"=>", "->"}


def brief_answers(text: str) -> list[tuple[int, int, int]]:
    """The answers that end `text`: where each begins, where the label that it leads to begins, and where it ends.

    Empty where there are fewer than two, or where they may be values of things ("suction = 2; discharge = 6").
    """
    cuts = [0, *(found.end() for found in _PARTS.finditer(text)), len(text)]
    answers: list[tuple[int, int, int]] = []
    sure = False
    for start, end in reversed([(a, b) for a, b in pairwise(cuts) if text[a:b].strip()]):
        found, begins = _answer(text, start, end)
        if found is None or (directs(found["label"]) and _ORDER.match(found["label"])):
            break
        sure = sure or bool(found["word"] or found["coded"] or found["again"]) or found["sign"].strip() in _SIGNS
        answers.insert(0, (begins, text.index(found["to"], begins + len(found["label"])), end))
    if len(answers) < 2:
        return []
    asking = text[: answers[0][0]].strip().rsplit(". ", 1)[-1]
    return answers if sure or is_check(asking) or perceives(asking) or _JUDGES.search(asking) else []


def _answer(text: str, start: int, end: int) -> tuple[re.Match[str] | None, int]:
    """The answer that a part of a text is, or that stands behind the question in it, and its place."""
    piece = text[start:end]
    for opening in (piece.find(sign) + 2 for sign in ("? ", ": ") if sign in piece):
        inner = _ANSWER.match(piece[opening:].strip(" ;/"))
        if inner:
            return inner, start + opening
    return _ANSWER.match(piece.strip(" ;/")), start
