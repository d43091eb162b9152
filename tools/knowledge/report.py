"""What a run of the knowledge builder did: counts of documents, failures, calls and communities."""

from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from soprag.tools.knowledge.community_store import ClusterReport
from soprag.tools.retriever.index.ingest import IngestOutcome
from soprag.tools.sop import Frozen


class KnowledgeReport(Frozen):
    """What became of documents, what this process asked of a model, and the size of the graph."""

    counts: dict[str, int]
    failed: list[IngestOutcome]
    documents: int
    facts: int
    calls: int
    spent: str
    clusters: ClusterReport | None = None
    summaries: int = Field(default=0, description="summaries that were made")

    def text(self) -> str:
        """A few lines for a person."""
        counts = ", ".join(f"{count} {event}" for event, count in sorted(self.counts.items())) or "nothing to do"
        lines = [f"{counts}; {self.documents} documents with {self.facts} facts; {self.spent}"]
        lines += [f"  FAILED    {outcome.sop}: {outcome.reason}" for outcome in self.failed]
        return "\n".join([*lines, *([f"{self.clusters.text()}; {self.summaries} made"] if self.clusters else [])])


def counted(outcomes: Sequence[IngestOutcome]) -> dict[str, int]:
    """How many documents were added, updated, unchanged, removed and failed."""
    return dict(Counter(outcome.event for outcome in outcomes))
