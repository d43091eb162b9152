import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from soprag.tools.evaluation.retrieval import (
    BenchmarkResult,
    Evaluation,
    EvaluationPlan,
    SystemRanking,
    evaluate,
    read_benchmark,
)
from soprag.tools.evaluation.retrieval.density import density
from soprag.tools.evaluation.retrieval.plots import Label, interval_plot, trade_off_plot
from soprag.tools.evaluation.retrieval.report import headline, render, write_evaluation
from soprag.tools.evaluation.retrieval.systems import Kind
from soprag.tools.sop import Sop

PLAN = EvaluationPlan(k=10, bootstrap=200, seed=7)
ORDERS = {"q1": "pump", "q2": "valve", "q3": "fan"}


class Scripted:
    """Puts the right SOP at a place of its own choosing."""

    def __init__(self, name: str, kind: Kind, place: int, weights: tuple[float, float, float] | None = None) -> None:
        self.name, self.kind, self.place, self.weights = name, kind, place, weights

    def index(self, corpus: Sequence[Sop]) -> dict[str, float]:
        self.ids = [sop.id for sop in corpus]
        return {"extract": 1.0, "embed": 2.0}

    def rank(self, question: str, k: int) -> SystemRanking:
        right = next(name for name in self.ids if name in question)
        order = [name for name in self.ids if name != right]
        order.insert(self.place - 1, right)
        hits = tuple((name, -float(place)) for place, name in enumerate(order[:k]))
        return SystemRanking(hits, {"route": 0.002, "rank": 0.001}, self.weights)


@pytest.fixture
def result(folder: Any) -> BenchmarkResult:
    systems = [
        Scripted("soprag", "soprag", 1, (0.2, 0.3, 0.5)),
        Scripted("soprag-no-flow", "ablation", 2),
        Scripted("weak", "baseline", 4),
        Scripted("<strong>", "baseline", 2),
    ]
    heard: list[str] = []
    done = evaluate(read_benchmark(folder.path), systems, PLAN, heard.append)
    assert heard == [system.name for system in systems]
    return done


@pytest.fixture
def evaluation(result: BenchmarkResult) -> Evaluation:
    made = {"version": "1", "created": "now", "embedding": "minilm", "k": 10, "bootstrap": 200, "seed": 7}
    return Evaluation(benchmarks=(result,), **made)


def test_every_system_is_held_against_the_best_baseline(result: BenchmarkResult) -> None:
    soprag, ablation, weak, strong = result.systems
    assert result.best_baseline == "<strong>"
    assert strong.against_baseline is None
    assert soprag.against_baseline is not None
    assert soprag.against_baseline.gain.mean == 0.5
    assert (soprag.against_baseline.better, soprag.against_baseline.worse) == (3, 0)
    assert weak.against_baseline is not None
    assert weak.against_baseline.gain.mean == -0.25
    assert ablation.against_full is not None
    assert ablation.against_full.gain.mean == -0.5
    assert soprag.against_full is None


def test_levels_ranks_times_and_weights_are_kept(result: BenchmarkResult) -> None:
    soprag, ablation = result.systems[:2]
    assert result.levels == {"keyword": 2, "direct": 1}
    assert soprag.levels["direct"]["MRR"].mean == 1
    assert ablation.ranks == {"q1": 2, "q2": 2, "q3": 2}
    assert soprag.latency["route"].median == pytest.approx(2)
    assert set(soprag.latency) == {"route", "rank", "total"}
    assert soprag.index_seconds == {"extract": 1, "embed": 2, "total": 3}
    assert soprag.weights == ((0.2, 0.3, 0.5),) * 3
    assert ablation.weights is None


def test_without_baselines_there_is_nothing_to_compare(folder: Any) -> None:
    only = evaluate(read_benchmark(folder.path), [Scripted("soprag", "soprag", 1)], PLAN)
    assert only.best_baseline == ""
    assert only.systems[0].against_baseline is None
    assert "first for 100\N{NO-BREAK SPACE}%" in headline(only)


def test_the_table_names_the_best_baseline_and_the_gain(evaluation: Evaluation) -> None:
    text = evaluation.text()
    lines = {line.split()[0]: line for line in reversed(text.splitlines()) if line.startswith("  ")}
    assert "<strong> <" in lines["<strong>"]
    assert "+0.500" in lines["soprag"]
    assert max(map(len, text.splitlines())) <= 120


def test_the_page_stands_alone_and_its_drawings_are_well_formed(evaluation: Evaluation, tmp_path: Path) -> None:
    write_evaluation(tmp_path, evaluation)
    page = (tmp_path / "evaluation.html").read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=|url\(|@import", page)
    drawings = re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)
    assert len(drawings) == 3
    for drawing in drawings:
        ElementTree.fromstring(drawing)
    assert "&lt;strong&gt;" in page
    assert "<strong> (best" not in page
    assert "What each part is worth" in page
    stored = json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))
    assert Evaluation.model_validate(stored) == evaluation


def test_the_page_says_nothing_about_parts_or_weights_that_were_not_run(folder: Any, evaluation: Evaluation) -> None:
    plain = evaluate(read_benchmark(folder.path), [Scripted("bm25", "baseline", 1)], PLAN)
    page = render(evaluation.model_copy(update={"benchmarks": (plain,)}))
    assert "What each part is worth" not in page
    assert "Gating weights" not in page


def test_the_axis_of_mrr_ends_at_one(evaluation: Evaluation) -> None:
    systems = evaluation.benchmarks[0].systems
    for drawing in (interval_plot(systems), trade_off_plot(systems)):
        labels = {mark.text for mark in drawing.marks if isinstance(mark, Label)}
        assert "1" in labels and not labels & {"1.05", "1.1"}


def test_a_density_has_an_area_of_one_and_its_peak_at_the_numbers() -> None:
    for values in (np.full(50, 0.3), np.random.default_rng(1).beta(2, 5, 250), np.zeros(10), np.array([1.0])):
        grid, height = density(values)
        assert np.trapezoid(height, grid) == pytest.approx(1, abs=0.02)
    grid, height = density(np.full(50, 0.3))
    assert grid[height.argmax()] == pytest.approx(0.3)
