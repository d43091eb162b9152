"""Text as words: normalised, stemmed, with and without the small words of English."""

import re
import threading
import unicodedata
from functools import lru_cache

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[a-z])(?=\d)")
_SPACE = re.compile(r"\s+")
_local = threading.local()  # a stemmer must not be shared between threads

_SMALL_WORDS = """
a about above after again against all also am an and any are aren't as at be because been before being below
between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each
either else few for from further get gets got had hadn't has hasn't have haven't having he her here hers him his
how how's i i'd i'll i'm i've if in into is isn't it it's its itself just let let's me more most must my no nor
not now of off on once one only onto or other our ours out over own per please same shall she should shouldn't
since so some such than that that's the their theirs them then there there's these they they're this those
through to too under until up upon us very via was wasn't we we'd we'll we're we've were weren't what what's
when where whether which while who whom whose why will with within without won't would wouldn't yet you you'd
you'll you're you've your yours
"""
SMALL = frozenset(_SMALL_WORDS.split())


@lru_cache(maxsize=256)  # a body is compared with every piece of evidence
def squeezed(text: str) -> str:
    """`text` with every run of white space as one space."""
    return _SPACE.sub(" ", text).strip()


def spaced(text: str) -> str:
    """`text` with the humps of its names apart: `KubeNodeNotReady` as `Kube Node Not Ready`."""
    return _HUMP.sub(" ", text)


def normalised(text: str) -> str:
    """`text` without case, accents of compatibility, punctuation and doubled spaces: equal when it reads the same."""
    return " ".join(words(unicodedata.normalize("NFKC", text)))


def words(text: str) -> list[str]:
    """The words and numbers of `text`, in lower case."""
    return [word.replace("’", "'") for word in _WORD.findall(text.casefold())]


def stems(text: str) -> list[str]:
    """The stems of the words that carry meaning, in order."""
    return [_stem(word) for word in words(text) if word not in SMALL]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return str(_local.stemmer.stemWord(word.removesuffix("'s")))
