"""Baselines for SOPRAG: lexical, dense and hybrid search from standard components."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from soprag.tools.embedding import Embedder
from soprag.tools.evaluation.retrieval.signals import Scores, Signals
from soprag.tools.evaluation.retrieval.systems import Kind, Stopwatch, SystemRanking
from soprag.tools.sop import Sop

RRF = 60  # the constant of Cormack, Clarke and Büttcher (2009)

Fusion = Callable[[list[Scores]], Scores]


@dataclass
class Baseline:
    """Scores by some signals, fused into one."""

    name: str
    parts: tuple[str, ...]
    fuse: Fusion
    signals: Signals
    kind: Kind = "baseline"
    _ids: list[str] = field(default_factory=list)

    def index(self, corpus: Sequence[Sop]) -> Mapping[str, float]:
        """See `System`."""
        self.signals.take(corpus)
        self._ids = [sop.id for sop in corpus]
        watch: dict[str, float] = {}
        for part in self.parts:
            for stage, seconds in self.signals.get(part)[1].items():
                watch[stage] = watch.get(stage, 0.0) + seconds
        return watch

    def rank(self, question: str, k: int) -> SystemRanking:
        """See `System`."""
        watch = Stopwatch()
        scores = [self.signals.get(part)[0].scores(question, watch) for part in self.parts]
        with watch.stage("fuse"):
            fused = self.fuse(scores)
            best = np.argsort(-fused, kind="stable")[:k]
            hits = tuple((self._ids[row], float(fused[row])) for row in best if np.isfinite(fused[row]))
        return SystemRanking(hits, watch.seconds)


def baselines(signals: Signals) -> list[Baseline]:
    """All baselines, from the plainest to the strongest; they share `signals`."""
    makers: list[tuple[str, tuple[str, ...], Fusion]] = [
        ("bm25", ("words",), matching),
        ("bm25-pairs", ("word pairs",), matching),
        ("dense", ("vectors",), alone),
        ("dense-passages", ("passage vectors",), alone),
        ("hybrid-rrf", ("words", "passage vectors"), reciprocal),
        ("hybrid", ("words", "passage vectors"), standardised),
        ("hybrid-pairs", ("word pairs", "passage vectors"), standardised),
        ("hybrid-passages", ("word pairs", "passage word pairs", "passage vectors"), standardised),
    ]
    return [Baseline(name, parts, fuse, signals) for name, parts, fuse in makers]


def alone(scores: list[Scores]) -> Scores:
    """One signal as it is."""
    return scores[0]


def matching(scores: list[Scores]) -> Scores:
    """One lexical signal; an SOP without any of the words is no hit."""
    return np.where(scores[0] > 0, scores[0], -np.inf)


def reciprocal(scores: list[Scores]) -> Scores:
    """Reciprocal rank fusion; equal scores have equal ranks."""
    fused: Scores = np.sum([1 / (RRF + 1 + _ahead(each)) for each in scores], axis=0)
    return fused


def standardised(scores: list[Scores]) -> Scores:
    """The sum of the signals, each with mean 0 and deviation 1 over the corpus."""
    fused: Scores = np.sum([(each - each.mean()) / (each.std() + 1e-9) for each in scores], axis=0)
    return fused


def _ahead(scores: Scores) -> Scores:
    """How many are better, for each."""
    return np.searchsorted(np.sort(-scores), -scores, side="left").astype(np.float64)


def open_baselines(embedder: Embedder, asker: Embedder | None = None) -> list[Baseline]:
    """All baselines on their own signals; `asker` embeds the questions when that shall be another embedder."""
    return baselines(Signals(embedder, asker))
