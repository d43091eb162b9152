"""Fits what tells reports from orders and response procedures from planned work, as one direction of MiniLM each.

Logistic regression on sentence vectors of phrases of many trades (`examples/questions/purpose.jsonl`). No question and
no procedure of a corpus is among them, so that every corpus is one to report on.
`python -m soprag.benchmarks.quality.purpose_fitting` fits, checks by leaving out every phrase once, and writes the
weights that `tools/retriever/query/purpose.py` reads.
"""

import json
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Embedder
from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.retriever.query.purpose import PurposeModel, TextClassifier

PAIRS = (("report", "order"), ("response", "work"))  # the first of each is what the classifier tells from the second
_PULL, _ROUNDS, _RATE = 3e-3, 3000, 1.0

Matrix = NDArray[np.float64]


def phrases(kind: str) -> list[str]:
    """The training phrases of one kind: report, order, response or work."""
    rows = files("soprag.examples").joinpath("questions/purpose.jsonl").read_text(encoding="utf-8").splitlines()
    return [row["text"] for row in map(json.loads, rows) if row["kind"] == kind]


def fit_model(embedder: Embedder) -> PurposeModel:
    """Both classifiers in the space of `embedder`."""
    return PurposeModel(*(_classifier(*_labelled(embedder, *pair)) for pair in PAIRS))


def left_out(embedder: Embedder) -> dict[str, float]:
    """The share of phrases that a classifier of all others tells rightly, by what it tells."""
    return {f"{first}/{second}": _accuracy(*_labelled(embedder, first, second)) for first, second in PAIRS}


def _labelled(embedder: Embedder, first: str, second: str) -> tuple[Matrix, Matrix]:
    texts: Sequence[list[str]] = (phrases(first), phrases(second))
    truth = np.concatenate([np.full(len(kind), float(not place)) for place, kind in enumerate(texts)])
    return np.asarray(embedder.embed([*texts[0], *texts[1]]), np.float64), truth


def _classifier(vectors: Matrix, truth: Matrix) -> TextClassifier:
    """Logistic regression with L2 regularisation, by gradient descent."""
    weights, bias = np.zeros(vectors.shape[1]), 0.0
    for _ in range(_ROUNDS):
        error = 1 / (1 + np.exp(-(vectors @ weights + bias))) - truth
        weights = weights - _RATE * (vectors.T @ error / len(truth) + _PULL * weights)
        bias -= _RATE * float(error.mean())
    return TextClassifier(weights.round(3).astype(np.float32), round(bias, 3))


def _accuracy(vectors: Matrix, truth: Matrix) -> float:
    right = 0
    for place in range(len(truth)):
        others = np.arange(len(truth)) != place
        right += bool(_classifier(vectors[others], truth[others]).logits(vectors[place]) > 0) == bool(truth[place])
    return round(right / len(truth), 3)


def main(file: Path) -> None:
    """Fit, write the weights to `file`, and print the checks."""
    embedder = MiniLm()
    file.write_text(fit_model(embedder).model_json(), encoding="utf-8")
    sys.stdout.write(f"{json.dumps(left_out(embedder))}\n")


if __name__ == "__main__":
    main(Path(__file__).resolve().parents[2] / "tools" / "retriever" / "query" / "purpose.json")
