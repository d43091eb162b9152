"""A local folder as a source: every visible file in it, whatever the topic."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from tools.errors import DocumentError, NothingFound, StorageError, UsageError
from tools.search import Found
from tools.sop import Provenance


@dataclass(frozen=True)
class FolderSource:
    """All files below `folder`, in alphabetical order; hidden ones are left out."""

    folder: Path
    max_bytes: int
    description: str = field(init=False)
    searched: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "description", f"the folder {str(self.folder)!r}")
        if not self.folder.is_dir():
            raise UsageError(f"There is no folder {str(self.folder)!r}; give an existing one with --source.")

    def find(self, phrases: list[str]) -> list[Found]:
        """Every visible file; the person who named the folder has chosen the topic already."""
        found = [self._found(path) for path in self._paths()]
        if not found:
            raise NothingFound(f"The folder {str(self.folder)!r} holds no file; put documents there or name another.")
        return found

    def read(self, found: Found) -> bytes:
        """The file's bytes, if it is a readable file of at most `max_bytes`."""
        path = self.folder / found.provenance.location
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) and not path.is_dir():
                raise DocumentError(f"{found.provenance.location!r} is no ordinary file; it is left out.")
            if status.st_size > self.max_bytes:
                raise DocumentError(
                    f"{found.name!r} has {status.st_size:,} bytes; the limit collect.max_bytes is {self.max_bytes:,}."
                )
            return path.read_bytes()
        except OSError as fault:
            raise DocumentError(f"Cannot read {found.provenance.location!r}: {fault.strerror}.") from fault

    def _paths(self) -> list[Path]:
        """Visible files, and the folders below that cannot be listed: reading those fails, and is reported, later."""
        paths: list[Path] = []

        def blocked(fault: OSError) -> None:
            paths.append(self._blocked(fault))

        for folder, folders, names in os.walk(self.folder, onerror=blocked):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            paths += [Path(folder) / name for name in sorted(names) if not name.startswith(".")]
        return paths

    def _blocked(self, fault: OSError) -> Path:
        if Path(fault.filename) == self.folder:
            raise StorageError(f"Cannot list {fault.filename!r}: {fault.strerror}; check its permissions.") from fault
        return Path(fault.filename)

    def _found(self, path: Path) -> Found:
        return Found(path.name, Provenance(origin="folder", location=path.relative_to(self.folder).as_posix()))
