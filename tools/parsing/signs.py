"""The signs of a PDF page with their place, size and face, read from the text layer by PDFium.

Two kinds of damage are mended here. A sign printed twice at one place, to make it bold for example, is one sign.
A ligature that the PDF gives no letters for is `UNREADABLE` until `glyph_names` finds them.
"""

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

SPACE = " "
UNREADABLE = "\ufffd"
_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
# The subset mark before a font's name, and what follows its family.
_STYLE = re.compile(
    r"^[A-Z]{6}\+|[-,](bold|italic|oblique|regular|semi|demi|black|roman)\w*|(Bd|It|BI|MT|PS)+$", re.IGNORECASE
)
_FORCE_BOLD = 1 << 18
_HEAVY = 600
_LINE_ENDS = frozenset({0x0A, 0x0D})
_SPACES = frozenset({0x20, 0xA0, 0x09})
_HYPHENS = frozenset({0xFFFE, 0x02})  # how PDFium marks a hyphen at the end of a line
_NO_LETTER = frozenset({"Cc", "Co", "Cn", "Cs"})  # categories of Unicode: control, private use, unassigned, surrogate
_LIGATURES = range(0xFB00, 0xFB07)
_OVERPRINTED = 0.4  # of its width that a sign shares with the same sign before it
_LOOK_BACK = 3  # signs; a word may be drawn twice letter by letter
_TOUCHING = 0.3  # of the height: a wider gap parts two words


@dataclass(frozen=True)
class PrintedSign:
    """One sign, in points from the top left corner; a space has no place. `code` is its number in the text layer."""

    text: str
    code: int
    x0: float
    x1: float
    top: float
    bottom: float
    bold: bool
    size: float
    face: str

    @property
    def placed(self) -> bool:
        """Whether it is printed somewhere: spaces that only part two words are not."""
        return self.text != SPACE or self.x1 != 0

    @property
    def lettered(self) -> bool:
        """Whether its Unicode number is one of a character; others are bullets of symbol fonts, or ligatures."""
        return self.text != UNREADABLE and unicodedata.category(chr(self.code)) not in _NO_LETTER


def read_rows(text: Any, height: float) -> Iterator[list[PrintedSign]]:  # noqa: ANN401 (pypdfium2 has no types)
    """The signs of a page line by line, in the order in which the file draws them."""
    import pypdfium2.raw as pdfium

    row: list[PrintedSign] = []
    box = pdfium.FS_RECTF()
    style: tuple[bool, float, str] | None = None
    for index in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, index)
        if code in _LINE_ENDS:
            yield row
            row, style = [], None
            continue
        if code in _SPACES:
            row.append(PrintedSign(SPACE, 0x20, 0, 0, 0, 0, *(style or (False, 0.0, ""))))
            style = None
            continue
        style = style or _style(text, index)  # a face rarely changes within a word
        if not pdfium.FPDFText_GetLooseCharBox(text, index, box):
            continue
        code = 0x2D if code in _HYPHENS else code
        sign = PrintedSign(_letters(code), code, box.left, box.right, height - box.top, height - box.bottom, *style)
        if _breaks(row, sign):
            yield row
            row = []
        if not _overprints(row, sign):
            row.append(sign)
    yield row


def inside_words(row: list[PrintedSign]) -> Iterator[tuple[PrintedSign, PrintedSign]]:
    """Each letter with the sign right behind it that has no letter: ligatures, where a bullet begins a word."""
    for before, sign in pairwise(row):
        touches = sign.x0 - before.x1 < _TOUCHING * (sign.bottom - sign.top)
        if not sign.lettered and before.text.isalpha() and touches:
            yield before, sign


def _letters(code: int) -> str:
    """The sign as text; ligatures that have a number of their own are their letters."""
    return unicodedata.normalize("NFKC", chr(code)) if code in _LIGATURES else chr(code)


def _style(text: Any, index: int) -> tuple[bool, float, str]:  # noqa: ANN401
    """Whether the sign is bold, its size on the page, and its family and colour."""
    import pypdfium2.raw as pdfium

    name, flags, matrix = ctypes.create_string_buffer(128), ctypes.c_int(), pdfium.FS_MATRIX()
    pdfium.FPDFText_GetFontInfo(text, index, name, 128, flags)
    family = name.value.decode("utf-8", "replace")
    bold = bool(_BOLD.search(family)) or bool(flags.value & _FORCE_BOLD)
    bold = bold or pdfium.FPDFText_GetFontWeight(text, index) >= _HEAVY
    scale = math.hypot(matrix.b, matrix.d) if pdfium.FPDFText_GetMatrix(text, index, matrix) else 1.0
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFText_GetFillColor(text, index, red, green, blue, alpha)
    face = f"{_STYLE.sub('', family)} {red.value:02x}{green.value:02x}{blue.value:02x}"
    return bold, pdfium.FPDFText_GetFontSize(text, index) * scale, face


def _breaks(row: list[PrintedSign], sign: PrintedSign) -> bool:
    """A sign on another height is on another line, also where the file says nothing of a new line."""
    last = next((earlier for earlier in reversed(row) if earlier.x1), None)
    if last is None:
        return False
    shared = min(last.bottom, sign.bottom) - max(last.top, sign.top)
    return shared < 0.4 * min(last.bottom - last.top, sign.bottom - sign.top)


def _overprints(row: list[PrintedSign], sign: PrintedSign) -> bool:
    """Whether the same sign stands there already, a little aside: type made bold by printing it twice.

    Letters at exactly one place are those of one ligature, such as "ff".
    """
    least = _OVERPRINTED * (sign.x1 - sign.x0)
    return any(
        earlier.code == sign.code
        and earlier.x0 != sign.x0
        and min(earlier.x1, sign.x1) - max(earlier.x0, sign.x0) > least
        for earlier in row[-_LOOK_BACK:]
    )
