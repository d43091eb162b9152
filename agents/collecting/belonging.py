"""Which pages are on the topic: judged together, because what a page's neighbours are says more than its own words.

A procedure need not name the field it belongs to: that one of a transfer switch belongs to emergency power is told by
the site it lies on and by the page that lists it. Closeness to the topic is a mixture of two kinds of pages, those on
it and those of other fields; each group of pages (a host, a list with what it links to) has a rate of its own at which
they are on it. All of it is learned from the pages at hand by expectation maximisation: where the pages of a host agree
they speak for all of it, and where a host has a bit of everything it says nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Places = NDArray[np.int64]

# Closeness of pages on the topic and of pages of other fields, mean and spread: procedures, then pages of other kinds.
_MEANS = np.array([[0.28, 0.12], [0.50, 0.20]])
_SPREADS = np.array([[0.12, 0.06], [0.18, 0.09]])
_PAGES = 40  # how many pages this counts for, against those at hand
_ROUNDS = 40
_AGAINST = np.array([0.7, 0.2])  # most that low closeness says against a page, in log-odds: it may only lack the words
_FOR = 5.0  # most that high closeness says for it
_TOLD = 12.0  # what a model says that has read it
_PURE = 0.2  # pages that the general rate counts for in a group: few, since most groups are of one kind
_UNREAD = 1.0  # the same about a page that nobody has read: what a single page says of others is little
_GROUP = 4.0  # most that one group says, in log-odds
_COUNTS = 5.0  # how many pages it counts for that half of all procedures are expected to be on the topic


@dataclass(frozen=True)
class Member:
    """One page: its closeness, whether it is a procedure, its groups, and what a model said if it was asked."""

    close: float
    procedure: bool
    groups: frozenset[str]
    told: bool | None = None


@dataclass
class Belonging:
    """What the pages of one collection say about each other; nothing before the first `learn`."""

    _chances: dict[str, float] = field(default_factory=dict)
    _said: dict[str, float] = field(default_factory=dict)  # by group, about a page that is not among them

    def chance(self, key: str) -> float:
        """How likely a page that was learned from is on the topic, from 0 to 1."""
        return self._chances[key]

    def lean(self, groups: Iterable[str]) -> float:
        """What its groups say about a page that nobody has read, in log-odds; 0 when none is known."""
        return sum(self._said.get(group, 0.0) for group in sorted(groups))

    def learn(self, members: Mapping[str, Member]) -> None:
        """Judge all pages anew; the same pages in the same order always give the same."""
        pages = _Pages.of(list(members.values()))
        chances, rate = pages.explain()
        self._chances = dict(zip(members, map(float, chances), strict=True))
        said = _say(*pages.counts(chances, of=0), rate, _UNREAD)
        self._said = dict(zip(pages.names, map(float, said), strict=True))


@dataclass(frozen=True)
class _Pages:
    """The pages as columns; `who` and `where` are the places of the page and of the group of every membership."""

    close: Vector
    kind: Places  # 0: procedures, 1: other pages
    told: Vector
    names: list[str]
    who: Places
    where: Places

    @classmethod
    def of(cls, pages: Sequence[Member]) -> "_Pages":
        told = [0.0 if page.told is None else _TOLD if page.told else -_TOLD for page in pages]
        kind = np.array([int(not page.procedure) for page in pages])
        return cls(np.array([page.close for page in pages]), kind, np.array(told), *_memberships(pages))

    def counts(self, chances: Vector, of: int | None = None) -> tuple[Vector, Vector]:
        """How many pages of each group are on the topic, as expected, and how many it has; of one kind or of all."""
        some = np.ones(len(self.who), bool) if of is None else self.kind[self.who] == of
        most, where = len(self.names), self.where[some]
        on, sizes = np.bincount(where, chances[self.who[some]], most), np.bincount(where, minlength=most)
        return on.astype(np.float64), sizes.astype(np.float64)

    def explain(self) -> tuple[Vector, float]:
        """How likely each page is on the topic, and the general rate, by expectation maximisation."""
        chances, said, rate = np.full(len(self.close), 0.5), np.zeros(len(self.close)), 0.5
        for _ in range(_ROUNDS):
            own = np.where(self.told != 0, self.told, self._evidence(*self._moments(chances)))
            chances = _sigmoid(own + said + _logit(rate))
            rate = _rate(chances[self.kind == 0])
            on, sizes = self.counts(chances)
            others = _say(on[self.where] - chances[self.who], sizes[self.where] - 1, rate, _PURE)
            said = (said + np.bincount(self.who, others, len(said))) / 2  # halfway: no swinging to and fro
        return chances, rate

    def _evidence(self, means: Vector, spreads: Vector) -> Vector:
        """Log-odds from closeness alone; beyond the means it says no more than at them."""
        means, spreads = means[self.kind], spreads[self.kind]
        at = np.clip(self.close, means[:, 1], means[:, 0])
        density = -0.5 * ((at[:, None] - means) / spreads) ** 2 - np.log(spreads)
        return np.asarray(np.clip(density[:, 0] - density[:, 1], -_AGAINST[self.kind], _FOR))

    def _moments(self, chances: Vector) -> tuple[Vector, Vector]:
        """Mean and spread of closeness, by kind of page (rows) and side (on the topic, not)."""
        means, spreads = _MEANS.copy(), _SPREADS.copy()
        for row in (0, 1):
            for side, share in enumerate((chances, 1 - chances)):
                weight, here = share[self.kind == row], self.close[self.kind == row]
                total = weight.sum() + _PAGES
                means[row, side] = (weight @ here + _PAGES * _MEANS[row, side]) / total
                square = weight @ (here - means[row, side]) ** 2 + _PAGES * _SPREADS[row, side] ** 2
                spreads[row, side] = np.sqrt(square / total)
        return means, spreads


def _memberships(pages: Sequence[Member]) -> tuple[list[str], Places, Places]:
    """The names of all groups; for every membership the place of its page, and the place of its group."""
    places: dict[str, int] = {}
    pairs = [
        (at, places.setdefault(group, len(places))) for at, page in enumerate(pages) for group in sorted(page.groups)
    ]
    who, where = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return list(places), who, where


def _say(on: Vector, size: Vector, rate: float, doubt: float) -> Vector:
    """What a group says of a page, when so many of its `size` others are on the topic: 0 when it has none."""
    odds = np.log((on + doubt * rate) / (size - on + doubt * (1 - rate)))
    return np.asarray(np.clip(odds - _logit(rate), -_GROUP, _GROUP))


def _rate(chances: Vector) -> float:
    """The share of procedures that are on the topic; never so low or high that it decides alone."""
    return float(np.clip((chances.sum() + _COUNTS / 2) / (len(chances) + _COUNTS), 0.1, 0.9))


def _logit(rate: float) -> float:
    return float(np.log(rate / (1 - rate)))


def _sigmoid(odds: Vector) -> Vector:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -20, 20))))
