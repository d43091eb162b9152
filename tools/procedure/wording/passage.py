"""A passage: plain text of a document that still knows the source line of every character."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

_LINK = re.compile(r"!?\[((?:[^\]\\]|\\.)*)\](?:\(\s*(?P<url>[^)\s]*)[^)]*\)|\[[^\]]*\])")
_MARKS = re.compile(r"(\*\*|(?<!_)__(?!_)|(?!(?:(?<=\d)|(?<=\d\s))\*\s?10[\^⁻⁰¹²³⁴⁵⁶⁷⁸⁹])\*|`+)")
# A longer row of "_" is a blank to fill in, and the "*" of "5*10^-2" a sign.
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~&@])")
_CIRC = re.compile(r"\^?\\?circ\b|\^\{?\\circ\}?")
_POWER = re.compile(r"(?<=10)<sup>\s*([-−+]?\d+)\s*</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class SourcePassage:
    """Plain text and where its source lines begin.

    `starts` holds pairs of an offset in `text` and the line number (from 1) of the character there, in rising order.
    """

    text: str
    starts: tuple[tuple[int, int], ...]

    def cut(self, start: int, end: int) -> "SourcePassage":
        """The characters from `start` up to `end`, without white space at either end."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        if end <= start:
            return SourcePassage("", ((0, self.line(start)),))
        inner = tuple((offset - start, line) for offset, line in self.starts if start < offset < end)
        return SourcePassage(self.text[start:end], ((0, self.line(start)), *inner))

    def line(self, offset: int) -> int:
        """The source line of the character at `offset`."""
        position = bisect_right([start for start, _ in self.starts], offset) - 1
        return self.starts[max(0, position)][1]

    @property
    def lines(self) -> tuple[int, ...]:
        """The source lines of the passage, each once."""
        return tuple(dict.fromkeys(line for _, line in self.starts))


@lru_cache(maxsize=4096)  # the lines of a document become blocks for each reading of it
def plain(markdown: str) -> str:
    """One line of Markdown without its inline markup; a link to an anchor keeps the anchor as `(#anchor)`.

    Typographic apostrophes become plain ones, as the words of the reader have them ("don't").
    """
    text = _LINK.sub(_linked, markdown.replace("’", "'"))
    text = _CIRC.sub("°", _TAG.sub("", _POWER.sub(r"^\1", text)))
    text = _MARKS.sub("", text)
    return _SPACE.sub(" ", unescape(_ESCAPE.sub(r"\1", text))).strip()


def passage(rows: Iterable[tuple[int, str]]) -> SourcePassage:
    """The passage of numbered Markdown lines, joined by single blanks."""
    text, starts = "", []
    for number, row in rows:
        words = plain(row)
        if words:
            text += " " if text else ""
            starts.append((len(text), number))
            text += words
    return SourcePassage(text, tuple(starts) or ((0, 0),))


def _linked(match: re.Match[str]) -> str:
    url = match["url"] or ""
    return f"{match[1]} ({url})" if url.startswith("#") else match[1]
