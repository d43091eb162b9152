"""Draws of generated questions, tried together with those of people on one indexed corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from soprag.agents.examiner import Examiner
from soprag.benchmarks.quality.prediction import DrawnRules, measure_prediction
from soprag.configs.settings import ExamineSettings
from soprag.tools.evaluation.panel import PanelMeasurement, PanelPlan
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, benchmark_of
from soprag.tools.evaluation.retrieval.systems import Kind, SystemRanking
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Question, Sop, Span
from tests.words import WordEmbedder

TEXTS = {
    "pump": "# Pump\n\nThe pump is leaking.\n\n1. Close the suction valve.\n"
    "2. If the suction valve is stuck, replace the mechanical seal.\n",
    "hoist": "# Hoist\n\nThe hoist has stopped below the limit.\n\n1. Lower the hook.\n"
    "2. If the brake lining is worn, call the duty engineer.\n",
}


@dataclass
class FirstWins:
    """Ranks one SOP first, whatever is asked, and counts how often it was given a corpus."""

    name: str
    best: str
    kind: Kind = "baseline"
    indexed: list[int] = field(default_factory=list)

    def index(self, corpus: Sequence[Sop]) -> Mapping[str, float]:
        """Count."""
        self.indexed.append(len(corpus))
        return {}

    def rank(self, question: str, k: int) -> SystemRanking:
        """The best first."""
        return SystemRanking(tuple((sop, 1.0 if sop == self.best else 0.5) for sop in TEXTS))


def people() -> Benchmark:
    sops = [
        Sop(id=id, title=id.title(), text=text, document="d", span=Span(start=1, end=1)) for id, text in TEXTS.items()
    ]
    asked = [
        Question(id=sop.id, sop=sop.id, level="direct", text=f"What about the {sop.id}?", evidence="-") for sop in sops
    ]
    return benchmark_of(sops, asked, Path("benchmark"))


def test_draws_are_compared_on_a_corpus_that_each_system_indexes_once() -> None:
    systems = [FirstWins("a", "pump"), FirstWins("b", "hoist")]
    settings = ExamineSettings(questions=5, sample=50, rounds=1, duplicate=0.92, seed=7)
    examiners = [Examiner(llm, WordEmbedder(), settings) for llm in (RulesLlm(), DrawnRules(draw=1))]
    panel = PanelMeasurement(lambda: (systems, lambda: None), PanelPlan(k=10, draws=10, seed=7))
    agreements, generated = measure_prediction(people(), examiners, panel)
    assert [system.indexed for system in systems] == [[2], [2]]
    assert len(agreements) == 2
    for agreement in agreements:
        assert agreement.wanted == 10
        assert {system.name: system.real for system in agreement.systems} == {"a": 0.75, "b": 0.75}
    first = sum(level.generated.questions for level in agreements[0].levels)
    assert 0 < first <= len(generated.queries)
