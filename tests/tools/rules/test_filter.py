import re
from pathlib import Path

import pytest

from soprag.benchmarks.quality.filter_fitting import PRIOR
from soprag.tools.procedure.filtering.document_filter import WEIGHTS, damage, judge, signals
from soprag.tools.procedure.filtering.filter_features import extract_features
from soprag.tools.tasks.benchmark import FilterAnswer, MarkdownAsk

GENRES = sorted((Path(__file__).parent / "genres").glob("*.md"))
DATA = Path(__file__).parents[4] / "shared" / "data"


def verdict(text: str, name: str = "document.md") -> FilterAnswer:
    return judge(MarkdownAsk(name=name, markdown=text))


@pytest.mark.parametrize("path", GENRES, ids=lambda path: path.stem)
def test_texts_of_many_kinds_and_languages_are_told_apart(path: Path) -> None:
    said = verdict(path.read_text(encoding="utf-8"), path.name)
    assert said.is_sop == path.stem.startswith("sop-"), said.reason


def test_a_verdict_names_its_evidence() -> None:
    said = verdict(
        "# Pump\n\n## Mitigation\n\n1. Stop the pump.\n2. Close the valve.\n3. Call the control room at once now."
    )
    assert said.is_sop
    assert "'Mitigation'" in said.reason or "numbered steps" in said.reason
    assert said.reason.endswith(".")


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "0 words"), ("# Title\n\nfew words", "3 words"), ("word " * 20 + "\x00\x01#%&/(" * 200, "damaged")],
)
def test_what_cannot_be_judged_is_rejected_with_a_reason(text: str, why: str) -> None:
    said = verdict(text)
    assert not said.is_sop
    assert why in said.reason


def test_a_chinese_text_is_not_taken_for_a_damaged_one() -> None:
    assert damage("确认备用泵的进口阀全开。检查轴承油位不低于油镜中线。") == ""


def test_every_signal_has_a_weight_of_the_sign_it_was_judged_to_have() -> None:
    seen = signals(extract_features("x", "# X\n\nClose the valve."))
    assert {signal.name for signal in seen} == set(WEIGHTS) == set(PRIOR)
    assert all(WEIGHTS[name] * PRIOR[name] > 0 for name in PRIOR)
    assert all(0 <= signal.value <= 1 for signal in seen)


def test_headings_in_bold_say_what_headings_say() -> None:
    text = "# PumpDown\n\n## Meaning\n\nThe pump is down.\n\n## Mitigation\n\nThe standby pump can be used."
    said = extract_features("x", text).headed
    assert said.acting
    assert extract_features("x", re.sub(r"^#+ (.*)$", r"**\1**", text, flags=re.MULTILINE)).headed == said


def test_a_list_of_pointers_counts_for_less_than_the_steps_themselves() -> None:
    steps = verdict("# Stop\n\n" + "\n".join(f"- Close valve V-{n} and tag it." for n in range(6)))
    pointers = verdict("# Stop\n\n" + "\n".join(f"- To close valve V-{n}, see [this page](v{n}.md)." for n in range(6)))
    assert steps.is_sop
    assert not pointers.is_sop


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the shared corpora are not here")
def test_the_filter_keeps_its_promise_on_real_corpora() -> None:
    from soprag.benchmarks.quality.audit import measure_filter
    from soprag.benchmarks.quality.corpora import read_corpora

    report = measure_filter(read_corpora(DATA), judge)
    assert report.precision >= 0.95
    assert report.recall >= 0.95


def test_sentences_about_past_events_speak_against_a_procedure() -> None:
    def strength(text: str) -> float:
        by_name = {signal.name: signal for signal in signals(extract_features("pump.md", text))}
        return by_name["past"].value

    steps = "# Pump\n\n1. Close the inlet valve.\n2. Open the drain of the housing.\n3. Start the standby pump.\n"
    events = "The pump tripped. The operator was called and restarted it. The valve had been closed by mistake."
    assert strength(steps) == 0
    assert strength(f"{steps}\n{events}\n") > 0.2


def test_no_half_of_the_installed_packages_is_fitted_on_and_measured() -> None:
    from soprag.benchmarks.quality.package_documents import half_of

    names = [f"package-{number}" for number in range(200)]
    assert {half_of(name) for name in names} == {"fitted", "measured"}
    assert all(half_of(name) == half_of(name.upper()) for name in names)


def test_pages_of_packages_that_were_not_fitted_on_are_stopped() -> None:
    from soprag.benchmarks.quality.audit import measure_filter
    from soprag.benchmarks.quality.package_documents import read_packages

    report = measure_filter(read_packages("measured")[:40], judge)
    assert report.stopped >= 0.9 * (report.stopped + report.let_in)
