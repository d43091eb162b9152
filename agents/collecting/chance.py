"""How likely a lead is a wanted document: general cues first, corrected by what became of leads that share a trait.

Bayesian logistic regression in its dual form (a Gaussian process with a linear kernel; Rasmussen and Williams,
algorithms 3.1 and 3.2): the cues give the mean, and every trait (host, folder, referring page, word of the title) has a
weight around 0 that the pages fetched so far move. A trait nobody has met yet changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.collecting.leads import Lead

Vector = NDArray[np.float64]

_ROUNDS = 8
_SPREAD = {"all": 0.5, "host": 0.5, "folder": 1.1, "parent": 1.1, "word": 0.45, "suffix": 0.3, "query": 0.3}


@dataclass
class Chance:
    """Learns from every lead that was followed; `shift` may be asked at any time."""

    _became: dict[str, tuple[Lead, bool]] = field(default_factory=dict)
    _traits: list[dict[str, float]] = field(default_factory=list)
    _pull: Vector = field(default_factory=lambda: np.zeros(0))
    _stale: bool = False

    def learn(self, lead: Lead, wanted: bool) -> None:
        """What became of a lead; may be said anew."""
        if self._became.get(lead.key) != (lead, wanted):
            self._became[lead.key] = lead, wanted
            self._stale = True

    def shift(self, leads: Sequence[Lead]) -> Vector:
        """What was learned about each lead, in log-odds: to be added to what is said about it."""
        if not self._became or not leads:
            return np.zeros(len(leads))
        if self._stale:
            self._traits = [traits(lead) for lead, _ in self._became.values()]
            self._pull = self._fit()
            self._stale = False
        return _kernel([traits(lead) for lead in leads], self._traits) @ self._pull

    def _fit(self) -> Vector:
        """Newton's method for the mode; the pull of each lead followed on all that share its traits."""
        kernel = _kernel(self._traits, self._traits)
        mean = np.array([lead.odds for lead, _ in self._became.values()])
        wanted = np.array([float(wanted) for _, wanted in self._became.values()])
        pull, latent = np.zeros(len(mean)), mean.copy()
        for _ in range(_ROUNDS):
            chance = _sigmoid(latent)
            root = np.sqrt(chance * (1 - chance))
            target = root**2 * (latent - mean) + wanted - chance
            inner = np.eye(len(mean)) + root[:, None] * kernel * root[None, :]
            pull = target - root * np.linalg.solve(inner, root * (kernel @ target))
            latent = mean + kernel @ pull
        return pull


def traits(lead: Lead) -> dict[str, float]:
    """What a lead has in common with others, and how much that may weigh."""
    names = {"all", f"host {lead.host}", f"folder {lead.folder}", f"suffix {lead.suffix}"}
    names |= {f"word {word}" for word in re.findall(r"[^\W\d_]{3,}", lead.title.casefold())[:12]}
    names |= {f"parent {seen.parent}" for seen in lead.sightings if seen.parent}
    names |= {f"query {seen.query}" for seen in lead.sightings if seen.query}
    return {name: _SPREAD[name.partition(" ")[0]] for name in names}


def _kernel(some: Sequence[dict[str, float]], others: Sequence[dict[str, float]]) -> Vector:
    places: dict[str, int] = {}
    for traits_ in others:
        for name in traits_:
            places.setdefault(name, len(places))
    return _rows(some, places) @ _rows(others, places).T


def _rows(some: Sequence[dict[str, float]], places: dict[str, int]) -> Vector:
    rows = np.zeros((len(some), len(places)))
    for at, traits_ in enumerate(some):
        for name, spread in traits_.items():
            if (place := places.get(name)) is not None:
                rows[at, place] = spread
    return rows


def _sigmoid(odds: Vector) -> Vector:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
