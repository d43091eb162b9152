"""Topic membership of fetched procedures: each by its own text, and by the procedures that are most like it.

The log-odds of a procedure are those of its closeness to the topic (a fixed, calibrated logistic curve) plus bounded
evidence from the procedures nearest to it, which spreads by a few rounds of mean-field updates. Only fetched
procedures take part, so pages that were never read cannot outvote one that was, and the result depends on the set of
procedures, not on the order in which they came. During a crawl those nearest by embedding vote; in the final selection
those nearest by rare words and embedding together: neighbouring fields are alike in meaning, but not in words.

The outlook for a page that was not fetched comes from its link: closeness to the topic, likeness to the links of
procedures that proved on or off the topic (the difference of two centroids of link texts, a linear discriminant), and
the groups that it shares with them (a host, a list and the pages it links to, a thing that titles name).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors

Vector = NDArray[np.float64]
Places = NDArray[np.int64]

_SLOPE = 15.0  # log-odds per closeness ...
_MIDDLE = 0.18  # ... and the closeness at which they are 0: documents ...
_MIDDLE_UNREAD = 0.26  # ... and titles and snippets of links
_AGAINST, _FOR = 2.0, 4.0  # bounds of these log-odds
_AGAINST_UNREAD = 1.0
_NEIGHBOURS = 2.5  # bound on the log-odds from the groups of a page, or from its link
_NEARBY = 0.25  # share of all procedures that the nearest ones of a procedure are at most
_LIKENESS, _FEW_LINKS = 35.0, 2.0  # log-odds per unit of likeness, fitted; links that a centroid of 0 counts for
_PURE = 1.0  # procedures that the general rate counts for among its neighbours or in a group
_PRIOR = 0.5  # weight of the general rate, which depends on what the crawl fetched
_COUNTS = 5.0  # procedures that the prior rate 0.5 counts for
_ROUNDS = 20
_VERDICT = 12.0  # log-odds of a chat model's verdict
ACCEPTED = 0.65  # probability from which a crawl counts a procedure as one on the topic
_LARGEST = 2000  # procedures that `learn` takes during a crawl; later ones are judged by `add`


@dataclass(frozen=True)
class Votes:
    """How the procedures nearest to one vote on it: how many, with which weight, and the bound of their log-odds."""

    nearest: int = 16
    trust: float = 2.5
    bound: float = 2.5


@dataclass(frozen=True)
class Member:
    """One fetched procedure: closeness to the topic (0 to 1), groups, a unit vector, and a model's verdict.

    The vectors of procedures that are alike have a large product: embeddings, or those of `likeness.py`.
    """

    close: float
    groups: frozenset[str]
    vector: Vectors
    verdict: bool | None = None
    link: Vectors | None = None  # unit embedding of the text of its link
    shift: float = 0.0  # log-odds that are known besides, such as those from its host


@dataclass
class _LinkLikeness:
    """Sums of the link embeddings of procedures off and on the topic, weighted by their probabilities."""

    _sums: list[Vectors | float] = field(default_factory=lambda: [0.0, 0.0])
    _sizes: list[float] = field(default_factory=lambda: [_FEW_LINKS, _FEW_LINKS])

    def add(self, link: Vectors | None, chance: float) -> None:
        """Count the link of one procedure."""
        if link is not None:
            for side, weight in enumerate((1 - chance, chance)):
                self._sums[side] = self._sums[side] + weight * link.astype(np.float32)
                self._sizes[side] += weight

    def odds(self, link: Vectors | None) -> float:
        """The log-odds that a link leads to the topic, by the centroid that it is nearer to; 0 without links."""
        if link is None or self._sizes == [_FEW_LINKS, _FEW_LINKS]:
            return 0.0
        off, on = (total / size for total, size in zip(self._sums, self._sizes, strict=True))
        return float(np.clip(_LIKENESS * (link @ (on - off)), -_NEIGHBOURS, _NEIGHBOURS))


@dataclass
class TopicModel:
    """The topic probability of every fetched procedure of one crawl, and the outlook for pages not yet fetched."""

    largest: int = _LARGEST
    votes: Votes = Votes()
    _chances: dict[str, float] = field(default_factory=dict)
    _rates: dict[str, tuple[float, float]] = field(default_factory=dict)  # group: expected on-topic, and all members
    _links: _LinkLikeness = field(default_factory=_LinkLikeness)

    def chance(self, key: str) -> float:
        """The topic probability of a procedure that `learn` or `add` was given, 0 to 1."""
        return self._chances[key]

    def certainty(self) -> float:
        """How far from doubt the procedures are on average: 0 when all may be either, 1 when all are decided."""
        return float(np.mean([abs(2 * chance - 1) for chance in self._chances.values()]))

    def learn(self, members: Mapping[str, Member]) -> None:
        """Estimate the probabilities of all members again; the same for every order of the members."""
        keys = sorted(members)[: self.largest]
        if not keys:
            return
        pages = [members[key] for key in keys]
        chances = _Pages.of(pages, self.votes).explain()
        self._chances.update(zip(keys, map(float, chances), strict=True))
        self._rates, self._links = {}, _LinkLikeness()
        for page, chance in zip(pages, chances, strict=True):
            self._count(page, float(chance))

    def add(self, key: str, member: Member) -> None:
        """Judge one more procedure with the model as it is; `learn` judges it with all others."""
        odds = own_odds(member.close) + self.evidence(member.groups)
        if member.verdict is not None:
            odds = _VERDICT if member.verdict else -_VERDICT
        self._chances[key] = float(_sigmoid(np.array([odds]))[0])
        self._count(member, self._chances[key])

    def outlook(self, close: float, groups: frozenset[str], link: Vectors | None = None) -> float:
        """The topic probability of a page that was not fetched, from its link's closeness, its groups and its text."""
        odds = max(-_AGAINST_UNREAD, min(_FOR, _SLOPE * (close - _MIDDLE_UNREAD)))
        return float(1 / (1 + np.exp(-odds - self.evidence(groups) - self._links.odds(link))))

    def _count(self, member: Member, chance: float) -> None:
        self._links.add(member.link, chance)
        for group in member.groups:
            on, size = self._rates.get(group, (0.0, 0.0))
            self._rates[group] = on + chance, size + 1

    def evidence(self, groups: frozenset[str]) -> float:
        """The log-odds of being on the topic that the procedures of these groups give; 0 without any."""
        odds = 0.0
        for group in sorted(groups & self._rates.keys()):
            on, size = self._rates[group]
            odds += float(np.log((on + _PURE / 2) / (size - on + _PURE / 2)))
        return max(-_NEIGHBOURS, min(_NEIGHBOURS, odds))


