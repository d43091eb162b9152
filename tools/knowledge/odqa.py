"""Questions with answers from templates over facts (paper 001, ODQA): verified by construction.

Each question has a gold answer, a name on the quoted lines, and a gold path, the lines themselves.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

from soprag.tools.knowledge.records import QuotedFact
from soprag.tools.sop import Frozen

Category = Literal["fact", "logical", "comparative", "causal", "operational", "multi-hop", "procedural"]
_NUMBER = re.compile(r"^[^\d]{0,20}(\d+(?:\.\d+)?)\s*([^\W\d]+|%|°C)$")
_MOST_PAIRS = 200


class OdqaItem(Frozen):
    """A question with its gold answer and the quoted lines that give it."""

    category: Category
    question: str
    answer: str
    path: tuple[str, ...]
    documents: tuple[str, ...]


def odqa(facts: Sequence[QuotedFact]) -> list[OdqaItem]:
    """The questions over these facts, each once, in the order of the facts."""
    unique: dict[str, OdqaItem] = {}
    for item in (*(entry for fact in facts for entry in _single(fact)), *_comparative(facts), *_multi_hop(facts)):
        unique.setdefault(item.question, item)
    return list(unique.values())


def _single(fact: QuotedFact) -> Iterator[OdqaItem]:
    subject, target = fact.subject.text, fact.object.text
    if fact.relation == "is stated as":
        yield _item("fact", f"What is the {subject} in {fact.title}?", target, fact)
    elif fact.relation == "causes":
        yield _item("causal", f"What causes {target}?", subject, fact)
        yield _item("logical", f"What follows from {subject}?", target, fact)
    elif fact.relation == "refers to":
        yield _item("procedural", f"What does {fact.title} refer to when it says {_start(subject)}?", target, fact)
    elif fact.subject.kind == "step":
        yield _item("operational", f"What is done to {target} in {fact.title}?", subject, fact)


def _comparative(facts: Sequence[QuotedFact]) -> Iterator[OdqaItem]:
    """Two stated values of one document in one unit: which is higher."""
    stated: dict[tuple[str, str], list[tuple[float, QuotedFact]]] = {}
    for fact in facts:
        match = _NUMBER.match(fact.object.text) if fact.relation == "is stated as" else None
        if match:
            stated.setdefault((fact.document, match[2]), []).append((float(match[1]), fact))
    for values in stated.values():
        for (low, first), (high, second) in combinations(values[:6], 2):
            if low != high and first.subject != second.subject:
                higher = first if low > high else second
                question = f"Which is higher in {first.title}, {first.subject.text} or {second.subject.text}?"
                yield _item("comparative", question, higher.subject.text, first, second)


def _multi_hop(facts: Sequence[QuotedFact]) -> Iterator[OdqaItem]:
    """Two steps of different procedures that act on one thing."""
    acting: dict[str, list[QuotedFact]] = {}
    for fact in facts:
        if fact.subject.kind == "step" and fact.object.kind == "asset":
            acting.setdefault(fact.object.text, []).append(fact)
    pairs = (pair for same in acting.values() for pair in combinations(same, 2) if pair[0].document != pair[1].document)
    for number, (first, second) in enumerate(pairs):
        if number >= _MOST_PAIRS:
            return
        question = f"Which other procedures touch {first.object.text}, which {first.title} touches?"
        yield _item("multi-hop", question, second.title, first, second)


def _item(category: Category, question: str, answer: str, *facts: QuotedFact) -> OdqaItem:
    quotes, documents = tuple(fact.quote for fact in facts), tuple(fact.document for fact in facts)
    return OdqaItem(category=category, question=question, answer=answer, path=quotes, documents=documents)


def _start(text: str) -> str:
    return "“" + " ".join(text.split()[:6]) + "”"
