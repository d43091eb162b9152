from pathlib import Path
from typing import Any

import pytest

from soprag.tools.errors import DocumentError, UsageError
from soprag.tools.evaluation.retrieval import read_benchmark


def test_a_folder_is_read_with_its_levels_and_answers(folder: Any) -> None:
    benchmark = read_benchmark(folder.path)
    assert [sop.id for sop in benchmark.corpus] == ["pump", "valve", "fan", "door"]
    assert benchmark.corpus[0].title == "Restart the pump"
    assert benchmark.queries[1].relevant == {"valve": 1}
    assert benchmark.levels == {"keyword": [0, 2], "direct": [1]}


def test_a_question_may_have_several_answers_and_grades(folder: Any) -> None:
    folder.qrels("q1\tpump\t2", "q1\tfan\t1", "q1\tdoor\t0")
    (only,) = read_benchmark(folder.path).queries
    assert only.relevant == {"pump": 2, "fan": 1}


def test_questions_without_a_judgement_are_left_out(folder: Any) -> None:
    folder.qrels("q2\tvalve\t1")
    assert [query.id for query in read_benchmark(folder.path).queries] == ["q2"]


def test_questions_that_share_an_sop_over_others_are_one_group(folder: Any) -> None:
    folder.qrels("q1\tpump\t1", "q2\tpump\t1", "q2\tfan\t1", "q3\tfan\t1")
    assert len(set(read_benchmark(folder.path).groups)) == 1
    folder.qrels("q1\tpump\t1", "q2\tpump\t1", "q3\tfan\t1")
    groups = read_benchmark(folder.path).groups
    assert groups[0] == groups[1] != groups[2]


def test_the_name_is_that_of_the_data_sheet_and_else_that_of_the_folder(folder: Any) -> None:
    assert read_benchmark(folder.path).name == folder.path.name
    (folder.path / "datasheet.md").write_text("# Data sheet: Pump station\n\nMade today.\n", encoding="utf-8")
    assert read_benchmark(folder.path).name == "Pump station"


def test_questions_need_no_level(folder: Any) -> None:
    folder.rows("queries.jsonl", [{"_id": "q1", "text": "pump"}])
    folder.qrels("q1\tpump\t1")
    assert read_benchmark(folder.path).levels == {}


def test_a_header_of_the_judgements_is_not_needed(folder: Any) -> None:
    (folder.path / "qrels" / "test.tsv").write_text("q1\tpump\t1\n")
    assert len(read_benchmark(folder.path).queries) == 1


def test_a_limit_keeps_questions_evenly(folder: Any) -> None:
    benchmark = read_benchmark(folder.path)
    assert [query.id for query in benchmark.first(2).queries] == ["q1", "q3"]
    assert benchmark.first(9) is benchmark
    assert benchmark.first(None) is benchmark


def test_what_is_missing_is_named(tmp_path: Path, folder: Any) -> None:
    with pytest.raises(UsageError, match=r"corpus\.jsonl, queries\.jsonl, qrels/test\.tsv missing"):
        read_benchmark(tmp_path / "nowhere")
    (folder.path / "queries.jsonl").unlink()
    with pytest.raises(UsageError, match=r"queries\.jsonl missing"):
        read_benchmark(folder.path)


def test_unknown_ids_in_the_judgements_are_named(folder: Any) -> None:
    folder.qrels("q1\tturbine\t1")
    with pytest.raises(DocumentError, match="'turbine'"):
        read_benchmark(folder.path)
    folder.qrels("q9\tpump\t1")
    with pytest.raises(DocumentError, match="'q9'"):
        read_benchmark(folder.path)


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("corpus.jsonl", '{"_id": "a", "text": "x"}\n{"_id": "a', "line 2: no JSON"),
        ("corpus.jsonl", "[1]\n", "no JSON object"),
        ("corpus.jsonl", '{"text": "x"}\n', "no '_id'"),
        ("corpus.jsonl", '{"_id": "a", "text": 3}\n', "must be words"),
        ("corpus.jsonl", '{"_id": "a"}\n{"_id": "a"}\n', "second document"),
        ("corpus.jsonl", "\n", "no document"),
        ("queries.jsonl", '{"_id": "q1", "text": "x"}\n{"_id": "q1", "text": "y"}\n', "second question"),
        ("qrels/test.tsv", "q1\tpump\n", "line 1"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tpump\thigh\n", "line 2"),
        ("qrels/test.tsv", "q1\tpump\t0\n", "nothing to measure"),
    ],
)
def test_damage_is_named_with_its_line(folder: Any, name: str, text: str, what: str) -> None:
    (folder.path / name).write_text(text)
    with pytest.raises(DocumentError, match=what):
        read_benchmark(folder.path)


def test_bytes_that_are_no_text_are_refused(folder: Any) -> None:
    (folder.path / "queries.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DocumentError, match="Cannot read"):
        read_benchmark(folder.path)
