"""Word, PowerPoint, Excel, OpenDocument and HTML read straight from their XML: plain, but hard to upset.

The fallback when MinerU fails. Headings, list items and table rows are kept; pictures are not.
"""

import re
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

from lxml import etree, html

from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.jobs import ParseJob
from soprag.tools.parsing.repair import EngineDraft, repair

Element = Any  # lxml has no types
_HEADING = re.compile(r"(?:heading|berschrift|titre|t.tulo)\D*(\d)", re.IGNORECASE)
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml$")
_SHEET = re.compile(r"xl/worksheets/sheet(\d+)\.xml$")
_VERSION = "1"


def parse(job: ParseJob) -> Extract:
    """The text of the file in reading order, with its headings, lists and tables."""
    readers = {"docx": _word, "pptx": _slides, "xlsx": _workbook, "html": _html}
    blocks = readers.get(job.kind, _opendocument)(job.path)
    draft = EngineDraft("\n\n".join(block for block in blocks if block.strip()), kind=job.kind)
    return repair(draft, version=_VERSION, pages=0, limits=job.limits)


def _tree(archive: ZipFile, part: str) -> Element:
    # No entities and no network: a document type declaration in an Office part is an attack.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    return etree.fromstring(archive.read(part), parser)


def _name(element: Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _attribute(element: Element | None, name: str) -> str:
    if element is None:
        return ""
    return next((str(value) for key, value in element.attrib.items() if etree.QName(key).localname == name), "")


def _all(element: Element, name: str) -> list[Element]:
    return [child for child in element.iter() if _name(child) == name]


def _first(element: Element, name: str) -> Element | None:
    return next((child for child in element.iter() if _name(child) == name), None)


def _text(element: Element, leaf: str = "t") -> str:
    return "".join(child.text or "" for child in element.iter() if _name(child) == leaf).strip()


def _word(path: str) -> Iterator[str]:
    with ZipFile(path) as archive:
        body = _first(_tree(archive, "word/document.xml"), "body")
    for block in body if body is not None else ():
        if _name(block) == "tbl":
            yield _table([[_text(cell) for cell in _all(row, "tc")] for row in _all(block, "tr")])
        elif _name(block) == "p":
            style = _attribute(_first(block, "pStyle"), "val")
            level = _HEADING.search(style)
            mark = "#" * min(int(level[1]) + 1, 6) + " " if level else "# " if style.lower() == "title" else ""
            mark = mark or ("- " if _first(block, "numPr") is not None or style.startswith("List") else "")
            yield mark + _text(block) if _text(block) else ""


def _slides(path: str) -> Iterator[str]:
    with ZipFile(path) as archive:
        parts = sorted((int(match[1]), name) for name in archive.namelist() if (match := _SLIDE.search(name)))
        for _, part in parts:
            for shape in _all(_tree(archive, part), "sp") + _all(_tree(archive, part), "graphicFrame"):
                title = "title" in _attribute(_first(shape, "ph"), "type").lower()
                rows = [[_text(cell) for cell in _all(row, "tc")] for row in _all(shape, "tr")]
                yield _table(rows)
                if not rows:
                    lines = [_text(paragraph) for paragraph in _all(shape, "p")]
                    yield "\n\n".join(f"## {line}" if title else line for line in lines if line)


def _workbook(path: str) -> Iterator[str]:
    with ZipFile(path) as archive:
        names = archive.namelist()
        shared = _all(_tree(archive, "xl/sharedStrings.xml"), "si") if "xl/sharedStrings.xml" in names else []
        strings = [_text(item) for item in shared]
        titles = [_attribute(sheet, "name") for sheet in _all(_tree(archive, "xl/workbook.xml"), "sheet")]
        parts = sorted((int(match[1]), name) for name in names if (match := _SHEET.search(name)))
        for index, (_, part) in enumerate(parts):
            yield f"## {titles[index] if index < len(titles) else part}"
            rows = [[_cell(cell, strings) for cell in _all(row, "c")] for row in _all(_tree(archive, part), "row")]
            yield _table([row for row in rows if any(row)])


def _cell(cell: Element, strings: list[str]) -> str:
    value = _text(cell, "v")
    if _attribute(cell, "t") == "s" and value.isdigit() and int(value) < len(strings):
        return strings[int(value)]
    return value or _text(cell)


def _opendocument(path: str) -> Iterator[str]:
    with ZipFile(path) as archive:
        root = _tree(archive, "content.xml")
    for block in root.iter():
        inside = any(_name(above) in ("table-cell", "list-item") for above in block.iterancestors())
        if _name(block) == "h":
            yield "#" * min(int(_attribute(block, "outline-level") or 2), 6) + " " + "".join(block.itertext()).strip()
        elif _name(block) == "list-item":
            yield "- " + "".join(block.itertext()).strip()
        elif _name(block) == "table":
            yield _table(
                [["".join(c.itertext()).strip() for c in _all(r, "table-cell")] for r in _all(block, "table-row")]
            )
        elif _name(block) == "p" and not inside:
            yield "".join(block.itertext()).strip()


def _html(path: str) -> Iterator[str]:
    with open(path, "rb") as file:  # noqa: PTH123 (lxml reads the encoding from the bytes)
        root = html.fromstring(file.read(), parser=html.HTMLParser(no_network=True, remove_comments=True))
    for element in root.iter():
        tag = element.tag if isinstance(element.tag, str) else ""
        text = " ".join(element.text_content().split())
        if re.fullmatch(r"h[1-6]", tag):
            yield "#" * int(tag[1]) + " " + text
        elif tag == "table":
            yield _table(
                [[" ".join(c.text_content().split()) for c in row.iter("td", "th")] for row in element.iter("tr")]
            )
        elif tag in ("p", "li", "pre", "dt", "dd") and element.getparent() is not None and not _within(element):
            yield ("- " if tag == "li" else "") + text


def _within(element: Element) -> bool:
    return any(above.tag in ("table", "li", "nav", "script") for above in element.iterancestors())


def _table(rows: list[list[str]]) -> str:
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    cells = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] + [""] * (width - len(row)) for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])
