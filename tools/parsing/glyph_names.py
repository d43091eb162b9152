"""Ligatures that the text layer of a PDF gives no letters for, such as the "ti" of "Operating", read by glyph name.

PDFium reads the numbers of signs; pdfminer, under pdfplumber, also the names that the font gives its glyphs (`t_i`).
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from soprag.tools.parsing.ligatures import spell_out
from soprag.tools.parsing.signs import SPACE, UNREADABLE, PrintedSign, inside_words

_MOST_PAGES = 20  # that are read a second time
_LONGEST = 3  # letters of a ligature
_NEAR = 1.0  # points

Rows = list[tuple[int, list[PrintedSign]]]
_Glyph = tuple[str, int]  # face and code
_WORD_END = PrintedSign(SPACE, 0x20, 0, 0, 0, 0, False, 0, "")


def name_glyphs(path: str, rows: Rows) -> Rows:
    """The rows with their ligatures as letters; those that have no name either become `UNREADABLE`."""
    damaged = [(page, before, sign) for page, row in rows for before, sign in inside_words(row)]
    if not damaged:
        return rows
    names = _names(path, damaged)
    for glyph in [glyph for glyph, text in names.items() if text == UNREADABLE]:
        names[glyph] = spell_out(_words_with(glyph, rows)) or UNREADABLE
    return [(page, [_named(sign, names) for sign in row]) for page, row in rows]


def mended_words(signs: Iterable[PrintedSign]) -> Iterator[tuple[str, str]]:
    """Words with such a ligature: without it, as readers write them that leave it out, and whole."""
    word: list[PrintedSign] = []
    for sign in (*signs, _WORD_END):
        if sign.text.isalnum() or sign.text == UNREADABLE:
            word.append(sign)
            continue
        if any(_is_mended(part) for part in word):
            yield "".join(part.text for part in word if not _is_mended(part)), "".join(part.text for part in word)
        word = []


def _is_mended(sign: PrintedSign) -> bool:
    return sign.text != UNREADABLE and sign.text != unicodedata.normalize("NFKC", chr(sign.code))


def _words_with(glyph: _Glyph, rows: Rows) -> Iterator[str]:
    """The words that the glyph stands in, with `UNREADABLE` in its place."""
    for _, row in rows:
        word = ""
        for sign in (*row, _WORD_END):
            if (sign.face, sign.code) == glyph:
                word += UNREADABLE
            elif sign.text.isalpha():
                word += sign.text
            else:
                yield word
                word = ""


def _named(sign: PrintedSign, names: dict[_Glyph, str]) -> PrintedSign:
    text = names.get((sign.face, sign.code))
    return replace(sign, text=text) if text else sign


def _names(path: str, damaged: list[tuple[int, PrintedSign, PrintedSign]]) -> dict[_Glyph, str]:
    """The letters of each damaged glyph: what pdfminer reads most often where it stands behind the same letter."""
    import pdfplumber

    votes: dict[_Glyph, Counter[str]] = {(sign.face, sign.code): Counter() for _, _, sign in damaged}
    chosen = sorted({page for page, _, _ in damaged})[:_MOST_PAGES]
    with pdfplumber.open(path, pages=[page + 1 for page in chosen]) as document:
        for number, page in zip(chosen, document.pages, strict=True):
            chars = page.chars
            for before, sign in ((before, sign) for index, before, sign in damaged if index == number):
                votes[sign.face, sign.code][_text_behind(before, sign, chars)] += 1
            page.close()
    return {glyph: texts.most_common(1)[0][0] or UNREADABLE for glyph, texts in votes.items() if texts}


def _text_behind(before: PrintedSign, sign: PrintedSign, chars: list[dict[str, Any]]) -> str:
    """The letters that pdfminer reads where the sign stands; empty when these are none."""
    middle = (sign.top + sign.bottom) / 2
    for last, char in pairwise(chars):
        near = abs(char["x0"] - sign.x0) < _NEAR and char["top"] <= middle <= char["bottom"]
        if near and last["text"] == before.text:
            text = unicodedata.normalize("NFKC", char["text"])
            return text if text.isalpha() and len(text) <= _LONGEST else ""
    return ""
