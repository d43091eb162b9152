"""How likely a way out of a step is wrong: a logistic regression that marks, and never changes, what was read.

The coefficients are data (`way_model.json`), fitted by `python -m soprag.benchmarks.quality.way_fitting` on annotated
texts that were read with models of blocks that had not seen them.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep
from soprag.tools.procedure.weighing.block_evidence import Signs
from soprag.tools.procedure.weighing.block_model import chance
from soprag.tools.procedure.weighing.way_evidence import WayEvidence
from soprag.tools.sop import Unresolved

DOUBTED = 0.3  # the chance of a wrong way from which the operator is asked
DECISION_DOUBTED = 0.4  # of a decision, where a run shows anyhow where each of the ways leads
_UNLIKE = 0.25  # mean chance in a text from which it is unlike those that are read well ...
_UNLIKE_DOUBTED = 0.2  # ... and the chance from which the operator is asked there
_REASON = "may lead elsewhere: texts laid out like this one often mean another way here"
_REASONS = "and the lines after it may not be done in this order: texts laid out like these often mean another way"


@dataclass(frozen=True)
class WayModel:
    """The weights of the signs for "a way out of this step is wrong"; without weights nothing is doubted."""

    astray: Signs = field(default_factory=dict)

    def chances(self, signs: dict[str, Signs]) -> dict[str, float]:
        """Step -> the chance that one of its ways is wrong, from the signs of each step."""
        return {step: chance(self.astray, seen) for step, seen in signs.items()}

    def marked(self, flow: ProcedureFlow, evidence: WayEvidence) -> ProcedureFlow:
        """The flow with every step in doubt listed as unresolved.

        Steps that are listed already stay as they are, and so do orderly ways: what the model doubts there was hardly
        ever wrong on texts it had not seen. In a text in which many ways are in doubt it sees too few of the wrong
        ones, so that less is enough there.
        """
        if not self.astray:
            return flow
        signs, ways = evidence.signs(), Counter(source for source, _ in _pairs(flow))
        chances = self.chances(signs)
        listed = {part.step for part in flow.unresolved} | evidence.orderly(signs)
        unlike = sum(chances.values()) > _UNLIKE * len(chances)
        bounds = {step: _bound(ways[step], unlike=unlike) for step in chances}
        doubted = frozenset(step for step, astray in chances.items() if astray > bounds[step] and step not in listed)
        doubts = tuple(map(_doubt, evidence.runs(doubted)))
        return flow.model_copy(update={"unresolved": (*flow.unresolved, *doubts)})


def _bound(ways: int, *, unlike: bool) -> float:
    """The chance from which a step with so many ways is in doubt; `unlike`: the text is unlike those read well."""
    if ways > 1:
        return DECISION_DOUBTED
    return _UNLIKE_DOUBTED if unlike else DOUBTED


def _doubt(steps: Sequence[ProcedureStep]) -> Unresolved:
    """One question for neighbouring steps of a list, asked at the first of them with the lines of all."""
    lines = tuple(dict.fromkeys(step.lines[0] for step in steps))
    return Unresolved(lines=lines, reason=_REASONS if len(steps) > 1 else _REASON, step=steps[0].id, doubt=True)


def _pairs(flow: ProcedureFlow) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in flow.edges}


@cache
def fitted_ways() -> WayModel:
    """The model that the package ships."""
    data = json.loads((Path(__file__).parent / "way_model.json").read_text(encoding="utf-8"))
    return WayModel(data["astray"])
