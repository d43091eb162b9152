import json
from pathlib import Path

import pytest

from soprag.benchmarks.quality.heading_forms import FORMS, Form, rewrite
from soprag.benchmarks.quality.splitting import JoinPlan, join, measure_forms, render
from soprag.tools.tasks.benchmark import MarkdownAsk, SopPart, Split

TEXT = "# Start of `P-1`\n\nText.\n\n### Steps\n1. Open.\n\n```\n# no heading\n```\n"


def test_joined_texts_begin_where_the_file_says_and_are_called_by_their_first_line() -> None:
    joined = join(["a\nb\n", "\nc\n", "# d e"])
    lines = joined.markdown.split("\n")
    assert [(lines[line - 1], title) for line, title in joined.starts.items()] == [("c", "c"), ("# d e", "d e")]


@pytest.mark.parametrize(
    ("form", "title", "steps"),
    [
        ("flat", "## Start of P-1", "## Steps\n1. Open."),
        ("bold", "**Start of P-1**", "**Steps**\n1. Open."),
        ("setext", "Start of P-1\n============", "Steps\n-----\n1. Open."),
        ("capitals", "START OF P-1\n", "STEPS\n\n1. Open."),
        ("banner", "\n============\nStart of P-1\n============\n", "\n=====\nSteps\n=====\n\n1. Open."),
    ],
)
def test_headings_are_rewritten_and_code_is_not(form: Form, title: str, steps: str) -> None:
    written = rewrite(TEXT, form)
    assert title in written
    assert steps in written
    assert "```\n# no heading\n```" in written


def test_every_form_of_every_corpus_is_measured_on_the_same_number_of_joins(tmp_path: Path) -> None:
    (tmp_path / "plant" / "docs").mkdir(parents=True)
    (tmp_path / "plant" / "corpus.jsonl").write_text(json.dumps({"_id": "0"}))
    for name in "abc":
        (tmp_path / "plant" / "docs" / f"{name}.md").write_text(TEXT)

    def whole(ask: MarkdownAsk) -> Split:
        return Split(parts=[SopPart(title="a", start=1, end=ask.markdown.count("\n") + 1)])

    reports = measure_forms(tmp_path, {"plant": whole}, JoinPlan(joins=4))
    assert [report.form for report in reports] == list(FORMS)
    assert all((report.split.joins, report.split.f1, report.split.whole) == (4, 0, 3) for report in reports)
    assert len(render(reports)) == 1 + len(FORMS)
