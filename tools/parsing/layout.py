"""How the pages of a PDF are set: its lines with their place, size and weight, read from the text layer.

Parsers that look at words only cannot tell a heading from a short step; the printed page can. Lengths are in points,
measured from the top left corner of the page.
"""

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from soprag.tools.parsing.jobs import TellPages

_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
# The subset mark before a font's name, and what follows its family.
_STYLE = re.compile(
    r"^[A-Z]{6}\+|[-,](bold|italic|oblique|regular|semi|demi|black|roman)\w*|(Bd|It|BI|MT|PS)+$", re.IGNORECASE
)
_FORCE_BOLD = 1 << 18
_HEAVY = 600
_COLUMN_GAP = 1.2
_WORD_GAP = 0.55  # wider than a space, in heights of the line; narrow columns stand as close as this
_SPACE = 0x20
_SPACES = frozenset({_SPACE, 0xA0, 0x09})
_HYPHENS = frozenset({0xFFFE, 0x02})  # how PDFium marks a hyphen at the end of a line


@dataclass(frozen=True)
class TextRun:
    """Words of a line that stand close together; a wide gap begins the next piece.

    `parts` are the same words parted at narrower gaps, where there are any: cells of columns that stand close.
    """

    text: str
    x0: float
    x1: float
    parts: "tuple[TextRun, ...]" = ()


@dataclass(frozen=True)
class PrintedLine:
    """One printed line."""

    page: int
    pieces: tuple[TextRun, ...]
    top: float
    bottom: float
    size: float
    bold: bool
    face: str = ""

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(piece.text for piece in self.pieces)

    @property
    def x0(self) -> float:
        """Where it begins."""
        return self.pieces[0].x0

    @property
    def x1(self) -> float:
        """Where it ends."""
        return self.pieces[-1].x1


@dataclass(frozen=True)
class _Sign:
    code: int
    x0: float
    x1: float
    top: float
    bottom: float
    bold: bool
    size: float
    face: str


def read_lines(path: str, tell: TellPages) -> list[PrintedLine]:
    """Every line of the text layer, in the order in which the file draws it."""
    from pypdfium2 import PdfDocument

    lines: list[PrintedLine] = []
    with PdfDocument(path) as document:
        for number, page in enumerate(document):
            height = page.get_height()
            text = page.get_textpage()
            for signs in _rows(text, height):
                if line := _line(number, signs):
                    lines.append(line)
            text.close()
            page.close()
            tell(number + 1)
    return lines


def _rows(text: Any, height: float) -> Iterator[list[_Sign]]:  # noqa: ANN401 (pypdfium2 has no types)
    import pypdfium2.raw as pdfium

    row: list[_Sign] = []
    box = pdfium.FS_RECTF()
    bold, size, face, word = False, 0.0, "", False
    for index in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, index)
        if code in (0x0A, 0x0D):
            yield row
            row, word = [], False
            continue
        if code in _SPACES:
            word = False
            row.append(_Sign(_SPACE, 0, 0, 0, 0, bold, size, face))
            continue
        if not word:  # a face rarely changes within a word
            (bold, size, face), word = _face(text, index), True
        if not pdfium.FPDFText_GetLooseCharBox(text, index, box):
            continue
        code = 0x2D if code in _HYPHENS else code
        sign = _Sign(code, box.left, box.right, height - box.top, height - box.bottom, bold, size, face)
        if _breaks(row, sign):
            yield row
            row = []
        row.append(sign)
    yield row


def _face(text: Any, index: int) -> tuple[bool, float, str]:  # noqa: ANN401
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


def _breaks(row: list[_Sign], sign: _Sign) -> bool:
    """A sign on another height is on another line, also where the file says nothing of a new line."""
    last = next((earlier for earlier in reversed(row) if earlier.x1), None)
    if last is None:
        return False
    shared = min(last.bottom, sign.bottom) - max(last.top, sign.top)
    return shared < 0.4 * min(last.bottom - last.top, sign.bottom - sign.top)


def _line(page: int, signs: list[_Sign]) -> PrintedLine | None:
    pieces = _pieces(signs)
    printed = [sign for sign in signs if sign.x1 > 0 or sign.bottom > 0]
    if not pieces or not printed:
        return None
    sizes = sorted(sign.size for sign in printed)
    return PrintedLine(
        page=page,
        pieces=tuple(pieces),
        top=min(sign.top for sign in printed),
        bottom=max(sign.bottom for sign in printed),
        size=round(sizes[len(sizes) // 2] * 2) / 2,
        bold=sum(sign.bold for sign in printed) > 0.9 * len(printed),
        face=printed[0].face,
    )


def _pieces(signs: list[_Sign]) -> list[TextRun]:
    pieces: list[TextRun] = []
    for group in _parted(signs, _COLUMN_GAP):
        parts = tuple(_piece(part) for part in _parted(group, _WORD_GAP))
        pieces.append(replace(_piece(group), parts=parts if len(parts) > 1 else ()))
    return pieces


def _parted(signs: list[_Sign], gap: float) -> Iterator[list[_Sign]]:
    """The signs in groups that no gap this wide, in heights of the line, goes through."""
    group: list[_Sign] = []
    right = 0.0
    for sign in signs:
        printed = sign.code != _SPACE or sign.x1 != 0
        if group and printed and sign.x0 - right > gap * (sign.bottom - sign.top):
            yield group
            group = []
        if printed:
            right = sign.x1
        if printed or group:
            group.append(sign)
    if any(not chr(sign.code).isspace() for sign in group):
        yield group


def _piece(signs: list[_Sign]) -> TextRun:
    printed = [sign for sign in signs if sign.code != _SPACE or sign.x1 != 0]
    return TextRun("".join(chr(sign.code) for sign in signs).strip(), printed[0].x0, printed[-1].x1)
