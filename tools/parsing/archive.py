"""What an Office file, an e-book or another archive of parts may unpack to, checked before anything is unpacked."""

import re
import struct
import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import DocumentError

_XML = re.compile(r"\.(xml|rels|xhtml|html|htm|opf|ncx)$", re.IGNORECASE)
_SMALL_PART = 1_000_000
_ENCRYPTED_BIT = 1
_LOCAL_HEADER = 30
_CHUNK = 1 << 20
# Part names that carry code; `vbaProject.bin` is refused earlier, by the kind of the file.
_CODE = re.compile(r"(^|/)(Basic|Scripts)/.+\.(xml|bas|py|js)$", re.IGNORECASE)


def check_archive(data: bytes, name: str, settings: ParsingSettings) -> None:
    """Raise `DocumentError` when the parts are encrypted, too many or too large for what they claim to be."""
    with ZipFile(BytesIO(data)) as archive:
        parts = archive.infolist()
        if any(part.flag_bits & _ENCRYPTED_BIT for part in parts) or _encrypted_opendocument(archive):
            raise DocumentError(f"{name!r} is encrypted; save it without a password.")
    objection = _count(parts, settings) or next(
        (objection for part in parts if (objection := _part(part, settings))), ""
    )
    objection = objection or next((objection for part in parts if (objection := _measure(data, part))), "")
    if objection:
        raise DocumentError(f"{name!r} is not opened: {objection}.")


def _count(parts: list[ZipInfo], settings: ParsingSettings) -> str:
    if len(parts) > settings.max_members:
        return f"it has {len(parts):,} parts and parsing.max_members is {settings.max_members:,}"
    unpacked = sum(part.file_size for part in parts)
    if unpacked > settings.max_unpacked:
        return f"it unpacks to {unpacked:,} bytes and parsing.max_unpacked is {settings.max_unpacked:,}"
    return ""


def _part(part: ZipInfo, settings: ParsingSettings) -> str:
    if _CODE.search(part.filename) and not part.filename.endswith(("script-lc.xml", "script-lb.xml")):
        return f"it contains macros ({part.filename!r}); save it without them"
    if not _XML.search(part.filename):
        return ""
    if part.file_size > settings.max_part:
        return f"its part {part.filename!r} has {part.file_size:,} bytes and parsing.max_part is {settings.max_part:,}"
    if part.file_size > _SMALL_PART and part.file_size > settings.max_ratio * max(part.compress_size, 1):
        return f"its part {part.filename!r} is packed more than {settings.max_ratio} to 1 (parsing.max_ratio)"
    return ""


def _measure(data: bytes, part: ZipInfo) -> str:
    """Unpack without keeping anything: what a part claims to hold and what comes out of it may differ."""
    if part.compress_type == ZIP_STORED:
        return ""
    if part.compress_type != ZIP_DEFLATED:
        return f"its part {part.filename!r} is packed in an unusual way; save it again"
    lengths = data[part.header_offset + _LOCAL_HEADER - 4 : part.header_offset + _LOCAL_HEADER]
    if len(lengths) < 4:
        return f"its part {part.filename!r} is not where its index says"
    start = part.header_offset + _LOCAL_HEADER + sum(struct.unpack("<HH", lengths))
    stream, waiting, size = zlib.decompressobj(-zlib.MAX_WBITS), data[start : start + part.compress_size], 0
    try:
        while waiting and not stream.eof:
            size += len(stream.decompress(waiting, _CHUNK))
            if size > part.file_size:
                return f"its part {part.filename!r} holds more than the {part.file_size:,} bytes it claims"
            waiting = stream.unconsumed_tail
    except zlib.error as error:
        return f"its part {part.filename!r} is damaged ({error})"
    return ""


def _encrypted_opendocument(archive: ZipFile) -> bool:
    if "META-INF/manifest.xml" not in archive.namelist():
        return False
    with archive.open("META-INF/manifest.xml") as part:
        return b"encryption-data" in part.read(1_000_000)
