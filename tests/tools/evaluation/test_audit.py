import json
from pathlib import Path

import pytest

from soprag.benchmarks.quality.audit import AuditPlan, measure_audit, render
from soprag.benchmarks.quality.corpora import read_corpora
from soprag.benchmarks.quality.filter_fitting import PRIOR, check, fit
from soprag.tools.errors import UsageError
from soprag.tools.tasks.benchmark import FilterAnswer, MarkdownAsk, SopPart, Split

STEPS = (
    "1. Open the suction valve of the pump.\n2. Start the pump and wait.\n3. Check the pressure and close the drain.\n"
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, texts in {
        "plant": [f"# Start P-{n}\n\n{STEPS}" for n in range(4)],
        "decoys": ["# News\n\n" + "It was a good year and we were glad about it. " * 4] * 2,
        "ignored": ["# Neither\n"],
    }.items():
        (tmp_path / name / "docs").mkdir(parents=True)
        for place, text in enumerate(texts):
            (tmp_path / name / "docs" / f"{place}.md").write_text(text)
    (tmp_path / "plant" / "corpus.jsonl").write_text(json.dumps({"_id": "0"}))
    return tmp_path


def test_a_folder_with_a_corpus_holds_sops_and_the_decoys_hold_none(data: Path) -> None:
    assert [(one.corpus, one.is_sop) for one in read_corpora(data)] == [("decoys", False)] * 2 + [("plant", True)] * 4


def test_the_report_counts_what_the_rules_got_right(data: Path) -> None:
    report = measure_audit(data, plan=AuditPlan(joins=5))
    assert report.corpora == {"decoys": 2, "plant": 4}
    assert (report.filter.precision, report.filter.recall) == (1, 1)
    assert (report.split.f1, report.split.lines_lost, report.split.whole) == (1, 0, 4)


def test_a_wrong_judge_and_a_wrong_splitter_are_found_out(data: Path) -> None:
    def judge(ask: MarkdownAsk) -> FilterAnswer:
        return FilterAnswer(is_sop=not ask.markdown.startswith("# Start"), reason="because", confidence=0.9)

    def splitter(ask: MarkdownAsk) -> Split:
        return Split(parts=[SopPart(title="a", start=1, end=1), SopPart(title="b", start=2, end=2)])

    report = measure_audit(data, judge, splitter, plan=AuditPlan(joins=5))
    assert (report.filter.kept, report.filter.let_in, len(report.filter.misses)) == (0, 2, 6)
    assert report.split.f1 == 0
    assert report.split.lines_lost > 0
    assert len(report.split.torn) == 4
    text = "\n".join(render(report))
    assert "precision 0.000" in text
    assert "let in         decoys/0.md  0.90  because" in text


def test_a_folder_without_sops_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"corpus\.jsonl"):
        read_corpora(tmp_path)


def test_weights_are_fitted_without_crossing_zero_and_checked_on_what_was_held_out(data: Path) -> None:
    documents = read_corpora(data)
    weights = fit(documents).weights
    assert all(weights[name] * PRIOR[name] >= 0 for name in PRIOR)
    halves = check(documents, rounds=2)[0]
    assert halves.held_out == "one half, 2 times"
    assert halves.kept is None or 0 <= halves.kept <= 1
