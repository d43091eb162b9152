"""The report: funnels that lose what was lost, shared words, and sections with their questions."""

from pathlib import Path

import pytest

from soprag.tools.publishing import publish_benchmark
from soprag.tools.publishing.facts import gather
from soprag.tools.publishing.report import funnels
from soprag.tools.publishing.section_coverage import OPENING, coverage
from soprag.tools.sop import Question, Sop, Span
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Failure
from tests.reviewed_run import finished_run

BODY = """# Restart

Before you start, read all.

## Tools

A key.

## Steps

1. Close the valve
   slowly.
2. Press start.

## Records
"""


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return finished_run(tmp_path / "run", sops=3)


def test_every_stage_of_a_funnel_is_a_share_of_the_first_and_names_its_loss(run: RunFolder) -> None:
    file = next((run.path / "parsed").iterdir())
    file.unlink()
    failure = Failure(stage="archive", item=file.stem, name="x.pdf", error="DocumentError", message="It is empty.")
    run.write("failed/archive", file.stem, failure)
    stages = funnels(gather(run))
    assert [(stage.count, stage.lost) for stage in stages["Documents"][:2]] == [(3, ""), (2, "1 failed")]
    assert stages["Documents"][1].share == pytest.approx(2 / 3)
    assert [stage.count for stage in stages["Questions"]] == [9, 9, 9]


def test_a_question_belongs_to_the_section_with_its_evidence() -> None:
    sop = Sop(id="s", title="Restart", text=BODY, document="d", span=Span(start=1, end=16))
    other = sop.model_copy(update={"id": "t"})
    evidence = ("Close the valve slowly.", "Press start.", "Before you start, read all.", "Nowhere.")
    questions = [
        Question(id=f"s-q{number}", sop="s", level="direct", text="How?", evidence=words)
        for number, words in enumerate(evidence)
    ]
    [covered] = coverage([sop, other], questions)
    assert [(section.title, section.questions) for section in covered.sections] == [
        ("Restart", 1),
        ("Tools", 0),
        ("Steps", 2),
    ]
    assert covered.covered == 2
    assert OPENING not in {section.title for section in covered.sections}


def test_the_page_has_all_parts_and_the_same_bytes_again(run: RunFolder) -> None:
    publish_benchmark(run)
    file = run.path / "benchmark" / "report.html"
    page = file.read_text(encoding="utf-8")
    for part in ("Documents", "SOPs", "Questions", "Word overlap with the SOP", "Coverage of SOP sections"):
        assert part in page
    assert "<mark>feed</mark>" in page and "Not measured" in page
    assert "http://" not in page and "https://" not in page and "<script" not in page
    publish_benchmark(run)
    assert file.read_text(encoding="utf-8") == page


def test_words_of_a_document_are_escaped(run: RunFolder) -> None:
    file = next((run.path / "questions").iterdir())
    file.write_text(file.read_text().replace("pump trip", "<script>alert(1)</script>"))
    publish_benchmark(run)
    assert "<script" not in (run.path / "benchmark" / "report.html").read_text(encoding="utf-8")
