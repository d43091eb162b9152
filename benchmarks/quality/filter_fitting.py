"""Fits the signal weights of the document filter to labelled documents, with held-out validation.

Logistic regression with balanced classes, and balanced corpora within each class; L2 regularisation towards the manual
weights in `PRIOR`, and no change of sign. `python -m soprag.benchmarks.quality.filter_fitting DATA` fits on the corpora
below DATA and on the pages of one half of the installed packages, and prints the weights and the held-out checks.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from soprag.benchmarks.quality.corpora import LabelledDocument, read_corpora
from soprag.benchmarks.quality.package_documents import read_packages
from soprag.tools.procedure.filtering.document_filter import signals
from soprag.tools.procedure.filtering.filter_features import extract_features
from soprag.tools.sop import Frozen

PRIOR = {
    "directing": 2.0,
    "orders": 1.0,
    "steps": 1.5,
    "commands": 1.0,
    "conditionals": 0.7,
    "warnings": 0.5,
    "acting": 1.0,
    "reporting": -1.0,
    "report title": -1.0,
    "past": -1.5,
    "dates": -1.0,
    "versions": -1.0,
    "links": -1.0,
    "ours": -0.7,
    "pointers": -1.0,
    "package page": -1.5,
    "legal": -1.5,
    "program": -1.0,
    "installs": -1.0,
    "badges": -1.0,
    "changes": -1.5,
}
_PRIOR_BIAS = -1.7
_PULL = 0.01
_SOPS = 0.45  # weight of the SOPs; what is let in wrongly is shown to operators, what is left out is reported
_ROUNDS = 6000
_RATE = 0.5

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """Weights by the name of their signal, and the bias."""

    weights: dict[str, float]
    bias: float


class FilterFit(Frozen):
    """Held-out recall of both classes; a share is None when the class is empty."""

    held_out: str
    documents: int
    kept: float | None = Field(description="share of the SOPs that was kept")
    stopped: float | None = Field(description="share of the other documents that was stopped")


def fit(documents: Sequence[LabelledDocument]) -> Fit:
    """Fit weights and bias to the documents."""
    weights, bias = _descend(_values(documents), _truth(documents), _importance(documents))
    by_signal = {name: round(float(weight), 2) for name, weight in zip(PRIOR, weights, strict=True)}
    return Fit(by_signal, round(bias, 2))


def check(documents: Sequence[LabelledDocument], seed: int = 7, rounds: int = 10) -> list[FilterFit]:
    """Held-out checks: random halves, averaged over `rounds`, then leave-one-corpus-out for each SOP corpus."""
    values, truth, importance = _values(documents), _truth(documents), _importance(documents)
    chance = np.random.default_rng(seed)
    halves = [chance.random(len(truth)) < 0.5 for _ in range(rounds)]
    predicted, actual = zip(*((_try(values, truth, importance, half), truth[half]) for half in halves), strict=True)
    checks = [_check(f"one half, {rounds} times", np.concatenate(predicted), np.concatenate(actual))]
    for name in sorted({document.corpus for document in documents}):
        unseen = np.array([document.corpus == name for document in documents])
        if truth[~unseen].any() and not truth[~unseen].all():
            checks.append(_check(name, _try(values, truth, importance, unseen), truth[unseen]))
    return checks


def _values(documents: Sequence[LabelledDocument]) -> Matrix:
    rows = [
        {signal.name: signal.value for signal in signals(extract_features(document.name, document.markdown))}
        for document in documents
    ]
    return np.array([[row[name] for name in PRIOR] for row in rows])


def _truth(documents: Sequence[LabelledDocument]) -> Matrix:
    return np.array([float(document.is_sop) for document in documents])


def _importance(documents: Sequence[LabelledDocument]) -> Matrix:
    """Weights of the documents: a corpus of a class counts as much as another one, whatever their sizes."""
    sizes = Counter((document.is_sop, document.corpus) for document in documents)
    return np.array([1 / sizes[document.is_sop, document.corpus] for document in documents])


def _descend(values: Matrix, truth: Matrix, importance: Matrix) -> tuple[Matrix, float]:
    prior = np.array(list(PRIOR.values()))
    weights, bias = prior.copy(), _PRIOR_BIAS
    classes = ((1 - _SOPS, truth == 0), (_SOPS, truth == 1))
    importance = sum(
        (share * importance * members / max((importance * members).sum(), 1e-9) for share, members in classes),
        np.zeros(len(truth)),
    )
    for _ in range(_ROUNDS):
        error = importance * (1 / (1 + np.exp(-(values @ weights + bias))) - truth)
        weights = weights - _RATE * (values.T @ error + _PULL * (weights - prior))
        weights = np.where(weights * np.sign(prior) < 0, 0.0, weights)
        bias -= _RATE * float(error.sum())
    return weights, bias


def _try(values: Matrix, truth: Matrix, importance: Matrix, unseen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    weights, bias = _descend(values[~unseen], truth[~unseen], importance[~unseen])
    predicted: NDArray[np.bool_] = values[unseen] @ weights + bias > 0
    return predicted


def _check(name: str, predicted: NDArray[np.bool_], truth: Matrix) -> FilterFit:
    sops, others = truth == 1, truth == 0
    recall = round(float(predicted[sops].mean()), 3) if sops.any() else None
    stopped = round(float((~predicted[others]).mean()), 3) if others.any() else None
    return FilterFit(held_out=name, documents=len(truth), kept=recall, stopped=stopped)


def main(data: Path) -> None:
    """Fit on the corpora below `data` and the packages to fit on; print the weights and the held-out checks."""
    documents = [*read_corpora(data), *read_packages("fitted")]
    fitted = fit(documents)
    lines = [f"BIAS = {fitted.bias}", *(f'    "{name}": {weight},' for name, weight in fitted.weights.items())]
    lines += [check.model_dump_json() for check in check(documents)]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
