"""Measuring the questions of a benchmark folder."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from soprag.benchmarks.quality.questions import measure_questions, render
from soprag.tools.errors import UsageError

CORPUS = [
    {"_id": "pump", "title": "Pump Replacement", "text": "Close the suction valve. Unplug the motor cable."},
    {"_id": "fan", "title": "Fan Belt", "text": "Lift the belt off the sheave."},
    {"_id": "lift", "title": "Car Levelling", "text": "Level the car with the brake. Tell somebody that it moves."},
]
QUERIES = [
    ("q1", "pump replacement valve", 1, "pump"),
    ("q2", "How do I make a pump replacement?", 2, "pump"),
    ("q3", "It moves, tell me what now.", 5, "pump"),
    ("q4", "IT MOVES: tell me what now!", 5, "fan"),
    ("q5", "no level", None, "fan"),
    ("q6", "no right SOP", 1, None),
]


def write(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "corpus.jsonl", CORPUS)
    rows = [{"_id": id, "text": text, "metadata": {"level": level} if level else {}} for id, text, level, _ in QUERIES]
    write(tmp_path / "queries.jsonl", rows)
    (tmp_path / "qrels").mkdir()
    gold = [f"{id}\t{sop}\t1" for id, _, _, sop in QUERIES if sop]
    (tmp_path / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *gold, ""]), encoding="utf-8")
    return tmp_path


def test_each_level_is_searched_by_its_words(folder: Path) -> None:
    report = measure_questions(folder)
    levels = {one.level: one for one in report.levels}
    assert list(levels) == ["keyword", "direct", "conditional"]
    assert (levels["keyword"].mrr, levels["keyword"].first, levels["keyword"].shared) == (1, 1, 1)
    assert levels["conditional"].mrr < 0.51
    assert report.harder


def test_leaks_count_above_the_keyword_level_only(folder: Path) -> None:
    leaks = {one.level: one.leaks for one in measure_questions(folder).levels}
    assert leaks == {"keyword": 0, "direct": 1, "conditional": 0}


def test_duplicates_and_unusable_queries_are_counted(folder: Path) -> None:
    report = measure_questions(folder)
    assert report.duplicates == ("IT MOVES: tell me what now!",)
    assert report.unjudged == 2
    assert (report.sops, report.questioned) == (3, 2)


def test_the_report_is_readable(folder: Path) -> None:
    text = "\n".join(render(measure_questions(folder)))
    assert "keyword" in text
    assert "1 duplicates, 2 queries without level or right SOP" in text


def test_a_folder_without_a_benchmark_is_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"corpus\.jsonl"):
        measure_questions(tmp_path)
