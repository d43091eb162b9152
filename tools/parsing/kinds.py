"""What a file is, by its content and not by its name; what must not be opened is refused here."""

import re
from io import BytesIO
from pathlib import PurePath
from typing import Literal
from zipfile import BadZipFile, ZipFile

from soprag.tools.errors import DocumentError
from soprag.tools.parsing.text import decode, is_text

Kind = Literal[
    "markdown", "text", "pdf", "docx", "pptx", "xlsx", "doc", "ppt", "xls", "rtf", "odt", "ods", "odp",
    "epub", "ofd", "html", "mhtml", "csv", "tsv", "png", "jpg", "gif", "bmp", "tiff", "webp", "jp2",
]  # fmt: skip
IMAGES: frozenset[Kind] = frozenset({"png", "jpg", "gif", "bmp", "tiff", "webp", "jp2"})
ARCHIVES: frozenset[Kind] = frozenset({"docx", "pptx", "xlsx", "odt", "ods", "odp", "epub", "ofd"})
_SUPPORTED = "PDF, Word, PowerPoint, Excel, OpenDocument, RTF, HTML, EPUB, CSV, Markdown, plain text and images"

_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"\x00\x00\x00\x0cjP  ", "jp2"),
)
_SUFFIXES: dict[str, Kind] = {
    ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown", ".csv": "csv", ".tsv": "tsv",
    ".html": "html", ".htm": "html", ".xhtml": "html", ".shtml": "html", ".mht": "mhtml", ".mhtml": "mhtml",
}  # fmt: skip
_PARTS: tuple[tuple[str, Kind], ...] = (
    ("word/", "docx"),
    ("ppt/", "pptx"),
    ("xl/", "xlsx"),
    ("OFD.xml", "ofd"),
)
_MIMES: dict[str, Kind] = {
    "application/epub+zip": "epub",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
}
_STREAMS: tuple[tuple[str, Kind], ...] = (("WordDocument", "doc"), ("PowerPoint Document", "ppt"), ("Workbook", "xls"))
_HTML = re.compile(r"<(!doctype\s+html|html|head|body)\b|\A<(h1|h2|div|table|section|article)\b", re.IGNORECASE)
_MHTML = re.compile(r"^content-type:\s*multipart/related", re.IGNORECASE | re.MULTILINE)


def sniff(data: bytes, name: str, suffix: str = "") -> Kind:
    """The kind of these bytes; raises `DocumentError` when they are empty, encrypted, with macros, or unknown."""
    if not data.strip():
        raise DocumentError(f"{name!r} is empty; fetch or export it again.")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _archive(data, name)
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _compound(data, name)
    if kind := _signature(data):
        return kind
    if is_text(data):
        return _textual(data, PurePath(name).suffix or suffix)
    raise DocumentError(f"{name!r} is no document of a known type (its content is binary); supported: {_SUPPORTED}.")


def _signature(data: bytes) -> Kind | None:
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "webp"
    if data.startswith(b"BM") and data[6:10] == b"\0\0\0\0":
        return "bmp"
    return next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)


def _archive(data: bytes, name: str) -> Kind:
    try:
        with ZipFile(BytesIO(data)) as archive:
            members = archive.namelist()
            mime = _mime(archive)
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DocumentError(f"{name!r} is damaged or cut off ({error}); fetch or export it again.") from error
    if any(PurePath(member).name.lower() == "vbaproject.bin" for member in members):
        raise DocumentError(
            f"{name!r} contains macros and is not opened; save it without macros (.docx, .xlsx, .pptx)."
        )
    if mime in _MIMES:
        return _MIMES[mime]
    for part, kind in _PARTS:
        if any(member.startswith(part) for member in members):
            return kind
    raise DocumentError(f"{name!r} is an archive; unpack it and give the documents in it.")


def _mime(archive: ZipFile) -> str:
    if "mimetype" not in archive.namelist() or archive.getinfo("mimetype").flag_bits & 1:
        return ""
    with archive.open("mimetype") as member:
        return member.read(200).decode("ascii", errors="replace").strip()


def _compound(data: bytes, name: str) -> Kind:
    """Old Office files, and the wrapper that Office puts around an encrypted new one."""
    if _stream("EncryptedPackage") in data:
        raise DocumentError(f"{name!r} is encrypted; save it without a password.")
    if _stream("_VBA_PROJECT") in data:
        raise DocumentError(f"{name!r} contains macros and is not opened; save it without macros.")
    for stream, kind in _STREAMS:
        if _stream(stream) in data:
            return kind
    raise DocumentError(f"{name!r} is an unknown Office file; save it as .docx, .xlsx, .pptx or PDF.")


def _stream(name: str) -> bytes:
    return name.encode("utf-16-le")


def _textual(data: bytes, suffix: str) -> Kind:
    declared = _SUFFIXES.get(suffix.lower())
    head = decode(data[:4096]).content
    if declared == "markdown":
        return declared
    if _MHTML.search(head) and "boundary=" in head:
        return "mhtml"
    if declared == "html" or _HTML.search(head.lstrip()[:1024]):
        return "html"
    return declared if declared in ("csv", "tsv") else "text"
