"""The words of Markdown and of printed lines, so that both can be compared."""

import html
import re
from collections.abc import Iterable, Sequence

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.page_items import without_bullet

_WORD = re.compile(r"[^\W_]+")
_UNREAD = re.compile(
    r"!\[[^\]\n]*\]\([^)\n]*\)"  # pictures: their captions stand in the text as well
    r"|(?<=\])\((?:[^()\s]|\([^()\s]*\))*\)"  # where links go
    r"|</?[a-zA-Z][^>\n]{0,200}>"
    r"|\$\$.*?\$\$|(?<!\\)\$[^$\n]+\$",  # formulas
    re.DOTALL,
)
_MARKS = re.compile(r"\*\*|\\(?=\W)")
_HYPHEN = "-"


def words_of(text: str) -> list[str]:
    """The words of plain text, in small letters and without signs."""
    return _WORD.findall(text.casefold())


def markdown_words(markdown: str) -> list[str]:
    """The words that a reader of the Markdown sees."""
    return words_of(html.unescape(_MARKS.sub("", _UNREAD.sub(" ", markdown))))


def printed_words(lines: Iterable[PrintedLine], known: frozenset[str] = frozenset()) -> list[str]:
    """The words of printed lines. One broken at the end of a line is whole where `known` words say that it is one."""
    words: list[str] = []
    broken = False
    for line in lines:
        line_words = words_of(without_bullet(line.text))
        if broken and words and line_words and words[-1] + line_words[0] in known:
            line_words[0] = words.pop() + line_words[0]
        words += line_words
        broken = line.text.endswith(_HYPHEN)
    return words


def shingles(words: Sequence[str], length: int) -> Iterable[tuple[str, ...]]:
    """All runs of so many words."""
    return zip(*(words[start:] for start in range(length)), strict=False)
