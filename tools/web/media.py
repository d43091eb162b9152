"""Media type of a page by its content; the Content-Type header only breaks ties."""

from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from soprag.tools.errors import DocumentError
from soprag.tools.parsing.kinds import Kind, sniff

HTML_TYPES = ("text/html", "application/xhtml+xml")
_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."
_MIMES: dict[Kind, str] = {
    "markdown": "text/markdown", "text": "text/plain", "pdf": "application/pdf", "html": "text/html",
    "docx": f"{_OFFICE}wordprocessingml.document", "pptx": f"{_OFFICE}presentationml.presentation",
    "xlsx": f"{_OFFICE}spreadsheetml.sheet", "doc": "application/msword", "ppt": "application/vnd.ms-powerpoint",
    "xls": "application/vnd.ms-excel", "rtf": "application/rtf", "odt": f"{_OPEN}text",
    "ods": f"{_OPEN}spreadsheet", "odp": f"{_OPEN}presentation", "epub": "application/epub+zip",
    "ofd": "application/ofd", "mhtml": "multipart/related", "csv": "text/csv", "tsv": "text/tab-separated-values",
    "png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "bmp": "image/bmp", "tiff": "image/tiff",
    "webp": "image/webp", "jp2": "image/jp2",
}  # fmt: skip
_SUFFIXES: dict[Kind, str] = {"markdown": ".md", "text": ".txt"}
_UNKNOWN = ("application/octet-stream", "")


def identify(data: bytes, url: str, declared: str) -> tuple[str, str]:
    """The media type of `data` and the matching suffix with its dot; an unknown type has no suffix."""
    header = declared.partition(";")[0].strip().lower()
    url_suffix = PurePosixPath(unquote(urlsplit(url).path)).suffix
    # A page that displays `plan.md` is HTML, and so is a fragment that only its header declares as HTML.
    suffix = ".html" if header in HTML_TYPES else url_suffix
    try:
        kind = sniff(data, "page", suffix)
    except DocumentError:
        return _UNKNOWN
    return _MIMES[kind], _SUFFIXES.get(kind, f".{kind}")
