"""Ligatures that a PDF gives neither a letter nor a name: the letters that turn most of their words into known ones."""

import functools
import json
from collections.abc import Iterable

from soprag.tools.embedding.weights import find_weights
from soprag.tools.errors import ConfigError
from soprag.tools.parsing.signs import UNREADABLE

_LIGATURES = ("ti", "tt", "fi", "fl", "ff", "ft", "tf", "ffi", "ffl", "tti", "fj", "th", "st", "ct")
_LEAST_WORDS = 2
_LEAST_SHARE = 0.5  # of the words that must be known with the letters; names and tags never are


def spell_out(words: Iterable[str]) -> str:
    """The letters that `UNREADABLE` stands for in these words; empty when none, or more than one, would do."""
    patterns = {word.casefold() for word in words if UNREADABLE in word}
    vocabulary = _vocabulary()
    counts = {
        letters: sum(word.replace(UNREADABLE, letters) in vocabulary for word in patterns) for letters in _LIGATURES
    }
    best, second = sorted(counts, key=lambda letters: -counts[letters])[:2]
    enough = max(_LEAST_WORDS, _LEAST_SHARE * len(patterns))
    return best if counts[best] >= enough and counts[best] > counts[second] else ""


@functools.cache
def _vocabulary() -> frozenset[str]:
    """English words as the embedded model knows them; without the model, none."""
    try:
        file = find_weights() / "tokenizer.json"
    except ConfigError:
        return frozenset()
    tokens = json.loads(file.read_bytes())["model"]["vocab"]
    return frozenset(token for token in tokens if token.isalpha() and len(token) > 2)
