"""What the knowledge graph of an index answers: questions from its facts, unanswerable questions, time per question."""

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import get_args

from soprag.benchmarks.quality.multihop import HopRow, render
from soprag.benchmarks.quality.unanswerable import UNANSWERABLE
from soprag.tools.evaluation.text_overlap import bleu, exact_match, rouge_l
from soprag.tools.knowledge.asking import DEFAULT_LIMITS, AskLimits, ask
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.lookup import all_facts
from soprag.tools.knowledge.odqa import Category, OdqaItem, odqa
from soprag.tools.rules.planning import is_across
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

    def text(self) -> str:
        """One line."""
        overlap = f"BLEU {self.bleu:5.1f}  ROUGE-L {self.rouge_l:.3f}  EM {self.exact:.2f}"
        shares = f"answered {self.answered:.2f}  gold line quoted {self.quoted:.2f}"
        return f"{self.category:12} n {self.questions:3}  {shares}  {overlap}"


class KnowledgeFigures(Frozen):
    """Figures of one graph; `answered` are the unanswerable questions that got a path all the same.

    `routed` is how many questions of a benchmark, of how many, the planner sends to the graph and not to retrieval.
    """

    documents: int
    facts: int
    unanswerable: int
    answered: tuple[str, ...]
    milliseconds: float
    odqa: tuple[OdqaRow, ...] = ()
    by_communities: tuple[OdqaRow, ...] = ()
    routed: tuple[int, int] = (0, 0)
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
        lines += [row.text() for row in self.odqa]
        if self.by_communities:
            lines += ["the same questions, looked for in the nearest communities (paper 001):"]
            lines += [row.text() for row in self.by_communities]
        if self.routed[1]:
            lines += [f"questions for procedures that go to the graph instead: {self.routed[0]} of {self.routed[1]}"]
        return "\n".join([*lines, *(render(list(self.retrieval)) if self.retrieval else [])])


def routed_away(folders: Iterable[Path]) -> tuple[int, int]:
    """How many questions of benchmark folders, of how many, the rules of planning send to the graph."""
    lines = [line for folder in folders for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    questions = [str(json.loads(line)["text"]) for line in lines if line.strip()]
    return sum(map(is_across, questions)), len(questions)


def measure_index(library: KnowledgeLibrary, communities: int = 0) -> KnowledgeFigures:
    """Ask the questions that the example library cannot answer, and those of the facts.

    With `communities` the latter are also looked for in that many.
    """
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
        odqa=tuple(_odqa_rows(library, DEFAULT_LIMITS)),
        by_communities=tuple(_odqa_rows(library, AskLimits(communities=communities))) if communities else (),
    )


def _odqa_rows(library: KnowledgeLibrary, limits: AskLimits) -> Iterator[OdqaRow]:
    """At most `_SAMPLE` questions of each category, evenly spread over the facts."""
    with library.database.reading() as db:
        items = odqa([fact for fact, _, _ in all_facts(db)])
    for category in get_args(Category):
        every = [item for item in items if item.category == category]
        sample = every[:: max(1, len(every) // _SAMPLE)][:_SAMPLE]
        if sample:
            yield _row(category, sample, [_answer(library, item, limits) for item in sample])


def _answer(library: KnowledgeLibrary, item: OdqaItem, limits: AskLimits) -> list[str]:
    return [line.quote for reply in ask(library, item.question, limits) for path in reply.paths for line in path.lines]


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
