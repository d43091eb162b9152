"""Generators of malicious or malformed files (zip bombs, XML bombs, oversized images) for robustness tests."""

import io
import random
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from zipfile import ZIP_DEFLATED, ZipFile

_WORD_TYPE = b"""<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
_WORD_RELATIONS = b"""<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>"""
_W = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_BODY = "word/document.xml"
_LOCAL, _CENTRAL = (b"PK\x03\x04", 30, 22), (b"PK\x01\x02", 46, 24)  # mark, length, where the unpacked size stands
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True)
class HostileFile:
    """A file name, the function that generates the file, and parser limits that differ from the defaults."""

    name: str
    make: Callable[[], bytes]
    limits: dict[str, object] = field(default_factory=dict)


def archive(members: dict[str, bytes]) -> bytes:
    """A zip file with these members."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


def word(body: bytes, head: bytes = b"", more: dict[str, bytes] | None = None) -> bytes:
    """A bare Word file with this XML as its body."""
    document = b'<?xml version="1.0"?>' + head + b"<w:document " + _W + b"><w:body>" + body + b"</w:body></w:document>"
    return archive({"[Content_Types].xml": _WORD_TYPE, "_rels/.rels": _WORD_RELATIONS, _BODY: document, **(more or {})})


def paragraph(text: str) -> bytes:
    """One paragraph of a Word file."""
    return b"<w:p><w:r><w:t>" + text.encode() + b"</w:t></w:r></w:p>"


def laughs(levels: int = 9) -> bytes:
    """A document type whose last entity unfolds to 12 to the power of `levels` times its first."""
    rows = [f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 12}'>" for n in range(levels)]
    return b"<!DOCTYPE w [<!ENTITY a 'ha'>" + "".join(rows).encode() + b"]>"


def lying(body: bytes, claimed: int = 500) -> bytes:
    """A Word file whose index says that its text is short."""
    data = bytearray(word(body))
    offset = data.find(_BODY.encode())
    while offset != -1:
        for mark, length, size in (_LOCAL, _CENTRAL):
            if data[offset - length : offset - length + 4] == mark:
                struct.pack_into("<I", data, offset - length + size, claimed)
        offset = data.find(_BODY.encode(), offset + 1)
    return bytes(data)


def near_limit() -> bytes:
    """49 MB of XML that packs no better than text does: just below what the archive check lets through."""
    dice = random.Random(7)
    vocabulary = ["".join(dice.choices("abcdefghijklmnoprstuvw", k=dice.randint(3, 9))) for _ in range(4000)]
    sentences = [paragraph(" ".join(dice.choices(vocabulary, k=12))) for _ in range(3000)]
    count = 49_000_000 // (sum(map(len, sentences)) // len(sentences))
    return word(b"".join(dice.choices(sentences, k=count)))


def png(width: int, height: int) -> bytes:
    """A PNG that only claims its size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def pages(count: int) -> bytes:
    """A PDF with a step of its own on each page: what all pages share would be taken for their head."""
    from reportlab.pdfgen.canvas import Canvas

    dice, out = random.Random(7), io.BytesIO()
    canvas = Canvas(out)
    for number in range(1, count + 1):
        text = " ".join("".join(dice.choices("abcdefghiklmnoprstu", k=6)) for _ in range(10))
        canvas.drawString(72, dice.randint(200, 700), f"{number}. Check {text}.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def encrypted_pdf() -> bytes:
    """A PDF that asks for a password."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption("secret", canPrint=0))
    canvas.drawString(72, 700, "Hidden")
    canvas.save()
    return out.getvalue()


def far_cell() -> bytes:
    """A workbook with its second cell in the last corner of the sheet."""
    from openpyxl import Workbook

    book = Workbook()
    book.active["XFD1048576"] = "far"
    book.active["A1"] = "near"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def nested(depth: int) -> bytes:
    """A web page of elements within elements."""
    return b"<html><body>" + b"<div>" * depth + b"Press STOP." + b"</div>" * depth


_ENTITY = b"<!DOCTYPE w [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
_OUTSIDE = b"<html><link rel=stylesheet href='http://127.0.0.1:9/a.css'><p>Text</p><img src='http://127.0.0.1:9/b.png'>"
_SPANS = b"<html><table><tr><td colspan=100000 rowspan=100000>a</td><td>b</td></tr></table>"

HOSTILE: tuple[HostileFile, ...] = (
    HostileFile("zip-bomb.docx", lambda: word(b"", more={"word/media/a.bin": bytes(301_000_000)})),
    HostileFile("xml-bomb.docx", lambda: word(paragraph("x") * 2_000_000)),
    HostileFile("sizes-that-lie.docx", lambda: lying(paragraph("Step") * 1_000_000)),
    HostileFile("near-the-limit.docx", near_limit),
    HostileFile("many-parts.docx", lambda: word(b"", more={f"word/{n}.xml": b"" for n in range(2100)})),
    HostileFile("laughs.docx", lambda: word(paragraph("&j;"), laughs())),
    HostileFile("entity.docx", lambda: word(paragraph("before &x; after"), _ENTITY)),
    HostileFile("outside.html", lambda: _OUTSIDE),
    HostileFile("deep.html", lambda: nested(200_000)),
    HostileFile("spans.html", lambda: _SPANS),
    HostileFile("huge.png", lambda: png(30_000, 30_000)),
    HostileFile("locked.pdf", encrypted_pdf),
    HostileFile("locked.docx", lambda: _COMPOUND + bytes(512) + "EncryptedPackage".encode("utf-16-le") + bytes(512)),
    HostileFile("macro.docm", lambda: word(b"", more={"word/vbaProject.bin": b"x"})),
    HostileFile("cut.pdf", lambda: pages(20)[:2000]),
    HostileFile("cut.docx", lambda: word(paragraph("Step"))[:300]),
    HostileFile("really-word.pdf", lambda: word(paragraph("Press STOP and wait."))),
    HostileFile("far-cell.xlsx", far_cell),
    HostileFile("3000-pages.pdf", lambda: pages(3000)),
    HostileFile("3000-allowed.pdf", lambda: pages(3000), {"max_pages": 3000}),
)
