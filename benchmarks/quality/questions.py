"""Difficulty of benchmark questions for BM25 by level, and duplicate questions.

Any folder in BEIR layout will do: `corpus.jsonl`, `queries.jsonl` with the level (1 to 5) in its metadata, and
`qrels/test.tsv`. A level is harder when BM25 finds the right SOP less often, for BM25 knows nothing but shared words.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from soprag.tools.errors import UsageError
from soprag.tools.questions.checks import tells_names, tells_title
from soprag.tools.questions.statistics import overlap
from soprag.tools.sop import LEVELS, Frozen, Level
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms
from soprag.tools.text.words import normalised

_EXAMPLES = 10
_BY_NUMBER: dict[Any, Level] = dict(enumerate(LEVELS, 1))


class LevelReport(Frozen):
    """The questions of one level."""

    level: Level
    questions: int
    words: float = Field(description="mean length")
    mrr: float = Field(description="mean reciprocal rank of the right SOP, searched by BM25 over title and text")
    first: float = Field(description="share of questions for which BM25 ranks the right SOP first")
    shared: float = Field(description="mean share of a question's telling words that its SOP has too")
    leaks: int = Field(
        description="questions that tell the title, an alarm code or an alert name; 0 is right above keyword"
    )


class QuestionsReport(Frozen):
    """The questions of one benchmark."""

    benchmark: str
    sops: int
    questioned: int = Field(description="SOPs with at least one question")
    levels: tuple[LevelReport, ...]
    duplicates: tuple[str, ...] = Field(description="questions that read the same as another one")
    unjudged: int = Field(description="queries without a level or without a right SOP; they are left out")

    @property
    def harder(self) -> bool:
        """Is the last level harder for BM25 than the first?"""
        return len(self.levels) > 1 and self.levels[-1].mrr < self.levels[0].mrr


@dataclass(frozen=True)
class _Query:
    """A question with the place of its right SOP in the corpus."""

    text: str
    level: Level
    gold: int


def measure_questions(benchmark: Path) -> QuestionsReport:
    """Measure the questions in the folder `benchmark`; raises `UsageError` when it is not in BEIR layout."""
    corpus = list(_rows(benchmark / "corpus.jsonl"))
    rows_by_id = {row["_id"]: index for index, row in enumerate(corpus)}
    rows = list(_rows(benchmark / "queries.jsonl"))
    queries = _queries(rows, _gold(benchmark / "qrels" / "test.tsv"), rows_by_id)
    ranks = _ranks([f"{row.get('title', '')}\n{row['text']}" for row in corpus], queries)
    levels = [
        _level(level, corpus, queries, ranks) for level in LEVELS if any(query.level == level for query in queries)
    ]
    return QuestionsReport(
        benchmark=str(benchmark),
        sops=len(corpus),
        questioned=len({query.gold for query in queries}),
        levels=tuple(levels),
        duplicates=tuple(_repeated(queries)),
        unjudged=len(rows) - len(queries),
    )


def render(report: QuestionsReport) -> Iterator[str]:
    """The report as lines of plain text."""
    yield f"{report.benchmark}: {report.sops} SOPs, {report.questioned} of them with questions"
    yield f"  {'level':<12} {'questions':>9} {'words':>6} {'BM25 MRR':>9} {'first':>6} {'shared':>7} {'leaks':>6}"
    for level in report.levels:
        yield (
            f"  {level.level:<12} {level.questions:>9} {level.words:>6.1f} {level.mrr:>9.3f} {level.first:>6.0%} "
            f"{level.shared:>7.0%} {level.leaks:>6}"
        )
    yield f"  {len(report.duplicates)} duplicates, {report.unjudged} queries without level or right SOP"
    yield from (f"    twice: {text}" for text in report.duplicates[:_EXAMPLES])
    if not report.harder:
        yield "  The last level is not harder than the first."


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        yield from (json.loads(line) for line in lines if line.strip())
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot read {str(file)!r}: {error}. A benchmark folder is in BEIR layout.") from error


def _gold(file: Path) -> dict[str, str]:
    try:
        rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:] if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read {str(file)!r}: {error}. A benchmark folder is in BEIR layout.") from error
    return {row[0]: row[1] for row in rows if len(row) > 2 and float(row[2]) > 0}


def _queries(rows: list[dict[str, Any]], gold: dict[str, str], rows_by_id: dict[str, int]) -> list[_Query]:
    queries: list[_Query] = []
    for row in rows:
        level = _BY_NUMBER.get((row.get("metadata") or {}).get("level"))
        index = rows_by_id.get(gold.get(row["_id"], ""))
        if level and index is not None:
            queries.append(_Query(row["text"], level, index))
    return queries


def _ranks(texts: list[str], queries: list[_Query]) -> list[int]:
    """The rank of the right SOP for each query; of equal scores, the right one comes last."""
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG when imported

    index = bm25s.BM25()
    index.index([terms(text, SMALL) for text in texts], show_progress=False)
    ranks: list[int] = []
    for query in queries:
        scores = index.get_scores(terms(query.text, SMALL))
        ranks.append(int((scores >= scores[query.gold]).sum()))
    return ranks


def _level(level: Level, corpus: list[dict[str, Any]], queries: list[_Query], ranks: list[int]) -> LevelReport:
    ranked = [(query, rank) for query, rank in zip(queries, ranks, strict=True) if query.level == level]
    count = len(ranked)
    return LevelReport(
        level=level,
        questions=count,
        words=sum(len(query.text.split()) for query, _ in ranked) / count,
        mrr=sum(1 / rank for _, rank in ranked) / count,
        first=sum(rank == 1 for _, rank in ranked) / count,
        shared=sum(_overlap(query.text, corpus[query.gold]) for query, _ in ranked) / count,
        leaks=sum(level != "keyword" and _leaks(query.text, corpus[query.gold]) for query, _ in ranked),
    )


def _overlap(text: str, row: dict[str, Any]) -> float:
    return overlap(text, row.get("title", ""), row["text"])


def _leaks(text: str, row: dict[str, Any]) -> bool:
    title = row.get("title", "")
    return tells_title(text, title) or bool(tells_names(text, title, row["text"]))


def _repeated(queries: list[_Query]) -> Iterator[str]:
    counts: dict[str, int] = defaultdict(int)
    for query in queries:
        counts[normalised(query.text)] += 1
        if counts[normalised(query.text)] == 2:
            yield query.text
