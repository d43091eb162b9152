"""The Collector: a topic becomes search phrases, and these become raw documents with their provenance."""

from dataclasses import dataclass
from pathlib import PurePath

from tools.llm import Llm
from tools.llm.tasks import benchmark as tasks
from tools.search import Found, Source
from tools.sop import Document, digest


@dataclass(frozen=True)
class Collector:
    """Finds documents on a topic in one source (paper section 4.1)."""

    llm: Llm
    source: Source
    limit: int

    async def phrases(self, topic: str) -> list[str]:
        """Search phrases for the topic; the topic itself comes first."""
        answer = await self.llm.ask(tasks.KEYWORDS, tasks.TopicAsk(topic=topic))
        return list(dict.fromkeys([topic, *answer.phrases]))

    def find(self, phrases: list[str]) -> list[Found]:
        """At most `limit` documents, best first; raises `NothingFound`."""
        return self.source.find(phrases)[: self.limit]

    def read(self, found: Found) -> tuple[Document, bytes]:
        """The document and its bytes; raises `DocumentError` when it cannot be read."""
        data = self.source.read(found)
        suffix = PurePath(found.name).suffix.lower()
        document = Document(
            id=digest(data), name=found.name, suffix=suffix, size=len(data), provenance=found.provenance
        )
        return document, data
