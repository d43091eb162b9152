"""How a source becomes a workbook: what stands before the first section, then one sheet per section."""

import io
import re
import zipfile

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from soprag.examples.rendering.blocks import Block, Heading, Listing, Notice, Paragraph, Table, Text, plain
from soprag.examples.rendering.package import AUTHOR, BUILT, freeze
from soprag.examples.rendering.source import Source

FRONT_SHEET = "Document control"
MAX_SHEET_NAME = 31
NARROW, WIDE = 10, 60
# Row height of one line, in points.
LINE = 15
HEAD = PatternFill("solid", fgColor="FFD9E2EC")
THIN = Side(style="thin", color="FF999999")
BOX = Border(left=THIN, right=THIN, top=THIN, bottom=THIN)
NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,6})?")


def render_xlsx(source: Source) -> bytes:
    """The workbook, the same bytes on every build."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = FRONT_SHEET
    for block in source.blocks:
        if isinstance(block, Heading) and block.level == 2:
            sheet = book.create_sheet(_sheet_name(plain(block.text), book.sheetnames))
        _append(sheet, block)
    for each in book.worksheets:
        _set_page(each, source)
    return _save(book, source.about.title)


def _append(sheet: Worksheet, block: Block) -> None:
    match block:
        case Heading(level, text):
            _write_line(sheet, plain(text), Font(bold=True, size=16 - level))
        case Paragraph(text):
            _write_line(sheet, plain(text), Font())
        case Notice(paragraphs):
            for text in paragraphs:
                _write_line(sheet, plain(text), Font(bold=True, color="FFB00000"))
        case Listing(ordered, start, items):
            for number, item in enumerate(items, start):
                words = " ".join(plain(part.text) for part in item if isinstance(part, Paragraph))
                _write_line(sheet, f"{number}. {words}" if ordered else f"- {words}", Font())
        case Table(rows):
            _write_table(sheet, rows)


def _write_line(sheet: Worksheet, text: str, font: Font) -> None:
    cell = sheet.cell(_next_row(sheet), 1, text)
    cell.font = font


def _write_table(sheet: Worksheet, rows: tuple[tuple[Text, ...], ...]) -> None:
    top = _next_row(sheet) + 1
    for i, row in enumerate(rows):
        for j, text in enumerate(row, 1):
            words = plain(text)
            cell = sheet.cell(top + i, j, float(words) if i and NUMBER.fullmatch(words) else words)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            cell.border = BOX
            if i == 0:
                cell.font, cell.fill = Font(bold=True), HEAD
            _widen(sheet, cell.column_letter, len(words))
    for i, row in enumerate(rows):
        sheet.row_dimensions[top + i].height = LINE * max(_lines(sheet, j, plain(text)) for j, text in enumerate(row))
    # An empty row keeps the next table apart.
    sheet.cell(top + len(rows), 1, "")


def _lines(sheet: Worksheet, column: int, words: str) -> int:
    width = sheet.column_dimensions[get_column_letter(column + 1)].width
    return 1 + int(len(words) * 1.1 / width)


def _next_row(sheet: Worksheet) -> int:
    return int(sheet.max_row) + 1 if sheet.cell(1, 1).value is not None else 1


def _widen(sheet: Worksheet, letter: str, length: int) -> None:
    column = sheet.column_dimensions[letter]
    column.width = max(column.width, min(max(length * 0.6, NARROW), WIDE))


def _sheet_name(title: str, taken: list[str]) -> str:
    words = re.sub(r"[\[\]:*?/\\]", "-", title).split()
    name = ""
    for word in words:
        if len(f"{name} {word}") <= MAX_SHEET_NAME - 2:
            name = f"{name} {word}".strip()
    return name if name not in taken else f"{name} {len(taken)}"


def _set_page(sheet: Worksheet, source: Source) -> None:
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.oddHeader.center.text = source.about.header
    sheet.oddFooter.center.text = source.about.footer


def _save(book: Workbook, title: str) -> bytes:
    properties = book.properties
    properties.title, properties.creator = title, AUTHOR
    properties.created = properties.modified = BUILT.replace(tzinfo=None)
    file = io.BytesIO()
    # Workbook.save would stamp the time of day.
    ExcelWriter(book, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)).save()
    return freeze(file.getvalue())
