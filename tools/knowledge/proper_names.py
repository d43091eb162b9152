"""Names in any text by their shape: runs of capitalised words, identifiers, and the title of the document."""

import re
from collections.abc import Iterator, Sequence

from soprag.tools.knowledge.records import NameMention, NameRef
from soprag.tools.text.stop_words import STOP

_JOINED = r"(?:of|the|de|von|van|al|bin|der|la|and|du|da|di)"
_CAPITAL = r"[A-ZÀ-ÞĀ-Ž][\w'’-]*"
_NAME = re.compile(rf"\b{_CAPITAL}(?:\s+{_JOINED}\s+(?={_CAPITAL})|\s+{_CAPITAL})*")
_CODE = re.compile(r"(?<![\w-])[A-Z]{1,6}[A-Z0-9]*(?:-[A-Z]{1,6})?-[A-Z]?\d{1,5}[A-Z]?(?:-\d{1,4})?(?![\w-])")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BRACKETED = re.compile(r"\s*\([^)]*\)$")
_SHORTEST = 4  # letters of a name of one word

NameKey = tuple[str, ...]


def name_key(text: str) -> NameKey:
    """The words of a name in lower case: what two spellings of one name have in common."""
    return tuple(word.casefold() for word in _WORD.findall(text))


def title_key(title: str) -> NameKey:
    """The key of a title without what distinguishes it in brackets: `Lilu (mythology)` is named `Lilu`."""
    return name_key(_BRACKETED.sub("", title))


def is_telling(key: NameKey) -> bool:
    """Whether a key is long enough to denote something."""
    return len(key) > 1 or (len(key) == 1 and len(key[0]) >= _SHORTEST and key[0] not in STOP)


def proper_names(text: str) -> Iterator[str]:
    """The names in a line of text, without leading articles and prepositions."""
    yield from _CODE.findall(text)
    for match in _NAME.finditer(text):
        tokens = match[0].split()
        while tokens and tokens[0].casefold() in STOP:
            tokens = tokens[1:]
        name = " ".join(tokens).rstrip("'’-")
        if is_telling(name_key(name)):
            yield name


def name_mentions(title: str, lines: Sequence[str]) -> list[NameMention]:
    """Every name of a document with its lines; the title counts as named on the first line."""
    mentions = {(NameRef(kind="document", text=title), 1): None} if title.strip() else {}
    for number, line in enumerate(lines, 1):
        mentions |= {(NameRef(kind="name", text=name), number): None for name in proper_names(line)}
    return [NameMention(name=name, line=number) for name, number in mentions]
