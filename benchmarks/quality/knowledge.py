"""What the knowledge graph of an index answers: unanswerable questions, and time per question."""

import time

from soprag.benchmarks.quality.multihop import HopRow, render
from soprag.benchmarks.quality.unanswerable import UNANSWERABLE
from soprag.tools.knowledge.asking import ask
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.sop import Frozen


class KnowledgeFigures(Frozen):
    """Figures of one graph; `answered` are the unanswerable questions that got a path all the same."""

    documents: int
    facts: int
    unanswerable: int
    answered: tuple[str, ...]
    milliseconds: float
    retrieval: tuple[HopRow, ...] = ()

    def text(self) -> str:
        """A few lines for a person."""
        silent = self.unanswerable - len(self.answered)
        lines = [
            f"{self.documents} documents, {self.facts} facts",
            f"unanswerable questions: {silent} of {self.unanswerable} get no path "
            f"({self.milliseconds:.1f} ms of processor each)",
            *(f"  answered: {question}" for question in self.answered),
        ]
        return "\n".join([*lines, *(render(list(self.retrieval)) if self.retrieval else [])])


def measure_index(library: KnowledgeLibrary) -> KnowledgeFigures:
    """Ask the questions that the example library cannot answer."""
    questions = UNANSWERABLE
    library.snapshot()
    began = time.process_time()
    answered = [question for question in questions if any(reply.answered for reply in ask(library, question))]
    spent = (time.process_time() - began) * 1000 / len(questions)
    documents = library.documents()
    return KnowledgeFigures(
        documents=len(documents),
        facts=sum(document.facts for document in documents),
        unanswerable=len(questions),
        answered=tuple(answered),
        milliseconds=spent,
    )
