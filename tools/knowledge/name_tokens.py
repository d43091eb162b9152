"""A name as tokens: lower-case stems, with identifiers, numbers and signs apart, so that P-101 is not P-102."""

import re
from dataclasses import dataclass

from soprag.tools.text.stop_words import ARTICLES_AND_AUXILIARIES
from soprag.tools.text.terms import stem, without_accents

# Letters and digits apart, so that P-101, P101 and p 101 are one; numbers stay whole, and signs that change them count.
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[<>≤≥=≠%°±+#&]|(?<!\w)[-−](?=\d)")


@dataclass(frozen=True)
class Name:
    """The text of a name, tokenised for comparison."""

    text: str
    tokens: tuple[str, ...]

    @property
    def codes(self) -> tuple[str, ...]:
        """Its identifier tokens, in order: whatever has a digit, single letters and signs."""
        return tuple(word for word in self.tokens if _is_code(word))


def read_name(text: str) -> Name:
    """Tokenise a name: lower-case stems without articles and auxiliary verbs; codes unchanged."""
    tokens = (word for word in _WORD.findall(without_accents(text).casefold()) if word not in ARTICLES_AND_AUXILIARIES)
    return Name(text, tuple(word if _is_code(word) else stem(word) for word in tokens))


def _is_code(word: str) -> bool:
    return len(word) == 1 or any(sign.isdigit() for sign in word)
