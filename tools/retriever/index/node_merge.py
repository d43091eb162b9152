"""When two names or states of different SOPs are one node of the global graph (paper, Appendix F).

Both must be of one kind, have the same identifier tokens (P-101 is not P-102), the same words in the same order up to
spelling (`colour`, `chilled-water pumps`), and be close in characters and in meaning. One differing word (above, below;
nitrate, nitrite; not) makes two nodes: in a control room a wrong merge costs more than a missed one.

The relation looks at the two texts alone. So the graph is the same in whatever order SOPs are added and removed.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from soprag.tools.text.stop_words import ARTICLES_AND_AUXILIARIES
from soprag.tools.text.terms import stem, without_accents

# Letters and digits apart, so that P-101, P101 and p 101 are one; numbers stay whole, and signs that change them count.
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[<>≤≥=≠%°±+#&]|(?<!\w)[-−](?=\d)")
_VOWELS = re.compile(r"[aeiouy]+")
_DOUBLE = re.compile(r"([^\W\d])\1+")
_SHORTEST = 5  # letters of a word that may be misspelt


@dataclass(frozen=True)
class Name:
    """The text of a node, tokenised for comparison."""

    text: str
    tokens: tuple[str, ...]

    @property
    def key(self) -> str:
        """Blocking key, equal for all names that may be merged: tokens without spaces, vowels and doubled letters."""
        whole = "".join(self.tokens)
        return _DOUBLE.sub(r"\1", _VOWELS.sub("", whole)) or whole or self.text

    @property
    def codes(self) -> tuple[str, ...]:
        """Its identifier tokens, in order: whatever has a digit, single letters and signs."""
        return tuple(word for word in self.tokens if _is_code(word))


def read_name(text: str) -> Name:
    """Tokenise a name: lower-case stems without articles and auxiliary verbs; codes unchanged."""
    tokens = (word for word in _WORD.findall(without_accents(text).casefold()) if word not in ARTICLES_AND_AUXILIARIES)
    return Name(text, tuple(word if _is_code(word) else stem(word) for word in tokens))


def same_name(name: Name, candidate: Name, threshold: float) -> bool:
    """Whether two names of one kind match by tokens and string similarity; vectors are compared elsewhere."""
    if name.codes != candidate.codes:
        return False
    if not _pairwise(name.tokens, candidate.tokens) and "".join(name.tokens) != "".join(candidate.tokens):
        return False
    first, second = sorted((" ".join(name.tokens), " ".join(candidate.tokens)))  # the ratio depends on the order
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= threshold


def _pairwise(tokens: tuple[str, ...], candidates: tuple[str, ...]) -> bool:
    return all(_spelt_alike(a, b) for a, b in zip_longest(tokens, candidates, fillvalue=""))


def _spelt_alike(word: str, candidate: str) -> bool:
    """Equal, or different by one inserted letter in a long word; a substituted letter makes another word."""
    if word == candidate:
        return True
    short, long = sorted((word, candidate), key=len)
    if len(short) < _SHORTEST or len(long) - len(short) != 1 or _is_code(long) or short[0] != long[0]:
        return False
    return any(long[:position] + long[position + 1 :] == short for position in range(1, len(long)))


def _is_code(word: str) -> bool:
    return len(word) == 1 or any(sign.isdigit() for sign in word)
