"""How a source becomes a slide deck: one slide per heading, continued where it would overflow."""

import io
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace

from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.oxml.xmlchemy import BaseOxmlElement
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.text.text import TextFrame
from pptx.util import Cm, Pt

from soprag.examples.rendering.blocks import Block, Heading, Listing, Notice, PageBreak, Paragraph, Table, Text, plain
from soprag.examples.rendering.package import AUTHOR, BUILT, freeze
from soprag.examples.rendering.source import Source

# Layout and placeholder indices of the python-pptx template.
TITLE_SLIDE, CONTENT_SLIDE, SECTION_SLIDE, TABLE_SLIDE = 0, 1, 2, 5
FOOTER = 11
LINES_PER_SLIDE = 12
CHARACTERS_PER_LINE = 78


@dataclass(frozen=True)
class _Line:
    """One paragraph of a slide; `number` is what it counts as in its list."""

    text: Text
    number: int | None = None
    bullet: bool = False
    depth: int = 0

    @property
    def height(self) -> int:
        return 1 + len(plain(self.text)) // CHARACTERS_PER_LINE


@dataclass
class _Page:
    title: str
    level: int
    lines: list[_Line] = field(default_factory=list)
    table: Table | None = None


def render_pptx(source: Source) -> bytes:
    """The slide deck, the same bytes on every build."""
    deck = Presentation()
    properties = deck.core_properties
    properties.title, properties.author, properties.last_modified_by = source.about.title, AUTHOR, AUTHOR
    properties.created = properties.modified = BUILT
    for page in _pages(source.blocks):
        slide = _draw(deck, page)
        _add_footer(slide, source.about.footer)
    file = io.BytesIO()
    deck.save(file)
    return freeze(file.getvalue())


def _pages(blocks: tuple[Block, ...]) -> Iterator[_Page]:
    page = _Page("", 1)
    for block in blocks:
        if isinstance(block, Heading | PageBreak):
            yield from _filled(page)
            page = _Page(plain(block.text), block.level) if isinstance(block, Heading) else _next(page)
        elif isinstance(block, Table):
            if page.lines:
                yield page
            yield replace(page, lines=[], table=block)
            page = _next(page)
        else:
            for line in _lines(block):
                if sum(each.height for each in page.lines) + line.height > LINES_PER_SLIDE:
                    yield page
                    page = _next(page)
                page.lines.append(line)
    yield from _filled(page)


def _filled(page: _Page) -> Iterator[_Page]:
    # A page after a table or a break may stay empty; a heading of its own never does.
    if page.lines or (page.title and not page.title.endswith("(continued)")):
        yield page


def _next(page: _Page) -> _Page:
    title = page.title if page.title.endswith("(continued)") else f"{page.title} (continued)"
    return _Page(title, 3)


def _lines(block: Block, depth: int = 0) -> Iterator[_Line]:
    match block:
        case Paragraph(text):
            yield _Line(text, depth=depth)
        case Notice(paragraphs):
            yield from (_Line(text, depth=depth) for text in paragraphs)
        case Listing(ordered, start, items):
            for number, item in enumerate(items, start):
                first, *others = item
                assert isinstance(first, Paragraph), "a list item on a slide starts with its text"
                yield _Line(first.text, number if ordered else None, not ordered, depth)
                for other in others:
                    yield from _lines(other, depth + 1)


def _draw(deck: Deck, page: _Page) -> Slide:
    slide: Slide = deck.slides.add_slide(deck.slide_layouts[_layout(page)])
    title = slide.shapes.title
    assert title is not None
    title.text_frame.text = page.title
    title.text_frame.paragraphs[0].font.size = Pt(36 if page.level == 1 else 26)
    if page.table:
        _add_table(slide, page.table)
    elif page.lines:
        _write(slide.placeholders[1].text_frame, page.lines)
    return slide


def _layout(page: _Page) -> int:
    if page.level == 1:
        return TITLE_SLIDE
    if page.table:
        return TABLE_SLIDE
    return CONTENT_SLIDE if page.lines else SECTION_SLIDE


def _write(frame: TextFrame, lines: list[_Line]) -> None:
    for index, line in enumerate(lines):
        if index:
            frame.add_paragraph()  # type: ignore[no-untyped-call]
        paragraph = frame.paragraphs[index]
        paragraph.level = line.depth
        for piece in line.text:
            run = paragraph.add_run()
            run.text = piece.text
            font = run.font
            if font is not None:
                font.size = Pt(16)
                font.bold = piece.bold or None
        if not line.bullet:
            _mark(paragraph._p.get_or_add_pPr(), line)


def _mark(properties: BaseOxmlElement, line: _Line) -> None:
    # The layout bullets every paragraph: say otherwise for numbered and for plain ones.
    if line.number is None:
        properties.set("marL", "0")
        properties.set("indent", "0")
        xml = f"<a:buNone {nsdecls('a')}/>"
    else:
        kind = "arabicPeriod" if line.depth == 0 else "alphaLcParenR"
        xml = f'<a:buAutoNum {nsdecls("a")} type="{kind}" startAt="{line.number}"/>'
    properties.append(parse_xml(xml))


def _add_table(slide: Slide, table: Table) -> None:
    rows = table.rows
    frame = slide.shapes.add_table(len(rows), len(rows[0]), Cm(1.2), Cm(4.2), Cm(23), Cm(1.1 * len(rows)))
    for i, row in enumerate(rows):
        for j, text in enumerate(row):
            cell = frame.table.cell(i, j)
            cell.text = plain(text)
            for paragraph in cell.text_frame.paragraphs:
                paragraph.font.size = Pt(12)


def _add_footer(slide: Slide, footer: str) -> None:
    # python-pptx leaves the footer placeholder of the layout behind: copy it as PowerPoint does.
    of_layout = slide.slide_layout.placeholders.get(FOOTER)
    if footer and of_layout is not None:
        slide.shapes._spTree.append(deepcopy(of_layout._element))
        placed = slide.placeholders[FOOTER]
        placed.left, placed.top, placed.width, placed.height = Cm(1.2), Cm(17.7), Cm(23), Cm(0.9)
        placed.text_frame.text = footer
        placed.text_frame.paragraphs[0].font.size = Pt(10)
