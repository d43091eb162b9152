"""The data sheet and the card say what the run knows, and what it does not know."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from soprag.tools.errors import ConfigError, UsageError
from soprag.tools.publishing import publish_benchmark
from soprag.tools.publishing.datasheet import render
from soprag.tools.publishing.datasheet_page import as_html
from soprag.tools.publishing.facts import gather
from soprag.tools.publishing.hub import write_hub
from soprag.tools.publishing.measured_agreement import agreement_lines, measured_agreement, untold_difference
from soprag.tools.rules.adapter import RULES as RULE_EDITIONS
from soprag.tools.sop import LEVELS
from soprag.tools.store.panel_record import PANEL_FILE, BaselinePanel, Estimate, PanelLevel, PanelSystem
from soprag.tools.store.review_record import QuestionReview, write_review
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import DroppedQuestion, Examined
from tests.reviewed_run import finished_run

RULES_EDITION = f"rules:{RULE_EDITIONS['questions'][0]}"
PARTS = (
    "Motivation",
    "Composition",
    "Collection",
    "Preprocessing and validation",
    "Uses",
    "Distribution",
    "Maintenance",
)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return finished_run(tmp_path / "run")


def sheet(run: RunFolder) -> str:
    publish_benchmark(run)
    return (run.path / "benchmark" / "datasheet.md").read_text(encoding="utf-8")


def edit_markdown(run: RunFolder, change: Callable[[str], str]) -> None:
    file = run.markdown(f"{0:012d}")
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")


def test_it_has_all_parts_and_says_that_rules_wrote_the_questions(run: RunFolder) -> None:
    text = sheet(run)
    assert tuple(re.findall(r"^## (?!Appendix)(.+)$", text, re.MULTILINE)) == PARTS
    assert "| Pumps | the folder 'source' | 2 | 6 |" in text
    assert "Rules of soprag (edition `rules:1`), without a language model and without a person" in text
    assert "no person has read the questions" in text and "Baselines were not measured." in text
    assert "| not stated | 2 |" in text and "clear it before you publish" in text
    assert "found none in the SOPs" in text
    assert "\n\n\n\n" not in text


def test_licences_are_those_that_documents_state(run: RunFolder) -> None:
    edit_markdown(run, lambda text: f"{text}\nThis page is licensed under CC BY 4.0.\n")
    text = sheet(run)
    assert "| CC-BY-4.0 | 1 |" in text and "CC-BY-4.0 (footer)" in text


def test_reviews_stand_in_it_with_what_they_left_out(run: RunFolder) -> None:
    question = gather(run).questions[0]
    made = QuestionReview(
        question=question.id, reviewer="ana", decision="reject", original=question.text, original_level=question.level,
        reason="two words", decided="2026-01-01T00:00:00+00:00",
    )  # fmt: skip
    write_review(run, made)
    text = sheet(run)
    assert "1 of 6 questions were reviewed; 1 are left out" in text
    assert "| ana | 0 | 0 | 1 |" in text and "| feed pump trip | question, in review | ana: two words |" in text


def test_baselines_are_shown_for_the_questions_they_were_measured_on(run: RunFolder) -> None:
    estimate = Estimate(mean=0.8, low=0.7, high=0.9)
    words = {level: [] for level in LEVELS[:3]}
    for question in gather(run).questions:
        words[question.level].append(len(question.text.split()))
    levels = tuple(
        PanelLevel(level=level, questions=2, words=sum(counts) / 2, mrr=0.8, overlap=0.5, repeated=0.0)
        for level, counts in words.items()
    )
    system = PanelSystem(name="bm25", mrr=estimate, levels=dict.fromkeys(LEVELS[:3], estimate))
    panel = BaselinePanel(
        benchmark=gather(run).fingerprint, documents=2, questioned=2, questions=6, levels=levels, systems=(system,)
    )
    run.write("", PANEL_FILE, panel)
    assert "| bm25 | 0.800 | 0.700 to 0.900 | 0.800 | 0.800 | 0.800 |" in sheet(run)
    question = gather(run).questions[0]
    edited = QuestionReview(
        question=question.id, reviewer="ana", decision="edit", original=question.text, original_level=question.level,
        text="main pump trip", decided="2026-01-01T00:00:00+00:00",
    )  # fmt: skip
    write_review(run, edited)  # as many words as before
    assert "measured on other questions than are published now" in sheet(run)


def test_the_card_has_the_header_of_the_hub(run: RunFolder) -> None:
    card = render("card.md.j2", gather(run), masked=True, licence="unknown", size="n<1K")
    yaml = pytest.importorskip("yaml")
    header = yaml.safe_load(card.split("---\n")[1])
    assert [config["config_name"] for config in header["configs"]] == ["corpus", "queries", "qrels"]
    assert (header["license"], header["language"], header["size_categories"]) == ("unknown", ["en"], ["n<1K"])
    assert "## Motivation" in card


def test_a_hub_folder_needs_pyarrow_and_an_empty_place(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"soprag\[hub\]"):
        write_hub(run, run.path / "hub", mask=False)
    monkeypatch.setattr("soprag.tools.publishing.hub._pyarrow", lambda: None)
    with pytest.raises(UsageError, match="is not empty"):
        write_hub(run, run.path, mask=False)


def test_the_page_has_the_parts_of_the_sheet_with_links_to_them(run: RunFolder) -> None:
    publish_benchmark(run)
    page = (run.path / "benchmark" / "datasheet.html").read_text(encoding="utf-8")
    for number, part in enumerate(PARTS, 1):
        assert f'<a href="#part-{number}">{part}</a>' in page
        assert f'<h2 id="part-{number}">{part}</h2>' in page
    assert "<td data-column=\"Source\">the folder 'source'</td>" in page
    assert '<td data-column="#Docs" class="figure">2</td>' in page
    assert "http" not in page and "<script" not in page


def test_words_of_documents_become_neither_tags_nor_links_nor_images_of_the_page() -> None:
    words = "<script>x</script> ![a](http://x/y.png) [b](javascript:x) <http://x.y> **c**"
    html, _ = as_html(f"{words}\n\n| a |\n| --- |\n| {words} |\n\n<div>z</div>\n")
    assert html.count("&lt;script&gt;x&lt;/script&gt; ![a](http://x/y.png) [b](javascript:x) &lt;http://x.y&gt;") == 2
    assert "<strong>c</strong>" in html
    assert not re.search(r"<(script|a|img|div>z)", html)


def test_the_measured_agreement_stands_in_the_limits_of_the_edition_that_was_measured_only() -> None:
    measured = RULES_EDITION
    *lines, naturalness = agreement_lines(measured)
    assert len(lines) == len(measured_agreement(measured)) >= 2
    assert re.search(r"Of \d+ questions of this edition \d+ to \d+ read as if somebody", naturalness)
    for each, line in zip(measured_agreement(measured), lines, strict=True):
        assert f"{each.spearman:.2f}" in line and f"{each.generated_margin:+.3f}" in line
    assert not list(agreement_lines("rules:1")) and untold_difference("rules:1") == 0.0


def test_a_run_of_another_edition_says_that_its_agreement_was_not_measured(run: RunFolder) -> None:
    assert "with questions of people was not measured" in sheet(run)


def test_drafts_that_were_refused_for_one_reason_are_one_row(run: RunFolder) -> None:
    examined = run.read_all("questions", Examined)[0]
    refused = [
        DroppedQuestion(level="symptom", text=f"Draft {number}", reason="A sibling fits.") for number in range(3)
    ]
    run.write("questions", examined.sop, examined.model_copy(update={"dropped": refused}))
    assert sheet(run).count("| question (symptom), 3 drafts | A sibling fits. |") == 1
