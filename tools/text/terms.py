"""The terms of a text: what full-text search and lexical scoring compare.

An identifier counts as its parts and as a whole, however it is written: `KubeAPIDown`, `kube_api_down` and
`kube-api-down` all give `kube`, `api`, `down` and `kubeapidown`; `P-101` gives `p`, `101` and `p101`.
"""

import re
import threading
import unicodedata
import zlib
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from soprag.tools.text.stop_words import STOP

Hashes = NDArray[np.uint32]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_RUN = re.compile(r"[^\W_]+(?:[-_./:]{1,2}[^\W_]+)*")
_JOINT = re.compile(r"[-_./:]+")
_ROW_OF_SIGNS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_LONGEST = 64  # a longer "word" is a hash or a blob that nobody types
_local = threading.local()  # a stemmer must not be shared between threads


def terms(text: str, stop: frozenset[str] = STOP) -> list[str]:
    """The stemmed terms of `text` in the order they stand, without the words in `stop`."""
    return [term for run in _RUN.findall(without_accents(text)) for term in _terms(run, stop)]


def with_pairs(tokens: list[str]) -> list[str]:
    """The terms, followed by all bigrams of neighbouring terms."""
    return [*tokens, *(f"{term}_{successor}" for term, successor in pairwise(tokens))]


def spaced(text: str) -> str:
    """`text` with its identifiers taken apart, as embedding models read them best: `KubeAPIDown` → `Kube API Down`."""
    return _CAMEL.sub(" ", text.replace("_", " "))


def without_accents(text: str) -> str:
    """`text` in compatible characters without accents."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in parts if not unicodedata.combining(sign)))


def stem(word: str) -> str:
    """The stem of one word in lower case."""
    if not hasattr(_local, "stemmer"):
        import Stemmer

        _local.stemmer = Stemmer.Stemmer("english")
    return str(_local.stemmer.stemWord(word))


def hashes(tokens: list[str]) -> Hashes:
    """One 32-bit number per term: the form in which terms are stored with an SOP and compared."""
    return np.fromiter(map(_hash, tokens), np.uint32, len(tokens))


@lru_cache(1 << 16)
def _hash(term: str) -> int:
    return zlib.crc32(term.encode())


@lru_cache(1 << 16)  # most words of a text have been seen before
def _terms(run: str, stop: frozenset[str]) -> tuple[str, ...]:
    """The terms of one run of characters: its parts, and the run as a whole when it has several."""
    parts = [part for piece in _JOINT.split(run) for part in _CAMEL.split(piece)]
    tokens = [part.casefold() for part in parts if len(part) <= _LONGEST]
    whole = "".join(tokens)
    if len(tokens) > 1 and len(whole) <= _LONGEST and len(tokens) <= 6:  # a path is no identifier
        tokens.append(whole)
    return tuple(stem(piece) for word in tokens for piece in _signs(word) if piece not in stop)


def _signs(word: str) -> list[str]:
    """Scripts that are written without spaces: every pair of signs; any other word is itself."""
    if word.isascii() or not _ROW_OF_SIGNS.fullmatch(word) or len(word) < 3:
        return [word]
    return [word[start : start + 2] for start in range(len(word) - 1)]
