"""Headings in the face of the running text, known by their decimal numbers alone: "3.2. Start" over a paragraph."""

import re

from soprag.tools.parsing.layout import PrintedLine

_DECIMAL = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){1,3})[.)]?\s+([^\W\d_].*)$")
_CHAPTER = re.compile(r"^(?:\d{1,2})[.)]?\s+\S")
_MOST_WORDS = 9
_LEAST_TITLES = 3
_CUSTOM = 0.8
_NEXT_LINE = 1.45
_SENTENCE_ENDS = (".", ":", ";", ",", "!", "?")


def numbered_titles(lines: list[PrintedLine], body: list[int], headings: set[int]) -> list[int]:
    """Positions of short decimal lines that each stand over text of their own, when all of the document are such.

    `found` are headings by their print. A row of decimal lines without text between them is a row of steps.
    """
    decimals = [
        position for position, index in enumerate(body) if index not in headings and _DECIMAL.match(lines[index].text)
    ]
    chapters = any(_CHAPTER.match(lines[index].text) for index in headings)
    titles = [position for position in decimals if _is_title(lines, body, position)]
    if not chapters or len(titles) < _LEAST_TITLES or len(titles) < _CUSTOM * len(decimals):
        return []
    return [body[position] for position in titles]


def _is_title(lines: list[PrintedLine], body: list[int], position: int) -> bool:
    line = lines[body[position]]
    match = _DECIMAL.match(line.text)
    below = lines[body[position + 1]] if position + 1 < len(body) else None
    if match is None or below is None or len(line.text.split()) > _MOST_WORDS or len(line.pieces) > 2:
        return False
    wraps = below.page == line.page and 0 < below.top - line.top < _NEXT_LINE * line.size and below.x0 > line.x0 - 1
    goes_on = wraps and below.text[:1].islower()
    return not (goes_on or line.text.endswith(_SENTENCE_ENDS) or _DECIMAL.match(below.text)) and match[2][0].isupper()
