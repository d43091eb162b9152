"""A blind reading: what the reader sees, and what is counted afterwards."""

import json
from collections import Counter
from pathlib import Path

import pytest

from soprag.benchmarks.quality.blind_reading import OF_PEOPLE, PER_LEVEL, draw, main, score
from soprag.tools.errors import UsageError
from soprag.tools.sop import LEVELS


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    folder = tmp_path / "real"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(json.dumps({"_id": "pump", "title": "Pump", "text": "Start the pump."}) + "\n")
    asked = [(level, number) for level in LEVELS for number in range(PER_LEVEL + 3)]
    real = [
        {"_id": f"{level}{n}", "text": f"real {level} {n}", "metadata": {"level": LEVELS.index(level) + 1}}
        for level, n in asked
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in real))
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(f"{level}{n}\tpump\t1\n" for level, n in asked)
    )
    file = tmp_path / "new" / "made.jsonl"
    file.parent.mkdir()
    file.write_text(
        "".join(
            json.dumps({"text": f"made {level} {n}", "metadata": {"level": level, "sop": "pump"}}) + "\n"
            for level, n in asked
        )
    )
    return folder, file


def test_the_sheet_is_the_same_each_time_and_does_not_tell_the_origin(pair: tuple[Path, Path], tmp_path: Path) -> None:
    for name in ("one", "two"):
        draw(tmp_path / name, 20, [pair])
    sheet = (tmp_path / "one" / "sheet.jsonl").read_text()
    assert sheet == (tmp_path / "two" / "sheet.jsonl").read_text()
    rows = list(map(json.loads, sheet.splitlines()))
    assert len(rows) == (PER_LEVEL + OF_PEOPLE) * len(LEVELS)
    assert {key for row in rows for key in row} == {"n", "level", "text", "sop", "passage"}
    key = list(map(json.loads, (tmp_path / "one" / "key.jsonl").read_text().splitlines()))
    assert [row["text"].startswith("real") for row in rows] == [row["origin"] == "people" for row in key]


def test_editions_are_told_apart_in_one_reading(pair: tuple[Path, Path], tmp_path: Path) -> None:
    folder, file = pair
    older = tmp_path / "old" / "made.jsonl"
    older.parent.mkdir()
    older.write_text(file.read_text())
    draw(tmp_path, 20, [(folder, older), (folder, file)])
    key = list(map(json.loads, (tmp_path / "key.jsonl").read_text().splitlines()))
    assert Counter(row["origin"] for row in key) == {"people": 30, "old": 60, "new": 60}


def test_the_answers_are_counted_by_origin_and_level(pair: tuple[Path, Path], tmp_path: Path) -> None:
    draw(tmp_path, 20, [pair])
    key = list(map(json.loads, (tmp_path / "key.jsonl").read_text().splitlines()))
    lines = [f"{row['n']}\t{int(row['origin'] == 'people')}\t1\t0" for row in key]
    (tmp_path / "answers.tsv").write_text("\n".join(lines))
    counted = {tuple(line.split()[:2]): line.split()[2:] for line in score(tmp_path)}
    assert counted["people", "symptom"] == ["6", "6", "6", "0"]
    assert counted["new", "symptom"] == ["12", "0", "12", "0"]


def test_a_question_without_an_answer_is_an_error(pair: tuple[Path, Path], tmp_path: Path) -> None:
    draw(tmp_path, 20, [pair])
    (tmp_path / "answers.tsv").write_text("1\t1\t1\t1\n")
    with pytest.raises(UsageError, match="one line for each of the 90 questions"):
        list(score(tmp_path))
    with pytest.raises(UsageError, match="Give `score OUT`"):
        main(["draw"])
