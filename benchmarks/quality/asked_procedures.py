"""Reports of a state, conditional questions and orders: which place the right procedure has, and where a run begins.

A row of the file names a question, its `kind`, the ids of the procedures that answer it, and for one that answers
several alarms the card (`entry`). Rows alternate between two halves of each kind: the first is for tuning, the second
for reporting.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from soprag.tools.errors import UsageError
from soprag.tools.retriever.index.alarm_cards import alarm_cards
from soprag.tools.retriever.query.results import RankedHit, Ranking
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.sop import Frozen

_DEPTH = 20


class AskedProcedure(BaseModel):
    """A question and the procedures that answer it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: str
    question: str
    answers: tuple[str, ...]
    entry: str = ""


class FoundProcedure(Frozen):
    """What became of one question: `place` of the right procedure (0: not found), the card its run begins with."""

    kind: str
    half: int
    question: str
    place: int
    refused: bool
    entry: str = ""
    begins: str = ""


@dataclass(frozen=True)
class AskedReport:
    """The results of all questions."""

    results: tuple[FoundProcedure, ...]

    def render(self) -> str:
        """A table by kind and half, and the questions whose procedure is not first."""
        lines = [f"{'kind':<14}{'half':>10}{'questions':>11}{'first':>7}{'MRR':>7}{'refused':>9}"]
        for kind in dict.fromkeys(result.kind for result in self.results):
            for half, name in enumerate(("tuned on", "reported")):
                rows = [result for result in self.results if (result.kind, result.half) == (kind, half)]
                if rows:
                    lines.append(_row(kind, name, rows))
        return "\n".join([*lines, *self._cards(), *self._missed()])

    def _cards(self) -> Iterator[str]:
        cards = [result for result in self.results if result.entry and result.place == 1]
        if cards:
            right = sum(result.entry in result.begins for result in cards)
            asked = sum(not result.begins for result in cards)
            wrong = len(cards) - right - asked
            yield f"cards: {right} of {len(cards)} begin at the right one, {asked} ask, {wrong} at another"

    def _missed(self) -> Iterator[str]:
        for result in self.results:
            if result.place != 1:
                yield f"place {result.place or f'> {_DEPTH}'}: {result.question}"


def read_asked(file: Path) -> list[AskedProcedure]:
    """The rows of a JSONL file; raises `UsageError` when one is malformed."""
    try:
        rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        return [AskedProcedure.model_validate(row) for row in rows]
    except (OSError, ValueError, ValidationError) as error:
        raise UsageError(f"Cannot read the questions of {str(file)!r}: {error}") from error


def measure_asked(retriever: Retriever, questions: Sequence[AskedProcedure]) -> AskedReport:
    """Search every question."""
    seen: dict[str, int] = {}
    results = []
    for question in questions:
        place = seen[question.kind] = seen.get(question.kind, -1) + 1
        results.append(_found(retriever, question, place % 2))
    return AskedReport(tuple(results))


def _found(retriever: Retriever, asked: AskedProcedure, half: int) -> FoundProcedure:
    ranking: Ranking = retriever.find(asked.question, _DEPTH)
    right = ((place, hit) for place, hit in enumerate(ranking.hits, 1) if hit.sop in asked.answers)
    place, hit = next(right, (0, None))
    return FoundProcedure(
        kind=asked.kind,
        half=half,
        question=asked.question,
        place=place,
        refused=ranking.abstained,
        entry=asked.entry,
        begins=_card(retriever, hit) if hit and asked.entry else "",
    )


def _card(retriever: Retriever, hit: RankedHit) -> str:
    """The first line of the card that a run from the hit begins with; empty when it asks."""
    body = retriever.index.sop(hit.sop).body
    cards = alarm_cards(body, retriever.index.views(hit.sop).flow)
    lines = body.split("\n")
    return next((lines[card.start - 1] for card in cards if hit.begins and card.step == hit.begins), "")


def _row(kind: str, half: str, rows: Sequence[FoundProcedure]) -> str:
    first = sum(row.place == 1 for row in rows)
    mean = sum(1 / row.place for row in rows if row.place) / len(rows)
    refused = sum(row.refused for row in rows)
    return f"{kind:<14}{half:>10}{len(rows):>11}{first:>7}{mean:>7.3f}{refused:>9}"
