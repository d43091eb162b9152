"""Whether a step begins at a block, and whether other lines belong to the step before: two logistic regressions.

The coefficients are data (`block_model.json`), fitted by `python -m soprag.benchmarks.quality.flow_fitting`, which also
writes what they were fitted on and how they fare on texts left out. Items of one list are judged together: the chance
of an item is the mean of its own log-odds and those of its list.
"""

import json
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from soprag.tools.procedure.block_evidence import PlacedBlock, Signs, Verdicts, signs
from soprag.tools.procedure.block_opinions import BlockOpinions
from soprag.tools.procedure.section_evidence import pair_signs, section_pairs
from soprag.tools.procedure.sections import Section

_CERTAIN = 8.0  # log-odds beyond this are certain


@dataclass(frozen=True)
class BlockModel:
    """The weights of the signs for "a step begins here" and for "belongs to the step before"."""

    begins: Signs
    belongs: Signs
    apart: Signs

    def judge(self, root: Section, places: list[PlacedBlock], ruled: Verdicts) -> BlockOpinions:
        """The opinions on all blocks of a document, of which the rules alone read `ruled`."""
        seen = [(place, signs(place, ruled)) for place in places]
        odds = {id(place.block): _log_odds(self.begins, found) for place, found in seen}
        return BlockOpinions(
            {place.block.lines[0]: _chance(_with_list(place, odds)) for place, _ in seen},
            {place.block.lines[0]: _chance(_log_odds(self.belongs, found)) for place, found in seen},
            {
                (one.index, other.index): _chance(_log_odds(self.apart, pair_signs(parent, one, other)))
                for parent, one, other in section_pairs(root)
            },
        )


def _with_list(place: PlacedBlock, odds: dict[int, float]) -> float:
    own = odds[id(place.block)]
    others = [odds[id(one)] for one in place.siblings if id(one) in odds]
    return (own + sum(others) / len(others)) / 2 if others else own


def _log_odds(weights: Signs, found: Signs) -> float:
    total = sum(weights.get(name, 0.0) * value for name, value in found.items())
    return max(-_CERTAIN, min(_CERTAIN, total))


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


@cache
def fitted() -> BlockModel:
    """The model that the package ships."""
    data = json.loads((Path(__file__).parent / "block_model.json").read_text(encoding="utf-8"))
    return BlockModel(data["begins"], data["belongs"], data["apart"])
