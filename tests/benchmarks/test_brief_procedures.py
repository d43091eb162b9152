"""Brief procedures of many hands are read at least as well as when they were written."""

from pathlib import Path

import pytest

from soprag.benchmarks.quality.brief_procedures import brief_procedures, measure, total
from soprag.tools.errors import UsageError

BRIEF = Path(__file__).parents[1] / "data" / "brief"


def test_their_ways_are_read_no_worse_than_they_were() -> None:
    all_of_them = total([measure(file) for file in sorted(BRIEF.glob("*.txt"))])
    assert (all_of_them.procedures, all_of_them.decisions) == (600, 752)
    assert all_of_them.right >= 270
    assert all_of_them.right_decisions >= 440
    assert all_of_them.silent <= 345


def test_what_is_missed_is_told_with_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("=== pump\n1. Stop it.\n2. Sign.\n---ways\n1>END\n", encoding="utf-8")
    found = measure(file)
    assert found.missed == ["pump, line 1: wanted END, read 2", "pump, line 2: wanted nothing, read END"]
    assert (found.right, found.silent) == (0, 2)


def test_an_act_that_may_be_passed_by_is_the_same_as_a_way_around_it(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    body = "1. Look at it.\n2. If it is dirty, clean it.\n3. Sign."
    file.write_text(f"=== a\n{body}\n---ways\n1>2\n2>3\nonly 2\n3>END\n", encoding="utf-8")
    assert measure(file).missed == []


@pytest.mark.parametrize("way", ["1>9", "1>", "1 to 2"])
def test_a_way_that_cannot_be_read_is_an_error(tmp_path: Path, way: str) -> None:
    file = tmp_path / "own.txt"
    file.write_text(f"=== pump\n1. Stop it.\n---ways\n{way}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is no way between two lines with words"):
        list(brief_procedures(file))
