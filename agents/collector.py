"""The Collector: a topic becomes search phrases, and these become raw documents with their provenance."""

from dataclasses import dataclass

from soprag.agents.collecting.web_source import CollectionSummary, Note, WebSource
from soprag.tools.llm import Llm
from soprag.tools.search import DocumentSource, FoundDocument
from soprag.tools.search.file_names import suffix_of
from soprag.tools.sop import Document, digest
from soprag.tools.tasks import benchmark as tasks


@dataclass(frozen=True)
class Collector:
    """Finds documents on a topic in one source (paper section 4.1)."""

    llm: Llm
    source: DocumentSource | WebSource
    limit: int

    @property
    def includes(self) -> bool:
        """Whether the user asked for documents that an earlier collection had left out."""
        return isinstance(self.source, WebSource) and bool(self.source.include)

    async def phrases(self, topic: str) -> list[str]:
        """Search phrases for the topic, itself first; none for a source that is taken whole."""
        assert not isinstance(self.source, WebSource)
        if not self.source.searched:
            return []
        answer = await self.llm.ask(tasks.KEYWORDS, tasks.TopicAsk(topic=topic))
        return list(dict.fromkeys([topic, *answer.phrases]))

    def find(self, phrases: list[str]) -> list[FoundDocument]:
        """At most `limit` documents of a folder or the library, best first; raises `NothingFound`."""
        assert not isinstance(self.source, WebSource)
        return self.source.find(phrases)[: self.limit]

    async def gather(self, topic: str, note: Note) -> tuple[list[FoundDocument], CollectionSummary] | None:
        """Documents from the web, and what came of looking for them; none when the source is not the web."""
        return await self.source.gather(topic, note) if isinstance(self.source, WebSource) else None

    def read(self, listing: FoundDocument) -> tuple[Document, bytes]:
        """The document and its bytes; raises `DocumentError` when it cannot be read."""
        data = self.source.read(listing)
        suffix = suffix_of(listing.name)
        document = Document(
            id=digest(data), name=listing.name, suffix=suffix, size=len(data), provenance=listing.provenance
        )
        return document, data
