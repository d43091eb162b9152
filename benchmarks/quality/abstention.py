"""Whether confidence tells questions that an index answers from those that it does not; and the fit of its weights.

Three kinds of questions that an index cannot answer: its own with the SOP that answers them left out of the ranking
(near duplicates that stay make these hard), questions of another corpus of the same kind, and questions off the topic.
The first two are half on the topic. Weights are fitted on one corpus and reported on the other, and on both for use.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from soprag.configs.settings import RetrieverSettings
from soprag.tools.evaluation.retrieval.fitting import QuestionCandidates
from soprag.tools.retriever.query.confidence import FEATURES
from soprag.tools.sop import Frozen

OFF_TOPIC = (
    "which wine goes with grilled salmon", "how do I knit a scarf with two colours", "who won the chess championship",
    "best time to visit the coast of Portugal", "recipe for bread with three kinds of flour",
    "learn the violin at forty",
    "what is the plot of that famous whale novel", "how tall is the highest mountain of the Alps",
    "my cat does not eat since yesterday", "train tickets from Vienna to Venice", "when do tulips flower",
    "how to write a letter of motivation", "the rules of water polo", "translate good morning into Finnish",
    "which shoes fit a dark blue suit", "how long do I boil an egg for breakfast", "songs for a wedding in summer",
    "how is the weather on Sunday", "prices of flats in the city centre", "how do vaccines work",
)  # fmt: skip
REFUSED = 0.05  # share of the answerable questions that the threshold may refuse
_PULL, _ROUNDS, _RATE = 1e-3, 4000, 1.0

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class AskedQuestions:
    """Questions asked of the index of one corpus: its own, those of another corpus, and those off the topic."""

    corpus: str
    own: Sequence[QuestionCandidates]
    others: Sequence[QuestionCandidates]
    off_topic: Sequence[QuestionCandidates]

    def groups(self, settings: RetrieverSettings) -> dict[str, Matrix]:
        """The features of the first hits, by the kind of question; each of shape (questions, features)."""
        return {
            "answerable": _features(self.own, settings, answered=True),
            "left out": _features(self.own, settings, answered=False),
            "other corpus": _features(self.others, settings, answered=True),
            "off topic": _features(self.off_topic, settings, answered=True),
        }


@dataclass(frozen=True)
class ConfidenceFit:
    """Weights by the name of their feature, and the bias."""

    weights: dict[str, float]
    bias: float

    def probability(self, features: Matrix) -> Matrix:
        """The confidence of each row."""
        odds = features @ np.array([self.weights[name] for name in FEATURES]) + self.bias
        return np.asarray(1 / (1 + np.exp(-odds)))


class Separation(Frozen):
    """How well confidence separates on one corpus with weights and threshold fitted on another one."""

    fitted_on: str
    reported_on: str
    auroc: float = Field(description="of answerable against half-topic questions, both kinds weighing the same")
    auroc_of: dict[str, float] = Field(description="against each kind of unanswerable questions")
    threshold: float
    refused: dict[str, float] = Field(description="share of each kind whose confidence is below the threshold")


class AbstentionReport(Frozen):
    """The separation across corpora, and the weights and the threshold fitted on all of them."""

    separations: tuple[Separation, ...]
    weights: dict[str, float]
    bias: float
    threshold: float

    def render(self) -> str:
        """A table for a person."""
        lines = [f"{'fitted on':<14}{'reported on':<14}{'AUROC':>6}  against (and refused below the threshold)"]
        for row in self.separations:
            kinds = ", ".join(f"{kind} {value:.3f} ({row.refused[kind]:.0%})" for kind, value in row.auroc_of.items())
            answerable = f"answerable refused {row.refused['answerable']:.0%} below {row.threshold:.2f}"
            lines.append(f"{row.fitted_on:<14}{row.reported_on:<14}{row.auroc:>6.3f}  {kinds}; {answerable}")
        weights = ", ".join(f"{name} {value}" for name, value in self.weights.items())
        return "\n".join([*lines, f"For use: bias {self.bias}, {weights}; threshold {self.threshold:.2f}"])


def measure_abstention(asked: Sequence[AskedQuestions], settings: RetrieverSettings) -> AbstentionReport:
    """Fit on each corpus and report on every other; then fit on all."""
    groups = {questions.corpus: questions.groups(settings) for questions in asked}
    pairs = [(fitted, reported) for fitted in groups for reported in groups if fitted != reported]
    together = {kind: np.vstack([group[kind] for group in groups.values()]) for kind in next(iter(groups.values()))}
    final = fit(together)
    return AbstentionReport(
        separations=tuple(_separation(pair, groups) for pair in pairs),
        weights=final.weights,
        bias=final.bias,
        threshold=_threshold(final, together),
    )


def fit(group: dict[str, Matrix]) -> ConfidenceFit:
    """Logistic regression: answerable against the rest, both sides and the kinds within the rest weighing the same."""
    rest = [kind for kind in group if kind != "answerable"]
    shares = {"answerable": 0.5, **{kind: 0.5 / len(rest) for kind in rest}}
    features = np.vstack(list(group.values()))
    truth = np.concatenate([np.full(len(rows), float(kind == "answerable")) for kind, rows in group.items()])
    importance = np.concatenate([np.full(len(rows), shares[kind] / len(rows)) for kind, rows in group.items()])
    centre, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled, weights, bias = (features - centre) / spread, np.zeros(features.shape[1]), 0.0
    for _ in range(_ROUNDS):
        error = importance * (1 / (1 + np.exp(-(scaled @ weights + bias))) - truth)
        weights = weights - _RATE * (scaled.T @ error + _PULL * weights)
        bias -= _RATE * float(error.sum())
    natural = weights / spread
    names = {name: round(float(weight), 3) for name, weight in zip(FEATURES, natural, strict=True)}
    return ConfidenceFit(names, round(bias - float(natural @ centre), 3))


def auroc(answerable: Matrix, unanswerable: Matrix) -> float:
    """The probability that an answerable question has the higher confidence; ties count half."""
    higher = (answerable[:, None] > unanswerable[None, :]).mean()
    equal = (answerable[:, None] == unanswerable[None, :]).mean()
    return round(float(higher + equal / 2), 4)


def _separation(pair: tuple[str, str], groups: dict[str, dict[str, Matrix]]) -> Separation:
    fitted = fit(groups[pair[0]])
    threshold = _threshold(fitted, groups[pair[0]])
    sure = {kind: fitted.probability(rows) for kind, rows in groups[pair[1]].items()}
    of_kinds = {kind: auroc(sure["answerable"], values) for kind, values in sure.items() if kind != "answerable"}
    return Separation(
        fitted_on=pair[0],
        reported_on=pair[1],
        auroc=round((of_kinds["left out"] + of_kinds["other corpus"]) / 2, 4),
        auroc_of=of_kinds,
        threshold=threshold,
        refused={kind: round(float((values < threshold).mean()), 3) for kind, values in sure.items()},
    )


def _threshold(fitted: ConfidenceFit, group: dict[str, Matrix]) -> float:
    return round(float(np.quantile(fitted.probability(group["answerable"]), REFUSED)), 3)


def _features(questions: Sequence[QuestionCandidates], settings: RetrieverSettings, *, answered: bool) -> Matrix:
    return np.array([question.features(settings, answered=answered) for question in questions], np.float64)
