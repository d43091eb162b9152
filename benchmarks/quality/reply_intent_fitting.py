"""Fits the reader of replies that are no commands, as a softmax regression over sentence vectors of MiniLM.

The phrases stand in `examples/questions/run_replies.jsonl`: those with `part` "fit" teach, those with "report" were
written beside them and are only counted. `python -m soprag.benchmarks.quality.reply_intent_fitting` fits, prints the
shares by ten-fold cross-validation and on the reported phrases, and writes `tools/flow/reply_intents.json`.
"""

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Embedder
from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.flow.reply_intent import OTHER, IntentModel, kinds_of, plain_reply

_PULL, _ROUNDS, _RATE, _FOLDS = 1e-4, 2000, 4.0, 10

Matrix = NDArray[np.float64]


class LabelledReply(NamedTuple):
    """A reply, its kind, and whether it teaches ("fit") or is only counted ("report")."""

    kind: str
    text: str
    part: str


class IntentShares(NamedTuple):
    """Shares of replies: questions about the plant that stay so, intents read rightly, and read as another intent."""

    other_kept: float
    right: float
    wrong: float


def labelled(part: str) -> list[LabelledReply]:
    """The phrases of one part."""
    rows = files("soprag.examples").joinpath("questions/run_replies.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in (LabelledReply(**json.loads(line)) for line in rows) if row.part == part]


def fit(embedder: Embedder, rows: list[LabelledReply]) -> IntentModel:
    """The model taught by `rows`."""
    vectors = _vectors(embedder, rows)
    kinds = kinds_of([row.kind for row in rows])
    return _fitted(vectors, kinds, [row.kind for row in rows])


def shares(model: IntentModel, embedder: Embedder, rows: list[LabelledReply]) -> IntentShares:
    """How `rows` are read."""
    vectors = _vectors(embedder, rows).astype(np.float32)
    return _counted([(row.kind, model.read(vector) or OTHER) for row, vector in zip(rows, vectors, strict=True)])


def validated(embedder: Embedder, rows: list[LabelledReply]) -> IntentShares:
    """How `rows` are read by models that have not seen them."""
    vectors, kinds = _vectors(embedder, rows), kinds_of([row.kind for row in rows])
    order = np.random.default_rng(0).permutation(len(rows))
    pairs = []
    for fold in range(_FOLDS):
        held = set(order[fold::_FOLDS].tolist())
        taught = [place for place in range(len(rows)) if place not in held]
        model = _fitted(vectors[taught], kinds, [rows[place].kind for place in taught])
        read = {place: model.read(vectors[place].astype(np.float32)) or OTHER for place in held}
        pairs += [(rows[place].kind, kind) for place, kind in read.items()]
    return _counted(pairs)


def _vectors(embedder: Embedder, rows: list[LabelledReply]) -> Matrix:
    return np.asarray(embedder.embed([plain_reply(row.text) for row in rows]), np.float64)


def _fitted(vectors: Matrix, kinds: tuple[str, ...], labels: list[str]) -> IntentModel:
    """Softmax regression with L2 regularisation, by gradient descent."""
    truth = np.eye(len(kinds))[[kinds.index(label) for label in labels]]
    weights, biases = np.zeros((vectors.shape[1], len(kinds))), np.zeros(len(kinds))
    for _ in range(_ROUNDS):
        logits = vectors @ weights + biases
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        error = (raised / raised.sum(axis=1, keepdims=True) - truth) / len(labels)
        weights = weights - _RATE * (vectors.T @ error + _PULL * weights)
        biases = biases - _RATE * error.sum(axis=0)
    return IntentModel(kinds, weights.astype(np.float32), biases.astype(np.float32))


def _counted(pairs: list[tuple[str, str]]) -> IntentShares:
    others = [read for kind, read in pairs if kind == OTHER]
    intents = [(kind, read) for kind, read in pairs if kind != OTHER]
    right = sum(kind == read for kind, read in intents)
    wrong = sum(read not in (kind, OTHER) for kind, read in intents)
    every = max(len(intents), 1)
    return IntentShares(
        round(others.count(OTHER) / max(len(others), 1), 3), round(right / every, 3), round(wrong / every, 3)
    )


def main(file: Path) -> None:
    """Fit, write the weights to `file`, and print the shares."""
    embedder, taught = MiniLm(), labelled("fit")
    model = fit(embedder, taught)
    file.write_text(model.model_json(), encoding="utf-8")
    found = {"cross-validated": validated(embedder, taught), "reported": shares(model, embedder, labelled("report"))}
    sys.stdout.write(json.dumps({name: part._asdict() for name, part in found.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(__file__).resolve().parents[2] / "tools" / "flow" / "reply_intents.json")
