"""The runner of `soprag index` that reads files and prepares SOPs on Dask workers; the index is written here."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from soprag.apps.cluster.index_work import prepare_sop, read_file
from soprag.apps.cluster.workforce import Workforce, open_workforce
from soprag.apps.compose import services
from soprag.apps.compose.ingest import IndexRunner, LocalIndexRunner
from soprag.apps.compose.sources import Admission, FileRead, Note
from soprag.configs.settings import Settings
from soprag.tools.embedding import Embedder
from soprag.tools.errors import DocumentError
from soprag.tools.llm import Llm
from soprag.tools.retriever.index.ingest import IngestOutcome, Prepared, SopPreparer, outcome_of
from soprag.tools.retriever.index.loaders import Unread
from soprag.tools.search import FoundDocument
from soprag.tools.sop import Sop


@dataclass(frozen=True)
class DaskIndexRunner:
    """Sends files and SOPs to workers; `llm` is the model of this process, which the workers ask by its desk."""

    workforce: Workforce
    llm: Llm

    async def read(self, root: Path, file: FoundDocument, admission: Admission, note: Note) -> FileRead:
        """The SOPs of one file, read by a worker."""
        location, ticket = file.provenance.location, uuid.uuid4().hex
        listeners = self.workforce.desk.listeners
        listeners[ticket] = note
        try:
            return await self.workforce.run(location, read_file, (str(root), ticket), file, admission)
        except DocumentError as error:
            return FileRead(unread=Unread(location, str(error)))
        finally:
            del listeners[ticket]

    def preparer(self, doubts: Mapping[str, str]) -> SopPreparer:
        """What prepares SOPs on the workers."""
        return DaskPreparer(self.workforce, dict(doubts))


@dataclass(frozen=True)
class DaskPreparer:
    """Prepares each SOP on a worker."""

    workforce: Workforce
    doubts: dict[str, str] = field(default_factory=dict)

    async def prepare(self, sops: list[Sop]) -> list[Prepared | IngestOutcome]:
        """Each SOP prepared, or its outcome where it failed or is left out."""
        return list(await asyncio.gather(*(self._prepare(sop) for sop in sops)))

    async def _prepare(self, sop: Sop) -> Prepared | IngestOutcome:
        doubts = {sop.id: self.doubts[sop.id]} if sop.id in self.doubts else {}
        try:
            return await self.workforce.run(sop.id, prepare_sop, sop, doubts)
        except DocumentError as error:
            return outcome_of(sop, "failed", str(error))


@asynccontextmanager
async def open_index_runner(settings: Settings, embedder: Embedder, note: Note) -> AsyncIterator[IndexRunner]:
    """The runner that `settings.cluster` asks for; `note` hears of workers that come and go."""
    llm = services.open_llm(settings)
    if not settings.cluster.used:
        yield LocalIndexRunner(settings, llm)
        return
    async with open_workforce(settings, settings.cluster, (llm, embedder), note) as workforce:
        yield DaskIndexRunner(workforce, llm)
