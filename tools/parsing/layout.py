"""How the pages of a PDF are set: its lines with their place, size and weight, read from the text layer.

Parsers that look at words only cannot tell a heading from a short step; the printed page can. Lengths are in points,
measured from the top left corner of the page.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from soprag.tools.parsing.glyph_names import mended_words, name_glyphs
from soprag.tools.parsing.jobs import TellPages
from soprag.tools.parsing.signs import PrintedSign, read_rows

_COLUMN_GAP = 1.2
_WORD_GAP = 0.55  # wider than a space, in heights of the line; narrow columns stand as close as this
_SHADOW = 0.5  # of its height and width that a line shares with the same line before it


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
    """One printed line.

    `mended` are its words with a ligature that the text layer does not name: as other readers write them, and rightly.
    """

    page: int
    pieces: tuple[TextRun, ...]
    top: float
    bottom: float
    size: float
    bold: bool
    face: str = ""
    mended: tuple[tuple[str, str], ...] = ()

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


def read_lines(path: str, tell: TellPages) -> list[PrintedLine]:
    """Every line of the text layer, in the order in which the file draws it."""
    from pypdfium2 import PdfDocument

    rows: list[tuple[int, list[PrintedSign]]] = []
    with PdfDocument(path) as document:
        for number, page in enumerate(document):
            text = page.get_textpage()
            rows += [(number, row) for row in read_rows(text, page.get_height())]
            text.close()
            page.close()
            tell(number + 1)
    lines = (_line(number, row) for number, row in name_glyphs(path, rows))
    return _without_shadows([line for line in lines if line])


def _without_shadows(lines: list[PrintedLine]) -> list[PrintedLine]:
    """Without lines that are printed twice at nearly one place, as headings with a shadow are."""
    return [line for above, line in pairwise([None, *lines]) if line and not (above and _is_shadow(above, line))]


def _is_shadow(above: PrintedLine, line: PrintedLine) -> bool:
    shared = min(above.bottom, line.bottom) - max(above.top, line.top)
    beside = min(above.x1, line.x1) - max(above.x0, line.x0)
    same = above.page == line.page and above.text == line.text
    return same and shared > _SHADOW * (line.bottom - line.top) and beside > _SHADOW * (line.x1 - line.x0)


def _line(page: int, signs: list[PrintedSign]) -> PrintedLine | None:
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
        mended=tuple(mended_words(signs)),
    )


def _pieces(signs: list[PrintedSign]) -> list[TextRun]:
    pieces: list[TextRun] = []
    for group in _parted(signs, _COLUMN_GAP):
        parts = tuple(_piece(part) for part in _parted(group, _WORD_GAP))
        pieces.append(replace(_piece(group), parts=parts if len(parts) > 1 else ()))
    return pieces


def _parted(signs: list[PrintedSign], gap: float) -> Iterator[list[PrintedSign]]:
    """The signs in groups that no gap this wide, in heights of the line, goes through."""
    group: list[PrintedSign] = []
    right = 0.0
    for sign in signs:
        printed = sign.placed
        if group and printed and sign.x0 - right > gap * (sign.bottom - sign.top):
            yield group
            group = []
        if printed:
            right = sign.x1
        if printed or group:
            group.append(sign)
    if any(not sign.text.isspace() for sign in group):
        yield group


def _piece(signs: list[PrintedSign]) -> TextRun:
    printed = [sign for sign in signs if sign.placed]
    return TextRun("".join(sign.text for sign in signs).strip(), printed[0].x0, printed[-1].x1)
