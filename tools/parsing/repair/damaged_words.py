"""Words that a parser garbled and the page prints rightly: ligatures lost ("Operang"), type doubled ("WWhheenn")."""

import re

from soprag.tools.parsing.layout import PrintedLine

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_DOUBLED = 4


def mend_words(markdown: str, lines: list[PrintedLine]) -> str:
    """The Markdown with such words as printed; what the page prints as well stays."""
    printed = {word for line in lines for word in _WORD.findall(line.text)}
    mended = {damaged: word for line in lines for damaged, word in line.mended if damaged and damaged not in printed}
    for word in set(_WORD.findall(markdown)) - printed:
        if (once := undoubled(word)) in printed:
            mended[word] = once
    if not mended:
        return markdown
    return _WORD.sub(lambda match: mended.get(match[0], match[0]), markdown)


def undoubled(word: str) -> str:
    """The word with one letter of every two, when all of its letters are doubled; else empty."""
    doubled = len(word) >= _SHORTEST_DOUBLED and len(word) % 2 == 0 and word[::2] == word[1::2]
    return word[::2] if doubled and len(set(word)) > 1 else ""
