"""A local folder as a source: every visible file in it, whatever the topic."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from soprag.tools.errors import DocumentError, NothingFound, StorageError, UsageError
from soprag.tools.search import FoundDocument
from soprag.tools.search.file_names import from_location, to_location
from soprag.tools.sop import Provenance

RUN = "run.json"  # marks a run folder of ours
_RECORDS = frozenset({RUN, "manifest.json"})  # lists of files, written by programs: never a procedure


@dataclass(frozen=True)
class FolderSource:
    """All files below `folder`, in alphabetical order.

    Hidden files, run folders of `soprag build` and manifests are left out. A symbolic link that leads out of the folder
    is found, so that the report names it, but never read.
    """

    folder: Path
    max_bytes: int
    description: str = field(init=False)
    searched: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "description", f"the folder {str(self.folder)!r}")
        if not self.folder.is_dir():
            raise UsageError(f"There is no folder {str(self.folder)!r}; give an existing one with --source.")

    def find(self, phrases: list[str]) -> list[FoundDocument]:
        """Every visible file; the person who named the folder has chosen the topic already."""
        candidates = [self._candidate(path) for path in self._paths()]
        if not candidates:
            raise NothingFound(f"The folder {str(self.folder)!r} holds no file; put documents there or name another.")
        return candidates

    def read(self, candidate: FoundDocument) -> bytes:
        """The file's bytes; raises `DocumentError` for links out of the folder, pipes, and more than `max_bytes`."""
        location = candidate.provenance.location
        path = self.folder / from_location(location)
        try:
            target = _resolved(path, location)
            if not target.is_relative_to(self.folder.resolve()):
                raise DocumentError(f"{location!r} is a symbolic link out of the source folder; it is not followed.")
            status = target.stat()
            if not stat.S_ISREG(status.st_mode) and not target.is_dir():
                raise DocumentError(f"{location!r} is no ordinary file; it is left out.")
            if status.st_size > self.max_bytes:
                raise DocumentError(
                    f"{candidate.name!r} has {status.st_size:,} bytes; "
                    f"the limit collect.max_bytes is {self.max_bytes:,}."
                )
            return target.read_bytes()
        except OSError as error:
            raise DocumentError(f"Cannot read {location!r}: {error.strerror}.") from error

    def _paths(self) -> list[Path]:
        """Visible files, and the folders below that cannot be listed: reading those fails, and is reported, later."""
        paths: list[Path] = []

        def blocked(error: OSError) -> None:
            paths.append(self._blocked(error))

        for folder, folders, names in os.walk(self.folder, onerror=blocked):
            below = [Path(folder) / name for name in sorted(folders) if not name.startswith(".")]
            folders[:] = [path.name for path in below if not (path.is_symlink() or (path / RUN).is_file())]
            paths += self._links_out(below)
            paths += [
                Path(folder) / name for name in sorted(names) if not name.startswith(".") and name not in _RECORDS
            ]
        return paths

    def _links_out(self, folders: list[Path]) -> Iterator[Path]:
        """Links to folders elsewhere; what a link within the source leads to is found where it is."""
        root = self.folder.resolve()
        return (path for path in folders if path.is_symlink() and not path.resolve().is_relative_to(root))

    def _blocked(self, error: OSError) -> Path:
        if Path(error.filename) == self.folder:
            raise StorageError(f"Cannot list {error.filename!r}: {error.strerror}; check its permissions.") from error
        return Path(error.filename)

    def _candidate(self, path: Path) -> FoundDocument:
        location = to_location(path.relative_to(self.folder))
        return FoundDocument(location.rpartition("/")[2], Provenance(origin="folder", location=location))


def _resolved(path: Path, location: str) -> Path:
    try:
        return path.resolve(strict=True)
    except RuntimeError as error:  # how Python 3.11 and 3.12 report a loop of links
        raise DocumentError(f"Cannot read {location!r}: it is a loop of symbolic links.") from error
