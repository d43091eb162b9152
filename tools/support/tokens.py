"""The content words of a text with their clauses, as polarity and coverage compare them."""

import re
from dataclasses import dataclass

from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import stem

# An identifier: it begins with a letter and has a digit, such as P-101, CDU-F01 or E03.
CODE = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z_]*(?:[-_./][A-Za-z]+)*[-_.]?\d[\w]*(?:[-_][\w]+)*")
_TOKEN = re.compile(r"[A-Za-z0-9]+(?:['’_.][A-Za-z0-9]+)*")
_BREAK = re.compile(
    r"[.;:!?](?:\s|$)|\||\n\s*\n|,\s*(?=(?:and|but|or|otherwise|so|then|because|as)\b)|,\s|"
    r"\b(?:but|because|since|until|unless|before|after|if|when|while|once|otherwise|that|which|so)\b",
    re.IGNORECASE,
)
_LEAST = 4  # letters that two words of one family share
_PREFIXES = ("un", "in", "im", "non", "dis", "ir", "re")


@dataclass(frozen=True)
class ContentWord:
    """A word with its stem, its clause (counted from 0) and where it stands in the text."""

    text: str
    stem: str
    clause: int
    start: int


def content_words(text: str) -> list[ContentWord]:
    """The words of a text that are no function words, in order."""
    breaks = [match.end() for match in _BREAK.finditer(text)]
    found = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word.casefold() not in SMALL and not word.isdigit():
            clause = sum(end <= match.start() for end in breaks)
            found.append(ContentWord(word, stem(word.casefold()), clause, match.start()))
    return found


def clause_of(text: str, position: int) -> int:
    """The number of the clause at a position."""
    return sum(match.end() <= position for match in _BREAK.finditer(text))


def clause_openers(text: str) -> list[str]:
    """The word or sign that opens each clause, in lower case; the first clause has the first word of the text."""
    first = text.split(maxsplit=1)[:1]
    return [*(word.casefold() for word in first or [""]), *(m[0].strip().casefold() for m in _BREAK.finditer(text))]


def kin(word: str, other: str) -> bool:
    """Whether two stems are of one family: equal, or the shorter one (four letters at least) begins the other."""
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    return len(short) >= _LEAST and (long.startswith(short) or _shared(short, long) >= max(5, len(short) - 1))


def opposed(word: str, other: str) -> bool:
    """Whether one stem is the other with a negating prefix, such as `healthy` and `unhealthy`."""
    short, long = sorted((word, other), key=len)
    return any(
        long.startswith(prefix) and len(short) >= _LEAST and kin(long[len(prefix) :], short) and not kin(short, long)
        for prefix in _PREFIXES[:-1]
    )


def _shared(word: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
