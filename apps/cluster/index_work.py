"""What a worker does for the index: read one file of a source, and compute what is written of one SOP."""

import asyncio
from pathlib import Path
from typing import Any

from soprag.apps.cluster.worker import Office, open_office
from soprag.apps.compose.index import extraction
from soprag.apps.compose.sources import Admission, FileRead, LocalReading
from soprag.tools.errors import ConfigError
from soprag.tools.retriever.index.ingest import IngestOutcome, LocalPreparer, Prepared
from soprag.tools.retriever.index.vectors import Vectoriser
from soprag.tools.search import FoundDocument
from soprag.tools.sop import Sop


def read_file(edition: str, order: str, place: tuple[str, str], file: FoundDocument, admission: Admission) -> FileRead:
    """The SOPs of one file, or why it gave none; `place` is the folder, and the ticket for progress."""
    office = open_office(edition, order)
    root, ticket = place
    if not Path(root).is_dir():
        raise ConfigError(
            f"The worker {office.worker} finds no folder {root!r}; it must be on a file system that all workers share, "
            "at the same path."
        )
    with office.opening:
        reading = office.opened.setdefault("reading", LocalReading(office.settings, office.llm))
    read: FileRead = office.do(_read(office, reading, (Path(root), ticket), file, admission))
    return read


async def _read(
    office: Office, reading: LocalReading, place: tuple[Path, str], file: FoundDocument, admission: Admission
) -> FileRead:
    telling: set[asyncio.Task[Any]] = set()

    def note(event: dict[str, Any]) -> None:
        told = asyncio.get_running_loop().create_task(office.link.call("tell", ticket=place[1], event=event))
        telling.add(told)
        told.add_done_callback(telling.discard)

    read = await reading.read(place[0], file, admission, note)
    await asyncio.gather(*telling, return_exceptions=True)
    return read


def prepare_sop(edition: str, order: str, sop: Sop, doubts: dict[str, str]) -> Prepared | IngestOutcome:
    """What the index holds of one SOP; `doubts` as of `extraction`."""
    office = open_office(edition, order)
    index = office.settings.index
    vectoriser = Vectoriser(office.embedder, index.element_vectors, index.token_bits)
    preparer = LocalPreparer(extraction(office.settings, office.llm, doubts).extract, vectoriser)
    return office.do(preparer.prepare([sop]))[0]
