"""Reads the SOPs of a source: benchmark and run folders and text files directly, other formats via the parser."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from soprag.apps.compose.services import open_auditor, open_rules
from soprag.apps.compose.settings import cache_folder
from soprag.configs.settings import Settings
from soprag.tools.errors import NoProcedure, SopragError
from soprag.tools.retriever.index import loaders
from soprag.tools.retriever.index.loaders import Unread
from soprag.tools.search import FoundDocument
from soprag.tools.search.file_names import suffix_of, to_location
from soprag.tools.search.folder import FolderSource
from soprag.tools.sop import Document, Provenance, Sop, digest

if TYPE_CHECKING:
    from soprag.agents.archivist import Archivist
    from soprag.agents.auditor import AuditedText, Auditor
    from soprag.tools.llm import Llm

_log = logging.getLogger(__name__)
_AT_ONCE = 4  # documents being parsed

Note = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Read:
    """The SOPs of a source, the files that gave none, and of SOPs in doubt, by id, what the rules go by."""

    sops: list[Sop]
    unread: list[Unread]
    doubts: dict[str, str] = field(default_factory=dict)

    def spares(self, id: str) -> bool:
        """Whether an SOP that is not among `sops` may be there still: its file could not be read this time."""
        return any(
            id == (stem := loaders.stem_of(unread.location)) or id.startswith(f"{stem}#") for unread in self.unread
        )


@dataclass(frozen=True)
class Admission:
    """Which files are SOPs whatever the Auditor finds: all with `keep`, and those of ids that are `indexed`.

    With `judged_later` a file of which the rules are not sure is let in as doubtful: the model that reads it says
    whether it is an SOP, in the same request.
    """

    keep: bool = False
    indexed: frozenset[str] = frozenset()
    judged_later: bool = False

    def trusts(self, location: str) -> bool:
        """Whether the file needs no verdict."""
        return self.keep or loaders.stem_of(location) in self.indexed


@dataclass(frozen=True)
class FileRead:
    """The SOPs of one file; `doubts` as of `Read`. A file that gave none has its reason in `unread`."""

    sops: list[Sop] = field(default_factory=list)
    doubts: dict[str, str] = field(default_factory=dict)
    unread: Unread | None = None


class FileReading(Protocol):
    """Reads one file of the folder `root`, in this process or elsewhere."""

    async def read(self, root: Path, file: FoundDocument, admission: Admission, note: Note) -> FileRead:
        """Its SOPs, or why it gave none; `note` takes events of progress. Raises what every file would fail by."""
        ...


async def read_source(source: Path, reading: FileReading, note: Note, admission: Admission | None = None) -> Read:
    """Read everything by `reading`; a file that cannot be used costs the others nothing.

    A file that the rules of the Auditor find to be no SOP is left out, unless `admission` lets it in; a text file is
    not cut. `note` takes events of progress.
    """
    kind = loaders.kind_of(source)
    if kind != "folder":
        return Read(loaders.read_benchmark(source) if kind == "benchmark" else loaders.read_run(source), [])
    root = (source if source.is_dir() else source.parent).absolute()
    files = FolderSource(root, max_bytes=0).find([])  # only their names
    if source.is_file():
        files = [file for file in files if file.provenance.location == to_location(Path(source.name))]
    note({"stage": "read", "total": len(files)})

    async def read(file: FoundDocument) -> FileRead:
        part = await reading.read(root, file, admission or Admission(), note)
        outcome = "left out" if part.unread else "read"
        note({"stage": "read", "item": file.provenance.location, "outcome": outcome})
        return part

    parts = await asyncio.gather(*(read(file) for file in files))
    doubts = {id: reason for part in parts for id, reason in part.doubts.items()}
    return Read([sop for part in parts for sop in part.sops], [part.unread for part in parts if part.unread], doubts)


class LocalReading:
    """Reads files in this process, a few at once; formats that need it in parser processes."""

    def __init__(self, settings: Settings, llm: "Llm") -> None:
        from soprag.agents.archivist import Archivist

        self._most = settings.collect.max_bytes
        self._archivist = Archivist(settings.parsing, cache_folder(settings), llm)
        self._auditor = open_auditor(settings, open_rules(settings))
        self._gate = asyncio.Semaphore(_AT_ONCE)

    async def read(self, root: Path, file: FoundDocument, admission: Admission, note: Note) -> FileRead:
        """The SOPs of one file, or why it gave none."""
        location = file.provenance.location
        files = FolderSource(root, self._most)
        async with self._gate:
            try:
                return await _Reading(files, self._archivist, self._auditor, note, admission).read(file, location)
            except Exception as error:  # noqa: BLE001 - one file must not cost the others their place in the index
                if not isinstance(error, SopragError):
                    _log.exception("Reading %r crashed", location)
                return FileRead(unread=Unread(location, str(error) or repr(error)))


@dataclass(frozen=True)
class _Reading:
    files: FolderSource
    archivist: "Archivist"
    auditor: "Auditor"
    note: Note
    admission: Admission

    async def read(self, file: FoundDocument, location: str) -> FileRead:
        if Path(location).suffix.lower() in loaders.TEXT:
            data = await asyncio.to_thread(self.files.read, file)
            sop = loaders.read_text(data, location, self.archivist.settings.max_characters)
            if not self.admission.trusts(location):
                audit = await self.auditor.audit(_document(data, file.name, location), sop.text)
                return self._admitted(location, [sop], audit)
            return FileRead([sop])

        def tell(standing: str) -> None:
            self.note({"stage": "read", "item": location, "standing": standing})

        data = self.files.read(file)
        markdown = (await self.archivist.parse(data, file.name, tell)).markdown
        audit = await self.auditor.audit(_document(data, file.name, location), markdown)
        most = self.archivist.settings.max_characters
        sops = loaders.named(list(audit.sops) or [loaders.read_text(markdown.encode(), location, most)], location)
        return self._admitted(location, sops, audit)

    def _admitted(self, location: str, sops: list[Sop], audit: "AuditedText") -> FileRead:
        """The SOPs of a file, in doubt where a model judges later; raises `NoProcedure` for a file that is none."""
        if self.admission.trusts(location):
            return FileRead(sops)
        if self.admission.judged_later and audit.doubtful:
            return FileRead(sops, {sop.id: audit.verdict.reason for sop in sops})
        if not audit.verdict.is_sop:
            raise NoProcedure(f"{location!r} is no SOP: {audit.verdict.reason}")
        return FileRead(sops)


def _document(data: bytes, name: str, location: str) -> Document:
    provenance = Provenance(origin="folder", location=location)
    return Document(id=digest(data), name=name, suffix=suffix_of(name), size=len(data), provenance=provenance)
