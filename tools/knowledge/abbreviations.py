"""Abbreviated names: `control vlv` is the control valve, whatever vectors say of it.

A word abbreviates another when its letters stand in the other in this order, the first letter first, and its form
says that it is cut: it has no vowel (`vlv`, `mgr`) or ends with a dot (`press.`). A cut word without these signs may be
a word of its own (`gas` in `gasket`, `filter press`), which is left to the vectors. All other words of the two names
must be equal, and there must be one. What could stand for two things stands for neither (`mtr`: motor, meter).
"""

import re
from collections.abc import Iterable

_VOWELS = re.compile(r"[aeiouy]")
_WORD = re.compile(r"[^\W_]+\.?")
_SHORTEST = 3  # letters of an abbreviation
_LONGEST_SHARE = 0.8  # of the letters of the word that it stands for


def abbreviates(short: str, long: str) -> bool:
    """Whether the name `short` is the name `long` with one or more words cut, and otherwise the same."""
    words, targets = _words(short), _words(long)
    if len(words) != len(targets):
        return False
    differing = [pair for pair in zip(words, targets, strict=True) if _plain(pair[0]) != _plain(pair[1])]
    return 0 < len(differing) < len(words) and all(_is_cut(*pair) for pair in differing)


def is_skeleton(word: str) -> bool:
    """Whether a word is long enough for an abbreviation and has no vowel; capitals are an acronym (PLC, LNG)."""
    return len(word) >= _SHORTEST and word.isalpha() and not word.isupper() and not _VOWELS.search(word.casefold())


def ambiguous(pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Of the pairs of names that are the same thing, those of an abbreviation that stands for several things."""
    pairs = set(pairs)
    meanings: dict[str, set[str]] = {}
    for name, twin in pairs:
        if abbreviates(name, twin):
            meanings.setdefault(name, set()).add(twin)
    several = {
        name
        for name, twins in meanings.items()
        if any((twin, other) not in pairs for twin in twins for other in twins if twin != other)
    }
    dropped = {(name, twin) for name in several for twin in meanings[name]}
    return dropped | {(twin, name) for name, twin in dropped}


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _plain(word: str) -> str:
    return word.rstrip(".").casefold().removesuffix("s")


def _is_cut(word: str, target: str) -> bool:
    """Whether `word` has the form of an abbreviation and its letters stand in `target` in their order."""
    letters, whole = word.rstrip(".").casefold(), _plain(target)
    shorter = _SHORTEST <= len(letters) <= _LONGEST_SHARE * len(whole)
    if not shorter or not letters.isalpha() or letters[0] != whole[0]:
        return False
    if not _stands_in(letters, whole):
        return False
    return word.endswith(".") or (is_skeleton(word) and letters[-1] == _last_consonant(whole))


def _last_consonant(word: str) -> str:
    return _VOWELS.sub("", word)[-1:]


def _stands_in(letters: str, word: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)
