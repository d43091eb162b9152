"""What `soprag knowledge` prints: outcomes, documents, a name with its facts, answers, communities."""

from collections import Counter

from soprag.tools.knowledge.asking import KnowledgeReply
from soprag.tools.knowledge.community_store import CommunityPage
from soprag.tools.knowledge.library import ListedDocument
from soprag.tools.knowledge.records import QuotedFact
from soprag.tools.sop import Frozen


class RemovedDocuments(Frozen):
    """The ids of documents that were removed."""

    removed: list[str]

    def text(self) -> str:
        """One line."""
        return f"{len(self.removed)} removed: {', '.join(self.removed)}"


class DryRun(Frozen):
    """What adding would ask of a model; `price` in US dollars, None where no price is set."""

    documents: int
    calls: int
    tokens: int
    price: float | None

    def text(self) -> str:
        """One line."""
        price = "price not known" if self.price is None else f"about ${self.price:.2f}"
        cost = f"about {self.tokens:,} tokens in, {price}" if self.calls else "no cost"
        return f"{self.documents} documents would be read with {self.calls} model calls, {cost}; nothing was written"


class DocumentList(Frozen):
    """The documents of the graph."""

    documents: list[ListedDocument]

    def text(self) -> str:
        """A line per document, and the sums."""
        rows = [
            f"{document.id}  {document.kind}  {document.chunks} chunks  {document.facts} facts  {document.title}"
            for document in self.documents
        ]
        kinds = Counter(document.kind for document in self.documents)
        sums = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none"
        facts = sum(document.facts for document in self.documents)
        return "\n".join([*rows, f"{len(rows)} documents ({sums}), {facts} facts"])


class GraphCheck(Frozen):
    """A graph without faults."""

    documents: int
    facts: int

    def text(self) -> str:
        """One line."""
        return f"{self.documents} documents, {self.facts} facts, every one quoted; nothing wrong"


class NamePage(Frozen):
    """A name with what it is also called, its facts, and the lines that name it."""

    name: str
    aliases: list[str]
    facts: list[QuotedFact]
    lines: list[str]

    def text(self) -> str:
        """A page for a person."""
        also = f"  also: {', '.join(self.aliases)}" if self.aliases else ""
        facts = [
            f"  {fact.subject.text} — {fact.relation} → {fact.object.text}\n    {fact.text()}" for fact in self.facts
        ]
        return "\n".join([self.name, *filter(None, [also]), *facts, "named on", *(f"  {line}" for line in self.lines)])


class RepliesPage(Frozen):
    """The answers to the parts of a question."""

    replies: list[KnowledgeReply]

    def text(self) -> str:
        """The answers; with the part of the question where there are several."""
        if len(self.replies) == 1:
            return self.replies[0].text()
        return "\n\n".join(f"{reply.question}\n{reply.text()}" for reply in self.replies)


class CommunityList(Frozen):
    """The communities of at least three names."""

    communities: list[CommunityPage]

    def text(self) -> str:
        """Each with its names and its summary."""
        rows = [
            f"{'  ' * page.level}{page.id}  {len(page.names)} names: {', '.join(page.names)[:160]}\n"
            f"{'  ' * page.level}  {page.summary[:400]}"
            for page in self.communities
        ]
        return "\n".join([*rows, f"{len(rows)} communities"])


class ExportedGraph(Frozen):
    """A written file and its size in characters."""

    file: str
    size: int

    def text(self) -> str:
        """One line."""
        return f"{self.file}: {self.size:,} characters"
