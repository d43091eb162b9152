"""The link scorer: the probability that a lead is a relevant document, from cues corrected by earlier outcomes.

Bayesian logistic regression in its dual form (a Gaussian process with a linear kernel; Rasmussen and Williams,
algorithms 3.1 and 3.2): the cues give the mean, and every trait (host, folder, referring page, word of the title) has a
weight with prior mean 0, updated by the pages fetched so far. An unseen trait has no effect.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from soprag.agents.collecting.candidate_urls import CandidateUrl

Vector = NDArray[np.float64]

_ROUNDS = 8
_SPREAD = {"all": 0.5, "host": 0.5, "folder": 1.1, "parent": 1.1, "word": 0.45, "suffix": 0.3, "query": 0.3}


@dataclass
class LinkScorer:
    """Learns a weight per trait from every lead that was followed; `shift` refits when needed."""

    _became: dict[str, tuple[CandidateUrl, bool]] = field(default_factory=dict)
    _weights: dict[str, float] = field(default_factory=dict)  # what each trait says, in log-odds
    _stale: bool = False

    def learn(self, lead: CandidateUrl, relevant: bool) -> None:
        """Record whether a lead was relevant; a later call replaces an earlier one."""
        if self._became.get(lead.key) != (lead, relevant):
            self._became[lead.key] = lead, relevant
            self._stale = True

    def shift(self, lead: CandidateUrl) -> float:
        """The learned correction of a lead's score, in log-odds."""
        if self._stale:
            self._weights = self._fit()
            self._stale = False
        return sum(self._weights.get(trait, 0.0) for trait in lead.traits)

    def _fit(self) -> dict[str, float]:
        """Fit by Newton's method (posterior mode) and return the weight of every trait."""
        traits = sorted({trait for lead, _ in self._became.values() for trait in lead.traits})
        columns = {trait: column for column, trait in enumerate(traits)}
        spreads = np.array([_SPREAD[trait.partition(" ")[0]] for trait in traits])
        rows = np.zeros((len(self._became), len(traits)))
        for row, (lead, _) in enumerate(self._became.values()):
            active = [columns[trait] for trait in lead.traits]
            rows[row, active] = spreads[active]
        pull = self._pull(rows @ rows.T)
        return dict(zip(traits, map(float, pull @ rows * spreads), strict=True))

    def _pull(self, kernel: Vector) -> Vector:
        mean = np.array([lead.odds for lead, _ in self._became.values()])
        relevant = np.array([float(relevant) for _, relevant in self._became.values()])
        pull, latent = np.zeros(len(mean)), mean.copy()
        for _ in range(_ROUNDS):
            chance = _sigmoid(latent)
            root = np.sqrt(chance * (1 - chance))
            target = root**2 * (latent - mean) + relevant - chance
            inner = np.eye(len(mean)) + root[:, None] * kernel * root[None, :]
            pull = target - root * np.linalg.solve(inner, root * (kernel @ target))
            latent = mean + kernel @ pull
        return pull


def _sigmoid(odds: Vector) -> Vector:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
