"""What a reply means that is no command: a question about the run itself, or a command in other words.

A softmax regression over sentence vectors of MiniLM, fitted by `soprag.benchmarks.quality.reply_intent_fitting`. Below
a chance of `SURE` a reply is a question about the plant. No intent moves a run: see `run_questions`.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.flow.message_intent import is_courtesy, is_guide_request

Intent = Literal[
    "", "position", "next", "repeat", "warnings", "back", "ahead", "skip", "unsure", "done", "yes", "no", "stop", "help"
]
ReadIntent = Callable[[str], Intent]
FITTED_TO = "minilm"  # the embedding model whose vectors are read
OTHER = "other"  # a question about the plant
SURE = 0.4  # the least chance with which 98 % of the questions about the plant stay questions, by cross-validation
_MOST_WORDS = 14  # a longer reply tells or asks something
_KINDS = frozenset(get_args(Intent)) - {""}


def plain_reply(text: str) -> str:
    """The form of a reply that is embedded: case and closing marks tell nothing."""
    return " ".join(text.casefold().split()).rstrip("?!. ")


@dataclass(frozen=True)
class IntentModel:
    """Weights (dimension, kinds) and biases (kinds,); the kinds are those of `Intent` and `other`."""

    kinds: tuple[str, ...]
    weights: Vectors
    biases: Vectors

    def chances(self, vectors: Vectors) -> Vectors:
        """The chance of every kind for each vector; shape (vectors, kinds)."""
        logits = vectors @ self.weights + self.biases
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances: Vectors = raised / raised.sum(axis=1, keepdims=True)
        return chances

    def read(self, vector: Vectors) -> Intent:
        """The likeliest kind of one vector; empty for a question about the plant, or where none is likely enough."""
        chances = self.chances(vector[None])[0]
        kind = self.kinds[int(chances.argmax())]
        return kind if kind in _KINDS and chances.max() >= SURE else ""  # type: ignore[return-value]

    def model_json(self) -> str:
        """The weights as `fitted_intents` reads them."""
        rows = [[round(float(weight), 2) for weight in row] for row in self.weights.T]
        parts = {"kinds": self.kinds, "biases": [round(float(bias), 3) for bias in self.biases], "weights": rows}
        return json.dumps(parts) + "\n"


@cache
def fitted_intents() -> IntentModel:
    """The model that ships; it is fitted to MiniLM."""
    parts = json.loads(files("soprag.tools.flow").joinpath("reply_intents.json").read_text(encoding="utf-8"))
    weights = np.array(parts["weights"], np.float32).T
    return IntentModel(tuple(parts["kinds"]), weights, np.array(parts["biases"], np.float32))


def intent_reader(embed: Callable[[list[str]], Vectors]) -> ReadIntent:
    """What reads the intent of a reply; `embed` gives unit vectors of MiniLM, shape (texts, dimension)."""

    def read(reply: str) -> Intent:
        words = plain_reply(reply)
        if not words or len(words.split()) > _MOST_WORDS or is_courtesy(reply) or is_guide_request(reply):
            return ""
        return fitted_intents().read(embed([words])[0])

    return read


def no_intent(reply: str) -> Intent:
    """Reads nothing, where there are no vectors of MiniLM."""
    return ""


def kinds_of(rows: Sequence[str]) -> tuple[str, ...]:
    """The kinds of training phrases in a fixed order; raises `ValueError` for one that is not known."""
    unknown = set(rows) - _KINDS - {OTHER}
    if unknown:
        raise ValueError(f"No intents: {', '.join(sorted(unknown))}.")
    return tuple(sorted(set(rows)))
