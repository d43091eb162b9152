"""Words and white space of a text, as it is compared word for word."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SPACE = re.compile(r"\s+")


@lru_cache(maxsize=256)  # a body is compared with every piece of evidence
def squeezed(text: str) -> str:
    """`text` with every run of white space as one space."""
    return _SPACE.sub(" ", text).strip()


def normalised(text: str) -> str:
    """`text` without case, accents of compatibility, punctuation and doubled spaces: equal when it reads the same."""
    return " ".join(words(unicodedata.normalize("NFKC", text)))


def words(text: str) -> list[str]:
    """The words and numbers of `text`, in lower case."""
    return [word.replace("’", "'") for word in _WORD.findall(text.casefold())]
