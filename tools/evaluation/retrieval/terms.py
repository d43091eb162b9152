"""Tokenisation of the lexical baselines: identifiers split, stop words removed, stemmed."""

import re
from functools import cache
from itertools import pairwise
from typing import Any

_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_INNER = re.compile(r"_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def terms(text: str) -> list[str]:
    """The stems of `text` in order; `KubeAPIDown` or `disk_full` gives its parts and also itself."""
    stemmer, stop = _english()
    tokens: list[str] = []
    for word in _WORD.findall(text):
        parts = _INNER.sub(" ", word).split()
        tokens += [word, *parts] if len(parts) > 1 else [word]
    stems: list[str] = stemmer.stemWords([word for word in map(str.lower, tokens) if word not in stop])
    return stems


def with_pairs(tokens: list[str]) -> list[str]:
    """The words, and every two that are neighbours as one."""
    return tokens + [f"{first} {second}" for first, second in pairwise(tokens)]


@cache
def _english() -> tuple[Any, frozenset[str]]:
    import Stemmer
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return Stemmer.Stemmer("english"), frozenset(STOPWORDS_EN_PLUS)
