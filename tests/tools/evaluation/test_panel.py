"""The panel of systems on a new benchmark, and the comparison of generated with real questions."""

from pathlib import Path

import numpy as np
import pytest

from soprag.tools.evaluation.agreement import DrawnAgreement, compare_questions, render, render_draws, spearman
from soprag.tools.evaluation.panel import PanelMeasurement, PanelPlan, PanelTrials, summarise, too_small, try_panel
from soprag.tools.evaluation.retrieval import open_baselines
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, benchmark_of
from soprag.tools.questions.statistics import overlap, repeated_sentences
from soprag.tools.sop import LEVELS, Question, Sop, Span
from tests.words import WordEmbedder

THINGS = ("pump", "valve", "fan", "boiler", "hoist", "filter")
PLAN = PanelPlan(k=10, draws=100, seed=7)


def benchmark(*, sops: int = 6, ask: str = "How do I stop the {} without {}?") -> Benchmark:
    """Some SOPs with a question of every level each."""
    corpus = [
        Sop(id=name, title=f"{name} stop", text=f"Stop the {name}.", document="d", span=Span(start=1, end=1))
        for name in THINGS[:sops]
    ]
    questions = [
        Question(id=f"{sop.id}-{level}", sop=sop.id, level=level, text=ask.format(sop.id, level), evidence=sop.text)
        for sop in corpus
        for level in LEVELS
    ]
    return benchmark_of(corpus, questions, Path("benchmark"))


def trials(order: list[float], source: Benchmark) -> PanelTrials:
    """Three systems with these reciprocal ranks on every question."""
    return PanelTrials(source, ("a", "b", "c"), np.array([[value] * len(source.queries) for value in order]))


def test_a_panel_reports_systems_by_falling_mrr_and_every_level() -> None:
    measured = benchmark()
    systems = [each for each in open_baselines(WordEmbedder()) if each.name in ("bm25", "dense")]
    record = PanelMeasurement(lambda: (systems, lambda: None), PLAN).measure(measured)
    assert [level.level for level in record.levels] == list(LEVELS)
    assert [system.mrr.mean for system in record.systems] == sorted(
        (system.mrr.mean for system in record.systems), reverse=True
    )
    assert (record.documents, record.questioned, record.questions) == (6, 6, 30)
    assert "bm25" in record.text() and "scenario" in record.text()


def test_the_same_questions_give_the_same_record() -> None:
    systems = open_baselines(WordEmbedder())[:2]
    first, second = (summarise(try_panel(benchmark(), systems, PLAN.k), PLAN) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("sops", "word"), [(2, "SOPs"), (0, "SOPs")])
def test_too_few_sops_are_not_measured_and_the_reason_is_given(sops: int, word: str) -> None:
    small = benchmark(sops=sops)
    assert word in too_small(small)
    record = PanelMeasurement(lambda: pytest.fail("opened"), PLAN).measure(small)
    assert record.systems == ()
    assert "not measured" in record.text()


def test_a_level_with_a_higher_mrr_than_the_one_before_is_named() -> None:
    measured = benchmark()
    row = np.array([1.0 if query.level == "conditional" else 0.5 for query in measured.queries])
    record = summarise(PanelTrials(measured, ("a",), np.array([row])), PLAN)
    assert record.easier == [("scenario", "conditional")]
    assert "conditional is not harder than scenario" in record.text()


def test_sentences_that_several_questions_have_are_counted() -> None:
    texts = ["The fan stopped. What now?", "It smells burnt. What now?"]
    assert repeated_sentences(texts) == [(2, 1), (2, 1)]


def test_overlap_is_the_share_of_content_words() -> None:
    assert overlap("Does the pump leak?", "Pump", "Close the valve.") == pytest.approx(0.5)


def test_spearman_gives_equal_values_their_mean_rank() -> None:
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])) == pytest.approx(1)
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])) == pytest.approx(-1)
    assert spearman(np.array([1.0, 1.0, 1.0]), np.array([3.0, 2.0, 1.0])) == 0
    assert spearman(np.array([1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])) == pytest.approx(0.866, abs=1e-3)


def test_generated_questions_that_rank_otherwise_are_told_from_real_ones() -> None:
    source = benchmark()
    agreement = compare_questions(trials([0.9, 0.5, 0.1], source), trials([0.6, 0.8, 0.1], source), wanted=40)
    assert agreement.winners == ("a", "b")
    assert agreement.spearman == pytest.approx(0.5)
    assert (agreement.real_margin, agreement.generated_margin) == (pytest.approx(0.4), pytest.approx(-0.2))
    text = "\n".join(render(agreement))
    assert "30 of 40" in text and "a on real and b on generated" in text


def test_several_draws_show_how_much_is_chance() -> None:
    source = benchmark()
    real = trials([0.9, 0.5, 0.1], source)
    drawn = [compare_questions(real, trials(row, source), wanted=40) for row in ([0.8, 0.6, 0.1], [0.6, 0.8, 0.1])]
    lines = list(render_draws(DrawnAgreement(draws=tuple(drawn))))
    assert "draw 1: Spearman 0.50, winner b, lead -0.200" in lines[1]
    assert "2 draws: mean Spearman 0.750, mean lead +0.000, the same winner in 1" in lines[2]
