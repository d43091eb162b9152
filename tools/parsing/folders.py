"""Private folders of parser processes; those that a killed program left behind are removed by the next one."""

import contextlib
import shutil
import tempfile
import time
from pathlib import Path
from typing import IO

_PREFIX = "soprag-parser-"
_LOCK = "in-use"
_FRESH = 60.0  # seconds


def make_folder() -> tuple[Path, IO[bytes]]:
    """A new folder and the open file that marks it as in use as long as this program runs."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    mark = (folder / _LOCK).open("wb")
    _lock(mark)
    return folder, mark


def sweep() -> None:
    """Remove folders whose program has ended without removing them, by `kill -9` for example."""
    for mark in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        # Folders of other users cannot be opened; those of running programs cannot be locked.
        with contextlib.suppress(OSError), mark.open("r+b") as file:
            # One that was made a moment ago may not be locked yet.
            if time.time() - mark.stat().st_mtime > _FRESH and _lock(file):
                shutil.rmtree(mark.parent, ignore_errors=True)


def _lock(file: IO[bytes]) -> bool:
    """Whether the file could be locked; the lock ends with the program, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows, where an open file cannot be removed anyway
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
