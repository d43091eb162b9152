"""Drafts in the folder of a session: named by what is in them, so that doing it twice leaves one file."""

from pathlib import Path

from tools.runs import write_whole
from tools.sop import digest


def keep(folder: Path, kind: str, suffix: str, data: bytes) -> Path:
    """Write a draft whole or not at all; the same contents go to the same file."""
    file = folder / f"{kind}-{digest(data)[:12]}{suffix}"
    if not file.is_file() or file.read_bytes() != data:
        write_whole(file, data)
    return file
