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
        candidates = [self._found(path) for path in self._paths()]
        if not candidates:
            raise NothingFound(f"The folder {str(self.folder)!r} holds no file; put documents there or name another.")
        return candidates

    def read(self, candidate: Found) -> bytes:
        """The file's bytes, if it is a readable file of at most `max_bytes`."""
        path = self.folder / candidate.provenance.location
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) and not path.is_dir():
                raise DocumentError(f"{candidate.provenance.location!r} is no ordinary file; it is left out.")
            if status.st_size > self.max_bytes:
                raise DocumentError(
                    f"{candidate.name!r} has {status.st_size:,} bytes; "
                    f"the limit collect.max_bytes is {self.max_bytes:,}."
                )
            return path.read_bytes()
        except OSError as error:
            raise DocumentError(f"Cannot read {candidate.provenance.location!r}: {error.strerror}.") from error

    def _paths(self) -> list[Path]:
        """Visible files, and the folders below that cannot be listed: reading those fails, and is reported, later."""
        paths: list[Path] = []

        def blocked(error: OSError) -> None:
            paths.append(self._blocked(error))

        for folder, folders, names in os.walk(self.folder, onerror=blocked):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            paths += [Path(folder) / name for name in sorted(names) if not name.startswith(".")]
        return paths

    def _blocked(self, error: OSError) -> Path:
        if Path(error.filename) == self.folder:
            raise StorageError(f"Cannot list {error.filename!r}: {error.strerror}; check its permissions.") from error
        return Path(error.filename)

    def _found(self, path: Path) -> Found:
        return Found(path.name, Provenance(origin="folder", location=path.relative_to(self.folder).as_posix()))
