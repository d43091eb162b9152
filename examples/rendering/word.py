"""How a source becomes a Word document with real headings, lists and tables."""

import io
from dataclasses import dataclass

import docx
from docx.document import Document
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt
from docx.text.paragraph import Paragraph as WordParagraph

from soprag.examples.rendering.blocks import Block, Heading, Listing, Notice, PageBreak, Paragraph, Table, Text
from soprag.examples.rendering.package import AUTHOR, BUILT, freeze
from soprag.examples.rendering.source import Source

INDENT = Cm(0.9)
# Abstract numbering ids of our own, above those of the python-docx template.
NUMBERED, BULLETED = 90, 91
LEVELS = {
    NUMBERED: (("decimal", "%1."), ("lowerLetter", "%2)"), ("lowerRoman", "%3.")),
    BULLETED: (("bullet", "•"), ("bullet", "–"), ("bullet", "•")),
}


def render_docx(source: Source) -> bytes:
    """The Word document, the same bytes on every build."""
    document = docx.Document()
    document.styles["Normal"].font.size = Pt(10.5)
    _set_properties(document, source.about.title)
    _set_margins(document, source)
    _define_lists(document)
    writer = _Writer(document)
    for block in source.blocks:
        writer.write(block)
    file = io.BytesIO()
    document.save(file)
    return freeze(file.getvalue())


@dataclass(frozen=True)
class _Writer:
    document: Document

    def write(self, block: Block, depth: int = 0) -> None:
        """Append one block, indented under the list item it belongs to."""
        match block:
            case Heading(level, text):
                _fill(self.document.add_heading(level=0 if level == 1 else level - 1), text)
            case Paragraph(text):
                self._paragraph(text, depth)
            case Notice(paragraphs):
                for text in paragraphs:
                    self._paragraph(text, depth, "Intense Quote")
            case Listing():
                self._list(block, depth)
            case Table(rows):
                self._table(rows)
            case PageBreak():
                self.document.add_page_break()  # type: ignore[no-untyped-call]

    def _paragraph(self, text: Text, depth: int, style: str = "Normal") -> WordParagraph:
        paragraph = self.document.add_paragraph(style=style)
        if depth:
            paragraph.paragraph_format.left_indent = INDENT * depth
        _fill(paragraph, text)
        return paragraph

    def _list(self, listing: Listing, depth: int) -> None:
        # A number instance per list: a shared one would count on across sections.
        number = _start_list(self.document, listing, depth)
        for item in listing.items:
            first, *others = item
            if isinstance(first, Paragraph):
                style = "List Number" if listing.ordered else "List Bullet"
                _number(self._paragraph(first.text, 0, style), number, depth)
            else:
                others.insert(0, first)
            for block in others:
                self.write(block, depth + 1)

    def _table(self, rows: tuple[tuple[Text, ...], ...]) -> None:
        table = self.document.add_table(len(rows), len(rows[0]), style="Table Grid")
        for cells, row in zip(table.rows, rows, strict=True):
            for cell, text in zip(cells.cells, row, strict=True):
                _fill(cell.paragraphs[0], text)
        for cell in table.rows[0].cells:
            for run in cell.paragraphs[0].runs:
                run.bold = True
        self.document.add_paragraph()


def _fill(paragraph: WordParagraph, text: Text) -> None:
    for piece in text:
        run = paragraph.add_run(piece.text)
        run.bold, run.italic = piece.bold or None, piece.italic or None
        if piece.code:
            run.font.name = "Consolas"


def _set_properties(document: Document, title: str) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = title, AUTHOR, AUTHOR
    properties.comments = ""
    properties.created = properties.modified = BUILT


def _set_margins(document: Document, source: Source) -> None:
    section = document.sections[0]
    section.left_margin = section.right_margin = Cm(2.2)
    section.header.paragraphs[0].text = source.about.header
    footer = section.footer.paragraphs[0]
    footer.text = f"{source.about.footer}\tPage "
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    footer._p.append(field)


def _define_lists(document: Document) -> None:
    numbering = document.part.numbering_part.element
    before = numbering.find(qn("w:num"))
    for abstract, levels in LEVELS.items():
        inner = "".join(
            f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{label}"/>'
            f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{510 * (depth + 1)}" w:hanging="425"/></w:pPr></w:lvl>'
            for depth, (kind, label) in enumerate(levels)
        )
        before.addprevious(
            parse_xml(
                f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{abstract}">'
                f'<w:multiLevelType w:val="multilevel"/>{inner}</w:abstractNum>'
            )
        )


def _start_list(document: Document, listing: Listing, depth: int) -> int:
    number = document.part.numbering_part.element.add_num(NUMBERED if listing.ordered else BULLETED)
    if listing.ordered:
        number.add_lvlOverride(ilvl=depth).add_startOverride(listing.start)
    return int(number.numId)


def _number(paragraph: WordParagraph, number: int, depth: int) -> None:
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    properties.get_or_add_ilvl().val = depth
    properties.get_or_add_numId().val = number
