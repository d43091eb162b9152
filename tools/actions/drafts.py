"""Drafts in the folder of a session, named by the hash of their contents, so that a repetition leaves one file."""

from pathlib import Path

from soprag.tools.sop import digest
from soprag.tools.store.run_folder import write_whole


def keep(folder: Path, kind: str, suffix: str, data: bytes) -> Path:
    """Write the draft atomically and return its path; the same contents always get the same path."""
    file = folder / f"{kind}-{digest(data)[:12]}{suffix}"
    if not file.is_file() or file.read_bytes() != data:
        write_whole(file, data)
    return file
