"""Order: whether a sentence turns round what the cited text does first."""

import re

from soprag.tools.support.tokens import content_words

_THEN = re.compile(r"\s*,?\s*(?:and\s+)?(?:then|afterwards)\s+", re.IGNORECASE)
_BEFORE = re.compile(r"(?<=\w)\s+before\s+", re.IGNORECASE)
_AFTER = re.compile(r"(?<=\w)\s+after\s+", re.IGNORECASE)


def is_reversed(sentence: str, cited: str) -> bool:
    """Whether words that the text has before `then` (or `before`) stand after it in the sentence, and the other way."""
    return any(
        bool(first & after) and bool(second & before)
        for first, second in _halves(sentence)
        for before, after in _halves(cited)
    )


def _halves(text: str) -> list[tuple[set[str], set[str]]]:
    """The words that only the first and only the second part of an ordered statement has, per statement."""
    halves = []
    for statement in re.split(r"[.;:!?]\s", text):
        for pattern, flipped in ((_THEN, False), (_BEFORE, False), (_AFTER, True)):
            parts = pattern.split(statement, maxsplit=1)
            if len(parts) == 2:
                first, second = ({word.stem for word in content_words(part)} for part in parts)
                pair = (first - second, second - first)
                halves.append(pair[::-1] if flipped else pair)
    return halves
