"""The link scorer: the correction of a lead's prior log-odds, learned from the outcomes of pages that share its traits.

Online Bayesian logistic regression with a diagonal posterior (assumed density filtering): every trait (host, folder,
referring page, word of the title) has a weight with prior mean 0 and the prior spread of its kind. One outcome updates
the weights of its own traits, so time and memory do not depend on the number of pages fetched or waiting.
"""

from dataclasses import dataclass, field
from math import exp

_SPREAD = {
    "all": 0.5, "host": 0.5, "folder": 1.1, "parent": 1.1, "word": 0.45, "suffix": 0.3, "query": 0.3, "leaf": 0.8,
    "session": 1.5, "guess": 1.5, "close": 0.5,
}  # fmt: skip


@dataclass
class LinkScorer:
    """One weight and one precision per trait; an unseen trait has no effect."""

    _weights: dict[str, float] = field(default_factory=dict)  # log-odds
    _precisions: dict[str, float] = field(default_factory=dict)

    def learn(self, traits: tuple[str, ...], prior: float, outcome: float) -> None:
        """Learn the outcome (0 to 1) of a page with these traits, whose log-odds were `prior` without them."""
        odds = max(-15.0, min(15.0, prior + self.shift(traits)))
        chance = 1 / (1 + exp(-odds))
        for trait in traits:
            precision = self._precisions.get(trait) or _SPREAD[trait.partition(" ")[0]] ** -2
            precision += chance * (1 - chance)
            self._precisions[trait] = precision
            self._weights[trait] = self._weights.get(trait, 0.0) + (outcome - chance) / precision

    def shift(self, traits: tuple[str, ...]) -> float:
        """The learned correction, in log-odds."""
        return sum(self._weights.get(trait, 0.0) for trait in traits)
