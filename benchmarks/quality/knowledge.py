"""What the knowledge graph of an index answers: questions from its facts, unanswerable questions, time per question."""

import time
from collections.abc import Iterator
from statistics import fmean
from typing import get_args

from soprag.benchmarks.quality.multihop import HopRow, render
from soprag.benchmarks.quality.unanswerable import UNANSWERABLE
from soprag.tools.evaluation.text_overlap import bleu, exact_match, rouge_l
from soprag.tools.knowledge.asking import ask
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.lookup import all_facts
from soprag.tools.knowledge.odqa import Category, OdqaItem, odqa
from soprag.tools.sop import Frozen

_SAMPLE = 20  # questions of a category


class OdqaRow(Frozen):
    """One category: share answered, share whose gold line is quoted, overlap of the first quote with it."""

    category: str
    questions: int
    answered: float
    quoted: float
    bleu: float
    rouge_l: float
    exact: float


class KnowledgeFigures(Frozen):
    """Figures of one graph; `answered` are the unanswerable questions that got a path all the same."""

    documents: int
    facts: int
    unanswerable: int
    answered: tuple[str, ...]
    milliseconds: float
    odqa: tuple[OdqaRow, ...] = ()
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
        lines += [
            f"{row.category:12} n {row.questions:3}  answered {row.answered:.2f}  gold line quoted {row.quoted:.2f}  "
            f"BLEU {row.bleu:5.1f}  ROUGE-L {row.rouge_l:.3f}  EM {row.exact:.2f}"
            for row in self.odqa
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
        odqa=tuple(_odqa_rows(library)),
    )


def _odqa_rows(library: KnowledgeLibrary) -> Iterator[OdqaRow]:
    """At most `_SAMPLE` questions of each category, evenly spread over the facts."""
    with library.database.reading() as db:
        items = odqa([fact for fact, _, _ in all_facts(db)])
    for category in get_args(Category):
        every = [item for item in items if item.category == category]
        sample = every[:: max(1, len(every) // _SAMPLE)][:_SAMPLE]
        if sample:
            yield _row(category, sample, [_answer(library, item) for item in sample])


def _answer(library: KnowledgeLibrary, item: OdqaItem) -> list[str]:
    return [line.quote for reply in ask(library, item.question) for path in reply.paths for line in path.lines]


def _row(category: str, sample: list[OdqaItem], answers: list[list[str]]) -> OdqaRow:
    first = [quotes[0] if quotes else "" for quotes in answers]
    gold = [item.path[0].replace("\n", " ") for item in sample]
    pairs = zip(sample, answers, strict=True)
    return OdqaRow(
        category=category,
        questions=len(sample),
        answered=fmean(float(bool(quotes)) for quotes in answers),
        quoted=fmean(float(any(quote in line for line in item.path for quote in quotes)) for item, quotes in pairs),
        bleu=bleu(first, gold),
        rouge_l=rouge_l(first, gold),
        exact=exact_match(first, gold),
    )
