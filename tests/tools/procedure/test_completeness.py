"""The completeness gate: nothing is dropped without a word, unresolved parts come first."""

from pathlib import Path

import pytest

from soprag.tools.procedure.completeness import completeness
from soprag.tools.procedure.reader import read_procedure

SOURCES = sorted((Path(__file__).parents[3] / "examples" / "sources").rglob("*.md"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_line_of_the_example_procedures_is_accounted_for(path: Path) -> None:
    markdown = path.read_text(encoding="utf-8")
    assert completeness(markdown, read_procedure(markdown)).unaccounted == ()


def test_unresolved_parts_are_said_first() -> None:
    markdown = "# A\n\nWhy this is.\n\n1. Read the level. If it is low, go to step 9.\n2. Close V-1.\n"
    words = completeness(markdown, read_procedure(markdown)).text().split("\n")
    assert words[0] == "UNRESOLVED line 5: go to step 9"


def test_lines_that_the_run_does_not_show_are_listed() -> None:
    markdown = "# A\n\n## Background\n\nPumps fail.\n\n## Steps\n\n1. Close V-1.\n"
    gate = completeness(markdown, read_procedure(markdown))
    assert [(one.n, one.role) for one in gate.left_out] == [(5, "prose")]
    assert "   5 prose: Pumps fail." in gate.text()
