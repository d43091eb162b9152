"""Bytes that are text already: which encoding, and nothing in it that a terminal or a model could trip over."""

import codecs
from dataclasses import dataclass

from soprag.tools.text.sanitize import sanitize

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BINARY = bytes(set(range(0x20)) - {0x09, 0x0A, 0x0C, 0x0D, 0x1B})


@dataclass(frozen=True)
class DecodedText:
    """Decoded text and what had to be assumed or removed."""

    content: str
    warnings: tuple[str, ...] = ()


def is_text(data: bytes) -> bool:
    """Whether these bytes can be text: a byte-order mark, UTF-16 by its zero bytes, or hardly any control byte."""
    if data.startswith(tuple(mark for mark, _ in _BOMS)) or _utf16(data):
        return True
    sample = data[:65536]
    return len(sample.translate(None, _BINARY)) >= 0.998 * len(sample)


def decode(data: bytes) -> DecodedText:
    """The text of `data` with its line ends unified and control and hidden characters removed."""
    content, warnings = _decode(data)
    content = content.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n")
    clean = sanitize(content)
    if removed := len(content) - len(clean) - content.startswith("\ufeff"):
        warnings += (f"{removed} control or hidden characters were removed",)
    return DecodedText(clean, warnings)


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace"), ()
    if encoding := _utf16(data):
        return data.decode(encoding, errors="replace"), (f"read as {encoding} without a byte-order mark",)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        encoding = _guess(data)
        return data.decode(encoding, errors="replace"), (f"not UTF-8; read as {encoding}",)


def _utf16(data: bytes) -> str:
    """Mostly Latin text in UTF-16 has a zero in every second byte."""
    sample = data[:4096]
    half = max(len(sample) // 2, 1)
    if len(sample) >= 4 and sample[1::2].count(0) > 0.4 * half and sample[::2].count(0) < 0.1 * half:
        return "utf-16-le"
    if len(sample) >= 4 and sample[::2].count(0) > 0.4 * half and sample[1::2].count(0) < 0.1 * half:
        return "utf-16-be"
    return ""


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:262_144]).best()
    if best is not None and best.encoding != "utf_8":
        return best.encoding
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"
