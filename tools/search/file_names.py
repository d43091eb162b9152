"""File names as text that every screen, record and database takes, and back to the very bytes on disk.

A name on disk is any bytes but NUL and the slash. As text, bytes that are not UTF-8 and characters that do not print
(line breaks, tabs, marks that turn the reading direction) are percent-encoded as in a URL; all other names stay.
"""

import os
import re
import unicodedata
from pathlib import Path, PurePath

_UNPRINTED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # categories of Unicode: control, format, surrogate, line ends
_ENCODED = re.compile(rb"%([0-9A-F]{2})")
_AMBIGUOUS = re.compile(r"%(?=[0-9A-F]{2})")
_LONGEST_SUFFIX = 16


def to_location(path: PurePath) -> str:
    """The path, with slashes, as printable text; `from_location` gives it back."""
    text = _AMBIGUOUS.sub("%25", path.as_posix())
    return "".join(
        _encode(character) if unicodedata.category(character) in _UNPRINTED else character for character in text
    )


def from_location(location: str) -> Path:
    """The path that `to_location` wrote."""
    data = _ENCODED.sub(lambda match: bytes([int(match[1], 16)]), location.encode())
    return Path(os.fsdecode(data))


def suffix_of(name: str) -> str:
    """The suffix of a name with its dot, in lower case; empty when it is none that a file of ours could bear."""
    suffix = PurePath(name).suffix.lower()
    return suffix if len(suffix) <= _LONGEST_SUFFIX and suffix[1:].isalnum() else ""


def _encode(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in os.fsencode(character))
