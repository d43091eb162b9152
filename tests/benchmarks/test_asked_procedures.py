"""Questions that ask for procedures: rows are read, halves alternate, and the place of the right one counts."""

from pathlib import Path

import pytest

from soprag.benchmarks.quality.asked_procedures import AskedProcedure, measure_asked, read_asked
from soprag.tools.errors import UsageError
from tests.tools.retriever.words import opened

QUESTIONS = Path(__file__).parents[2] / "examples" / "questions"


def test_the_rows_of_the_example_library_name_procedures() -> None:
    rows = read_asked(QUESTIONS / "library.jsonl")
    assert {row.kind for row in rows} == {"report", "conditional", "order", "short report"}
    assert all(row.answers for row in rows)


def test_a_malformed_row_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"kind": "report"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="Cannot read"):
        read_asked(file)


def test_the_place_of_the_right_procedure_is_counted(tmp_path: Path) -> None:
    asked = [
        AskedProcedure(kind="order", question="reset the breaker", answers=("pump",)),
        AskedProcedure(kind="order", question="reset the breaker", answers=("none",)),
    ]
    report = measure_asked(opened(tmp_path), asked)
    assert [(result.half, result.place) for result in report.results] == [(0, 1), (1, 0)]
    assert "> 20" in report.render()
