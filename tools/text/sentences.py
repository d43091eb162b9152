"""Sentences of a text, plain or Markdown."""

import re
from functools import cache

_ABBREVIATED = re.compile(
    r"(?:\b(?i:e\.g|i\.e|etc|vs|fig|no|nr|ext|tel|ref|approx|min|max|cf|incl|resp|dept|z\.B|bzw|ca)\.|"
    r"(?<![\d°]\s)(?<![\d°/])\b[A-Za-z]\.)$"
)
_CLOSING, _OPENING = '[*_"”’)\\]]{0,3}', "[*_`\"'“(\\[]{0,4}"
_MARKS = '*_"”’)] '
WITH_COLONS = ".!?;:"  # where a lead-in such as "Then proceed:" counts as a sentence of its own
_SHORTEST = 4  # characters: "1." and "A)" are labels


def sentences(text: str, ends: str = ".!?;") -> list[str]:
    """The sentences of `text` in order, with their closing sign; `ends` are the signs that close one.

    A blank line ends a sentence too, and so do the full stops of Chinese and Japanese. An abbreviation, a label and a
    sign before a small letter do not.
    """
    parts: list[str] = []
    start = 0
    for boundary in _boundary(ends).finditer(text):
        sentence = text[start : boundary.end()].strip()
        if _closed(sentence):
            parts.append(sentence)
            start = boundary.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _closed(sentence: str) -> bool:
    return (len(sentence) >= _SHORTEST or not sentence.isascii()) and not _ABBREVIATED.search(sentence.rstrip(_MARKS))


@cache
def _boundary(ends: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=[{ends}]){_CLOSING}\s+(?={_OPENING}[^\s\Wa-zß-ÿ_])|(?<=[。！？；])|\n\s*\n")
