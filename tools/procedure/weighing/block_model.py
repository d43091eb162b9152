"""Whether a step begins at a block, and whether other lines belong to the step before: two logistic regressions.

The coefficients are data (`block_model.json`), fitted by `python -m soprag.benchmarks.quality.flow_fitting`, which also
writes what they were fitted on and how they fare on texts left out. Items of one list are judged together: the chance
of an item is the mean of its own log-odds and those of its list.
"""

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from statistics import fmean

from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.weighing.block_evidence import PlacedBlock, Signs, Verdicts, signs
from soprag.tools.procedure.weighing.section_evidence import pair_signs, section_pairs

_CERTAIN = 8.0  # log-odds beyond this are certain


@dataclass(frozen=True)
class BlockModel:
    """The weights of the signs for "a step begins here" and for "belongs to the step before"."""

    begins: Signs
    belongs: Signs
    apart: Signs

    def judge(self, root: Section, places: list[PlacedBlock], ruled: Verdicts) -> BlockOpinions:
        """The opinions on all blocks of a document, of which the rules alone read `ruled`."""
        seen = signs(places, ruled)
        odds = _joint(places, [_log_odds(self.begins, found) for found in seen])
        firsts = [place.block.lines[0] for place in places]
        return BlockOpinions(
            dict(zip(firsts, map(_chance, odds), strict=True)),
            {first: chance(self.belongs, found) for first, found in zip(firsts, seen, strict=True)},
            {
                (one.index, other.index): chance(self.apart, pair_signs(parent, one, other))
                for parent, one, other in section_pairs(root)
            },
        )


def _joint(places: list[PlacedBlock], odds: list[float]) -> list[float]:
    """The log-odds of each block, those of an item as the mean of its own and of the mean of its list."""
    lists: defaultdict[int, list[float]] = defaultdict(list)
    for place, own in zip(places, odds, strict=True):
        lists[id(place.items)].append(own)
    means = {items: fmean(together) for items, together in lists.items()}
    return [(own + means[id(place.items)]) / 2 if place.items else own for place, own in zip(places, odds, strict=True)]


def _log_odds(weights: Signs, found: Signs) -> float:
    total = sum(weights.get(name, 0.0) * value for name, value in found.items())
    return max(-_CERTAIN, min(_CERTAIN, total))


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def chance(weights: Signs, found: Signs) -> float:
    """What a logistic regression with these weights makes of signs."""
    return _chance(_log_odds(weights, found))


@cache
def fitted() -> BlockModel:
    """The model that the package ships."""
    data = json.loads((Path(__file__).parent / "block_model.json").read_text(encoding="utf-8"))
    return BlockModel(data["begins"], data["belongs"], data["apart"])
