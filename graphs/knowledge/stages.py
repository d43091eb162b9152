"""The stages of the knowledge builder on the collaborators of a run."""

import asyncio
from collections.abc import Sequence

from soprag.graphs.knowledge.context import KnowledgeWork
from soprag.tools.errors import ConfigError, ModelError, NothingFound, SopragError, StorageError, UsageError
from soprag.tools.knowledge import community_store
from soprag.tools.knowledge.community_store import ClusterReport
from soprag.tools.knowledge.records import PendingDocument
from soprag.tools.knowledge.report import KnowledgeReport, counted
from soprag.tools.retriever.index.ingest import IngestOutcome
from soprag.tools.tasks.knowledge import SUMMARISE_COMMUNITY

# These stop the run: the next document would only fail in the same way. What is read is in the index.
FATAL = (ConfigError, StorageError, UsageError)


def find(work: KnowledgeWork, sources: Sequence[str]) -> list[PendingDocument]:
    """The documents of the sources, or the SOPs that are new or have changed; raises `NothingFound` for a source."""
    if not sources:
        stale = work.library.stale_sops(work.reader)
        return [PendingDocument(id=id, kind="sop") for id in stale]
    by_source = {source: work.files.find(source) for source in sources}
    for source, documents in by_source.items():
        if not documents:
            raise NothingFound(f"There is no document {source!r}.")
    return list({found.id: found for documents in by_source.values() for found in documents}.values())


def find_again(work: KnowledgeWork) -> tuple[list[PendingDocument], list[IngestOutcome]]:
    """The stale SOPs and all files of the sources of the graph; documents whose files are gone are removed."""
    stored = [document for document in work.library.documents() if document.kind != "sop"]
    files = [found for source in sorted({entry.source for entry in stored}) for found in work.files.find(source)]
    gone = work.library.remove(sorted({entry.id for entry in stored} - {found.id for found in files}))
    return [*find(work, []), *files], [IngestOutcome(sop=id, title="", event="removed") for id in gone]


async def read(work: KnowledgeWork, found: PendingDocument) -> IngestOutcome:
    """One document, read and written; a document that cannot be read has failed and costs no other one its result."""
    async with work.gate:
        try:
            if found.kind == "sop":
                return await asyncio.to_thread(work.library.add_sop, work.index, found.id, work.reader)
            return await work.library.add_document(await work.files.read(found), work.reader)
        except FATAL:
            raise
        except SopragError as error:
            return IngestOutcome(sop=found.id, title=found.location, event="failed", reason=str(error))


def cluster(work: KnowledgeWork) -> tuple[ClusterReport, list[str]]:
    """The communities, brought up to date, and the digests of those that need a summary."""
    report = community_store.recluster(work.library, work.clustering)
    return report, community_store.missing_summaries(work.library)


async def summarise(work: KnowledgeWork, digest: str, *, by_model: bool) -> list[str]:
    """The summary of one community; nothing is done where it exists or its facts have changed meanwhile."""
    async with work.gate:
        if digest not in work.asks:
            work.asks.update(await asyncio.to_thread(community_store.summary_asks, work.library))
        if digest not in work.asks:
            return []
        ask, llm = work.asks[digest], work.llm if by_model else work.rules
        try:
            text = (await llm.ask(SUMMARISE_COMMUNITY, ask)).text
        except ModelError:
            text, llm = (await work.rules.ask(SUMMARISE_COMMUNITY, ask)).text, work.rules
        edition = llm.fingerprint(SUMMARISE_COMMUNITY)
        await asyncio.to_thread(community_store.keep_summary, work.library, digest, text, edition)
        return [digest]


def report(
    work: KnowledgeWork, outcomes: Sequence[IngestOutcome], clusters: ClusterReport | None, summaries: int
) -> KnowledgeReport:
    """The outcomes counted, with the size of the graph."""
    calls = 0 if work.llm.name == "rules" else work.llm.ledger.total.calls
    documents = work.library.documents()
    return KnowledgeReport(
        counts=counted(outcomes),
        failed=[outcome for outcome in outcomes if outcome.event == "failed"],
        documents=len(documents),
        facts=sum(document.facts for document in documents),
        calls=calls,
        spent=work.llm.ledger.text() if calls else "no model was asked",
        clusters=clusters,
        summaries=summaries,
    )
