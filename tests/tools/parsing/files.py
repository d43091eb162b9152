"""Small files for tests, made on the spot."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

WORD_TYPE = b"""<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
WORD_RELATIONS = b"""<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>"""
W = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def pdf(text: str) -> bytes:
    """A PDF with one printed line for each line of the text."""
    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    canvas = Canvas(out)
    for number, line in enumerate(text.splitlines()):
        if number and number % 36 == 0:
            canvas.showPage()
        canvas.drawString(72, 760 - 20 * (number % 36), line)
    canvas.save()
    return out.getvalue()


def archive(members: dict[str, bytes]) -> bytes:
    """A zip file with these members."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


def word(body: bytes, head: bytes = b"", more: dict[str, bytes] | None = None) -> bytes:
    """A bare Word file with this XML as its body."""
    document = b'<?xml version="1.0"?>' + head + b"<w:document " + W + b"><w:body>" + body + b"</w:body></w:document>"
    parts = {"[Content_Types].xml": WORD_TYPE, "_rels/.rels": WORD_RELATIONS, "word/document.xml": document}
    return archive({**parts, **(more or {})})


def paragraph(text: str) -> bytes:
    """One paragraph of a Word file."""
    return b"<w:p><w:r><w:t>" + text.encode() + b"</w:t></w:r></w:p>"
