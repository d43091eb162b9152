"""Names: codes, capitals and identifiers of a sentence that the cited text and its headings must have."""

import re

from soprag.tools.support.tokens import CODE, kin
from soprag.tools.text.terms import stem

_NAME = re.compile(r"[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*")
_MARKED = re.compile(r"[A-Z]{2}|[a-z][A-Z]|_|\.[a-z]|\d")
_START = re.compile(r"(?:^|[.;:!?]\s+|^(?:yes|no),\s*)$", re.IGNORECASE)
_SHORTEST = 2


def missing_name(sentence: str, known: str) -> str:
    """The first name of the sentence that `known` (the cited text and its headings) lacks; empty when there is none."""
    letters = {_plain(match[0]) for match in _NAME.finditer(known)}
    letters |= {_plain(part) for match in _NAME.finditer(known) for part in re.split(r"[-_./]", match[0])}
    stems = {stem(word.casefold()) for word in re.findall(r"[^\W\d_]+", known)}
    for match in _NAME.finditer(sentence):
        name = match[0]
        if len(name) < _SHORTEST or name[0].isdigit() or not _is_name(sentence, match):
            continue
        if _plain(name) in letters or _plain(name).rstrip("s") in letters:
            continue
        if not CODE.fullmatch(name) and any(kin(stem(part.casefold()), other) for part in [name] for other in stems):
            continue
        return name
    return ""


def _is_name(sentence: str, match: re.Match[str]) -> bool:
    if _MARKED.search(match[0]):
        return True
    return match[0][0].isupper() and not _START.search(sentence[: match.start()])


def _plain(name: str) -> str:
    return re.sub(r"[-_./]", "", name).casefold()
