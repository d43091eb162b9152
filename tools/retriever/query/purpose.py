"""Purpose: whether a question reports an abnormal state, and whether an SOP responds to one or is planned work.

Two logistic classifiers over sentence vectors of MiniLM, fitted by `soprag.benchmarks.quality.purpose_fitting`: reports
against orders for questions, responses against planned work for procedures. A report moves responses up and planned
work down; an order moves nothing, because its words name the work. The fewer words a report has the less they tell
procedures apart, so that the purpose weighs more.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.query.ranking import Scores

FITTED_TO = "minilm"  # the embedding model whose vectors the classifiers read
_STEEPNESS = 0.6  # of tanh over logits: an agreement of 0.8 at odds of 6 to 1
_NEUTRAL = 0.5  # logit of a procedure that is as much a response as planned work, the mean of SOPs of several corpora
_ASKS = re.compile(r"\?|^\W*(?:wh\w+|how|is|are|do|does|did|can|may|must|should|shall)\b", re.IGNORECASE)
_TERMS = 10  # terms of a question for which the setting is the weight
_FEWEST = 4


@dataclass(frozen=True)
class TextClassifier:
    """A logistic classifier over sentence vectors: `weights` (dimension,) and a bias."""

    weights: Vectors
    bias: float

    def logits(self, vectors: Vectors) -> Scores:
        """The log-odds of each vector; shape (vectors,), or a scalar for one vector."""
        logits: Scores = vectors @ self.weights + self.bias
        return logits


@dataclass(frozen=True)
class PurposeModel:
    """The classifier of questions (report or order) and that of procedures (response or planned work)."""

    report: TextClassifier
    response: TextClassifier

    def agreement(self, question: Vectors, gists: Vectors, terms: int) -> Scores:
        """How far each gist (candidates, d) is what a question (d,) of `terms` terms asks for; 0 for an order."""
        reported = max(float(np.tanh(_STEEPNESS * self.report.logits(question))), 0.0)
        responds = np.tanh(_STEEPNESS * (self.response.logits(gists) - _NEUTRAL))
        agreement: Scores = (reported * responds * _TERMS / max(terms, _FEWEST)).astype(np.float32)
        return agreement

    def is_report(self, text: str, vector: Vectors) -> bool:
        """Whether a text with its vector (d,) reports a state, and neither asks nor orders something."""
        return not _ASKS.search(text) and float(self.report.logits(vector)) > 0

    def model_json(self) -> str:
        """The weights as `fitted_purpose` reads them."""
        parts = {"report": self.report, "response": self.response}
        rounded = {
            name: {"bias": part.bias, "weights": [round(float(weight), 3) for weight in part.weights]}
            for name, part in parts.items()
        }
        return json.dumps(rounded) + "\n"


@cache
def fitted_purpose() -> PurposeModel:
    """The model that ships; it is fitted to MiniLM."""
    parts = json.loads(files("soprag.tools.retriever.query").joinpath("purpose.json").read_text(encoding="utf-8"))
    report, response = (
        TextClassifier(np.array(parts[name]["weights"], np.float32), parts[name]["bias"])
        for name in ("report", "response")
    )
    return PurposeModel(report, response)