@dataclass(frozen=True)
class _Pages:
    """The procedures as arrays."""

    odds: Vector  # from the own text, or from the verdict of a model
    free: NDArray[np.bool_]  # without a verdict of a model
    nearest: Places  # for every page, the indexes of those most like it
    votes: Votes

    @classmethod
    def of(cls, pages: Sequence[Member], votes: Votes) -> "_Pages":
        verdicts = np.array([0.0 if page.verdict is None else (1 if page.verdict else -1) * _VERDICT for page in pages])
        own = np.array([own_odds(page.close) + page.shift for page in pages])
        odds, free = np.where(verdicts != 0, verdicts, own), verdicts == 0
        return cls(odds, free, _nearest(np.array([page.vector for page in pages]), votes.nearest), votes)

    def explain(self) -> Vector:
        """The topic probability of each page."""
        chances, evidence = _sigmoid(self.odds), np.zeros(len(self.odds))
        for _ in range(_ROUNDS):
            rate = float(np.clip((chances.sum() + _COUNTS / 2) / (len(chances) + _COUNTS), 0.1, 0.9))
            evidence = (evidence + self._evidence(chances, rate)) / 2  # halfway, so that it converges
            around = np.clip(evidence + _PRIOR * np.log(rate / (1 - rate)), -self.votes.bound, self.votes.bound)
            chances = _sigmoid(self.odds + self.free * around)
        return chances

    def _evidence(self, chances: Vector, rate: float) -> Vector:
        """Log-odds of each page from the nearest pages, relative to the rate."""
        odds = self.votes.trust * _log_odds(chances[self.nearest].sum(axis=1), self.nearest.shape[1], rate)
        return np.asarray(np.clip(odds, -self.votes.bound, self.votes.bound), np.float64)


def own_odds(close: float) -> float:
    """Log-odds that a procedure is on the topic by the closeness of its text alone, calibrated on generated webs."""
    return max(-_AGAINST, min(_FOR, _SLOPE * (close - _MIDDLE)))


def _log_odds(on: Vector, size: int, rate: float) -> Vector:
    """Log-odds of a share that is smoothed towards the general rate, relative to the rate."""
    return np.asarray(np.log((on + _PURE * rate) / (size - on + _PURE * (1 - rate))) - np.log(rate / (1 - rate)))


def _nearest(vectors: Vectors, most: int) -> Places:
    """For every page the indexes of the others with the largest cosine, in blocks to bound memory."""
    count = min(most, int(_NEARBY * len(vectors)))
    rows = []
    for start in range(0, len(vectors), _LARGEST):
        cosine = vectors[start : start + _LARGEST] @ vectors.T
        cosine[np.arange(len(cosine)), np.arange(start, start + len(cosine))] = -np.inf
        rows.append(np.argsort(-cosine, axis=1, kind="stable")[:, :count])
    return np.vstack(rows).astype(np.int64)


def _sigmoid(odds: Vector) -> Vector:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -20, 20))))
