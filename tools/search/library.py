"""The embedded library as a source: its catalogue ranked by closeness to the topic's phrases."""

import json
from dataclasses import dataclass
from importlib.resources import files

from soprag.tools.embedding import Embedder
from soprag.tools.errors import NothingFound
from soprag.tools.search import FoundDocument
from soprag.tools.sop import Frozen, Provenance

LICENCE = "Apache-2.0"


class CatalogueEntry(Frozen):
    """One line of the library's catalogue (`examples/catalogue.json`)."""

    location: str
    domain: str
    title: str
    opening: str


def catalogue() -> list[CatalogueEntry]:
    """Every document of the library."""
    text = (files("soprag.examples") / "catalogue.json").read_text(encoding="utf-8")
    return [CatalogueEntry.model_validate(entry) for entry in json.loads(text)]


@dataclass(frozen=True)
class LibrarySource:
    """Documents whose title and opening are at least `threshold` close to the topic (cosine, 0 to 1)."""

    embedder: Embedder
    threshold: float
    description: str = "the embedded library"
    searched: bool = True

    def find(self, phrases: list[str]) -> list[FoundDocument]:
        """On-topic documents, best first."""
        entries = catalogue()
        ranked = sorted(zip(self._scores(phrases, entries), entries, strict=True), key=lambda pair: -pair[0])
        documents = [self._found(entry, score) for score, entry in ranked if score >= self.threshold]
        if not documents:
            raise NothingFound(self._explain(phrases[0], *ranked[0]))
        return documents

    def read(self, candidate: FoundDocument) -> bytes:
        """The document's bytes."""
        return (files("soprag.examples") / "library" / candidate.provenance.location).read_bytes()

    def _scores(self, phrases: list[str], entries: list[CatalogueEntry]) -> list[float]:
        # A document is as close as the mean of the whole topic and its best phrase: one stray phrase brings nothing in.
        texts = [f"{entry.domain.replace('-', ' ')}: {entry.title}. {entry.opening}" for entry in entries]
        close = self.embedder.embed(texts) @ self.embedder.embed(phrases).T
        return [float(score) for score in (close[:, 0] + close.max(axis=1)) / 2]

    def _found(self, entry: CatalogueEntry, score: float) -> FoundDocument:
        name = entry.location.rpartition("/")[2]
        provenance = Provenance(origin="library", location=entry.location, licence=LICENCE, score=round(score, 3))
        return FoundDocument(name, provenance)

    def _explain(self, topic: str, score: float, nearest: CatalogueEntry) -> str:
        return (
            f"No document of {self.description} is on the topic {topic!r}: the nearest, {nearest.title!r}, has "
            f"{score:.2f} and collect.threshold is {self.threshold:.2f}. Try another topic, or your own files with "
            "--source."
        )
