"""How a source becomes a PDF with running headers and footers, ruled tables and one or two columns."""

import io
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import reportlab
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, LongTable, PageTemplate, Spacer, TableStyle
from reportlab.platypus import PageBreak as NewPage
from reportlab.platypus import Paragraph as Flowing

from soprag.examples.rendering.blocks import Block, Heading, Listing, Notice, PageBreak, Paragraph, Table, Text, plain
from soprag.examples.rendering.package import AUTHOR
from soprag.examples.rendering.source import Source, SourceError

MARGIN, HEAD_ROOM, GUTTER = 1.9 * cm, 1.3 * cm, 0.7 * cm
INDENT = 20
BLANK_ROW = 16
# Signs the font lacks, as a typist would write them.
TYPED = str.maketrans({"→": "->", "☐": "[ ]", "✓": "OK", "Δ": "delta-"})
BODY = ParagraphStyle(
    "body", fontName="Vera", bulletFontName="Vera", fontSize=8.5, bulletFontSize=8.5, leading=11.5, spaceAfter=4
)
CELL = ParagraphStyle("cell", BODY, fontSize=7.5, leading=9.5, spaceAfter=0)
NOTICE = ParagraphStyle("notice", BODY, spaceBefore=4, spaceAfter=8)
# Size, leading and room above, in points.
HEADINGS = {1: (16, 20, 10), 2: (12.5, 16, 7), 3: (10.5, 14, 5), 4: (9.5, 12, 4)}
GRID = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
)


def render_pdf(source: Source) -> bytes:
    """The PDF, the same bytes on every build."""
    _register_fonts()
    file = io.BytesIO()
    document = BaseDocTemplate(file, pagesize=A4, title=source.about.title, author=AUTHOR, invariant=True)
    frames = _frames(source.about.columns)
    document.addPageTemplates(PageTemplate("page", frames, onPage=_margins(source)))
    width = frames[0]._aW
    try:
        document.build([flowable for block in source.blocks for flowable in _flow(block, width, 0)])
    except KeyError as missing:
        raise SourceError(f"{source.target}: {missing}") from missing
    return file.getvalue()


def _register_fonts() -> None:
    # Bitstream Vera ships with reportlab and has the signs the built-in fonts lack.
    folder = Path(reportlab.__file__).parent / "fonts"
    for face in ("Vera", "VeraBd", "VeraIt", "VeraBI"):
        pdfmetrics.registerFont(TTFont(face, folder / f"{face}.ttf"))
    pdfmetrics.registerFontFamily("Vera", normal="Vera", bold="VeraBd", italic="VeraIt", boldItalic="VeraBI")


def _frames(columns: int) -> list[Frame]:
    width, height = A4
    room = (width - 2 * MARGIN - GUTTER * (columns - 1)) / columns
    bottom, tall = MARGIN + HEAD_ROOM / 2, height - 2 * MARGIN - HEAD_ROOM
    return [
        Frame(MARGIN + index * (room + GUTTER), bottom, room, tall, 0, 0, 0, 0, id=f"column{index}")
        for index in range(columns)
    ]


def _margins(source: Source) -> Callable[[Canvas, BaseDocTemplate], None]:
    def draw(canvas: Canvas, document: BaseDocTemplate) -> None:
        width, height = A4
        canvas.setFont("Vera", 7)
        canvas.drawString(MARGIN, height - MARGIN, source.about.header.translate(TYPED))
        canvas.line(MARGIN, height - MARGIN - 4, width - MARGIN, height - MARGIN - 4)
        canvas.drawString(MARGIN, MARGIN * 0.7, source.about.footer.translate(TYPED))
        canvas.drawRightString(width - MARGIN, MARGIN * 0.7, f"Page {document.page}")

    return draw


def _flow(block: Block, width: float, depth: int) -> Iterator[Flowable]:
    match block:
        case Heading(level, text):
            yield Flowing(_markup(text), _heading(level))
        case Paragraph(text):
            yield Flowing(_markup(text), _indented(BODY, depth))
        case Notice(paragraphs):
            yield Flowing("<br/>".join(map(_markup, paragraphs)), _indented(NOTICE, depth))
        case Listing():
            yield from _list(block, width, depth)
        case Table(rows):
            yield _table(rows, width)
            yield Spacer(1, 8)
        case PageBreak():
            yield NewPage()


def _list(listing: Listing, width: float, depth: int) -> Iterator[Flowable]:
    style = _indented(BODY, depth + 1)
    style.bulletIndent = INDENT * depth
    for number, item in enumerate(listing.items, listing.start):
        for index, block in enumerate(item):
            if index == 0 and isinstance(block, Paragraph):
                yield Flowing(_markup(block.text), style, bulletText=_label(listing, number, depth))
            else:
                yield from _flow(block, width, depth + 1)


def _label(listing: Listing, number: int, depth: int) -> str:
    if not listing.ordered:
        return "•" if depth == 0 else "–"
    return f"{number}." if depth == 0 else f"{chr(96 + number)})"


def _table(rows: tuple[tuple[Text, ...], ...], width: float) -> LongTable:
    cells = [[Flowing(_markup(text), CELL) for text in row] for row in rows]
    # A row to be filled in by hand needs room for the pen.
    heights = [None if any(row) else BLANK_ROW for row in rows]
    table = LongTable(cells, colWidths=_widths(rows, width), rowHeights=heights, repeatRows=1)
    table.setStyle(GRID)
    return table


def _widths(rows: tuple[tuple[Text, ...], ...], width: float) -> list[float]:
    # Room in proportion to the text, but never so narrow that a word breaks.
    columns = [[plain(text) for text in column] for column in zip(*rows, strict=True)]
    least = [max(len(word) for text in column for word in [*text.split(), "-"]) * 5.4 + 13 for column in columns]
    wish = [max(sum(map(len, column)), 1) for column in columns]
    spare = max(width - sum(least), 0)
    return [floor + spare * share / sum(wish) for floor, share in zip(least, wish, strict=True)]


def _heading(level: int) -> ParagraphStyle:
    size, leading, before = HEADINGS[min(level, 4)]
    return ParagraphStyle(
        f"heading{level}",
        fontName="VeraBd",
        fontSize=size,
        leading=leading,
        spaceBefore=before,
        spaceAfter=4,
        keepWithNext=True,
    )


def _indented(style: ParagraphStyle, depth: int) -> ParagraphStyle:
    return ParagraphStyle(f"{style.name}{depth}", style, leftIndent=INDENT * depth)


def _markup(text: Text) -> str:
    return "".join(_faced(escape(_printable(run.text)), run.bold, run.italic) for run in text)


def _faced(words: str, bold: bool, italic: bool) -> str:
    words = words.replace("\n", "<br/>")
    words = f"<b>{words}</b>" if bold else words
    return f"<i>{words}</i>" if italic else words


def _printable(words: str) -> str:
    words = words.translate(TYPED)
    known = pdfmetrics.getFont("Vera").face.charToGlyph
    if lacking := {sign for sign in words if sign != "\n" and ord(sign) not in known}:
        raise KeyError(f"the PDF font has no {sorted(lacking)}; write it otherwise")
    return words
