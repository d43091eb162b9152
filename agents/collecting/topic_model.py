"""Topic membership of pages, estimated jointly by expectation maximisation over all pages of one crawl.

A procedure need not name its field: that a transfer switch procedure is about emergency power follows from its site,
from the page that lists it and from similar procedures. The model: closeness to the topic is a mixture of two
normal distributions (on topic, off topic); embeddings lie around one centroid per class; and each group of pages (a
host, or a list and the pages it links to) has its own rate of on-topic pages. All parameters are learned from the
pages of the crawl, fetched or not. A host whose pages agree is strong evidence; a mixed host is none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors

Vector = NDArray[np.float64]
Places = NDArray[np.int64]
Sort = Literal["procedure", "other", "unread"]

_SORTS: tuple[Sort, ...] = ("procedure", "other", "unread")  # the rows of what follows
_PROCEDURE, _OTHER, _UNREAD = range(len(_SORTS))
# Closeness of pages on the topic and of pages of other fields, mean and spread.
_MEANS = np.array([[0.28, 0.12], [0.50, 0.20], [0.37, 0.17]])
_SPREADS = np.array([[0.12, 0.06], [0.18, 0.09], [0.12, 0.08]])
_PAGES = 40  # how many pages this counts for, against those at hand
_ROUNDS = 40
_AGAINST = np.array([0.5, 0.15, 1.0])  # most that low closeness says, in log-odds: a page may only lack the words
_FOR = 5.0  # most that high closeness says for it
_SETTLED = 2  # rounds before there is an idea of which pages are on the topic, and likeness to them says anything
_SHARP = 15.0  # what it says, in log-odds per half squared distance, to be nearer to one middle than the other ...
_LIKE = 3.0  # ... and the most it says, as the words of the topic do
_ANY = (2.0, 10.0)  # pages that any procedure counts for in the middle of those on the topic, and of the others
_NAMED = np.array([0.3, 0.12])  # how many procedures name a word of the topic: those on it, and others ...
_NAMES = 10  # ... and how many procedures this counts for, against those at hand
_TOLD = 12.0  # what a model says that has read it
_PURE = 0.5  # pages that the general rate counts for in a group: few, since most groups are of one kind
_GROUP = 4.0  # most that one group says, in log-odds
_COUNTS = 5.0  # how many pages it counts for that half of all are expected to be on the topic


@dataclass(frozen=True)
class Member:
    """The features of one page: closeness to the topic (0 to 1), sort, groups and embedding.

    `names`: which topic words it contains (fetched pages only); `verdict`: the model's, if it was asked.
    """

    close: float
    sort: Sort
    groups: frozenset[str]
    meaning: Vectors
    names: tuple[bool, ...] = ()
    verdict: bool | None = None


@dataclass
class TopicModel:
    """The topic probability of every page of one crawl; `elsewhere` is the mean embedding of unrelated procedures.

    Of the unfetched pages `unread_pages` take part in the joint estimate, whose time and memory grow with the square.
    """

    elsewhere: Vectors
    unread_pages: int
    _chances: dict[str, float] = field(default_factory=dict)

    def chance(self, key: str) -> float:
        """The topic probability of a page that `learn` was given, 0 to 1."""
        return self._chances[key]

    def learn(self, members: Mapping[str, Member]) -> None:
        """Estimate the probabilities of all pages (at least one) again; deterministic for the same input order.

        Of the unfetched pages only the closest take part in the joint estimate, to bound time and memory.
        """
        heard = sorted(
            (key for key, member in members.items() if member.sort == "unread"), key=lambda key: -members[key].close
        )
        silent = dict.fromkeys(heard[self.unread_pages :])
        speaking = {key: member for key, member in members.items() if key not in silent}
        chances = _Pages.of(list(speaking.values()), self.elsewhere).explain()
        alone = _alone([members[key].close for key in silent])
        self._chances = dict(zip((*speaking, *silent), map(float, (*chances, *alone)), strict=True))


@dataclass(frozen=True)
class _Pages:
    """The pages as arrays; `who` and `where` hold the page index and the group index of every membership."""

    close: Vector
    sort: Places
    verdicts: Vector
    topic_words: Vector  # a row for each procedure that was read, a column for each word
    alike: Vector  # of every page with every other: the product of what they mean
    any: Vector  # of every page with any procedure
    any_any: float
    groups: int
    who: Places
    where: Places

    @classmethod
    def of(cls, pages: Sequence[Member], elsewhere: Vectors) -> "_Pages":
        verdicts = np.array([0.0 if page.verdict is None else _TOLD if page.verdict else -_TOLD for page in pages])
        close, sort = np.array([page.close for page in pages]), np.array([_SORTS.index(page.sort) for page in pages])
        meaning = np.array([page.meaning for page in pages], np.float64)
        procedures = [page.names for page in pages if page.sort == "procedure"]
        topic_words = np.array(procedures, np.float64).reshape(len(procedures), -1 if procedures else 0)
        alike, any_any = meaning @ meaning.T, float(elsewhere @ elsewhere)
        return cls(close, sort, verdicts, topic_words, alike, meaning @ elsewhere, any_any, *_memberships(pages))

    def explain(self) -> Vector:
        """The topic probability of each page, by expectation maximisation."""
        chances, neighbour_odds, rates = (np.full(len(self.close), start) for start in (0.5, 0.0, 0.5))
        for iteration in range(_ROUNDS):
            odds = _closeness(self.close, self.sort, *self._moments(chances)) + self._naming(chances)
            if iteration >= _SETTLED:
                odds = odds + self._likeness(chances)
            chances = _sigmoid(np.where(self.verdicts != 0, self.verdicts, odds) + neighbour_odds + _logit(rates))
            rates = self._rates(chances)
            neighbour_odds = (neighbour_odds + self._neighbours(chances, rates)) / 2  # halfway: no swinging to and fro
        return chances

    def _rates(self, chances: Vector) -> Vector:
        """The prior of each page: the share of on-topic pages among fetched, or among unfetched pages."""
        rates = np.array([_rate(chances[self.sort == row]) for row in (_PROCEDURE, _UNREAD)])
        return np.asarray(rates[(self.sort == _UNREAD).astype(int)])

    def _moments(self, chances: Vector) -> tuple[Vector, Vector]:
        """Mean and spread of closeness, by sort of page (rows) and side (on the topic, not)."""
        means, spreads = _MEANS.copy(), _SPREADS.copy()
        for row in range(len(_SORTS)):
            for side, share in enumerate((chances, 1 - chances)):
                weight, closeness = share[self.sort == row], self.close[self.sort == row]
                total = weight.sum() + _PAGES
                means[row, side] = (weight @ closeness + _PAGES * _MEANS[row, side]) / total
                square = weight @ (closeness - means[row, side]) ** 2 + _PAGES * _SPREADS[row, side] ** 2
                spreads[row, side] = np.sqrt(square / total)
        return means, spreads

    def _naming(self, chances: Vector) -> Vector:
        """Log-odds from the topic words that a procedure names; the weight of each word is learned.

        Missing words are no evidence: few procedures name all of them.
        """
        odds, procedures = np.zeros(len(chances)), self.sort == _PROCEDURE
        if procedures.any():
            shares = np.stack([chances[procedures], 1 - chances[procedures]])
            rates = (shares @ self.topic_words + _NAMES * _NAMED[:, None]) / (shares.sum(axis=1) + _NAMES)[:, None]
            odds[procedures] = np.clip(self.topic_words @ np.log(rates[0] / rates[1]), 0.0, _LIKE)
        return odds

    def _likeness(self, chances: Vector) -> Vector:
        """Log-odds from the embedding: distance to the on-topic centroid against distance to the off-topic centroid."""
        near, far = self._distance(chances, _ANY[0]), self._distance(1 - chances, _ANY[1])
        return np.asarray(np.clip(_SHARP * (far - near) / 2, -_LIKE, _LIKE))

    def _distance(self, share: Vector, any_counts: float) -> Vector:
        """Squared distance of every page to the `share`-weighted centroid of the others, without non-procedures.

        The centroid is never computed: the Gram matrix of all pages suffices and makes a round cheap.
        """
        weight = np.where(self.sort == _OTHER, 0.0, share)
        norms, count = np.diag(self.alike), weight.sum() + any_counts - weight
        to_sum = self.alike @ weight + any_counts * self.any
        square = weight @ to_sum + any_counts * (weight @ self.any + any_counts * self.any_any)
        rest = square - 2 * weight * to_sum + weight**2 * norms
        return np.asarray(norms - 2 * (to_sum - weight * norms) / count + rest / count**2)

    def _neighbours(self, chances: Vector, rates: Vector) -> Vector:
        """Log-odds of each page from the other pages of its groups; 0 when there are none."""
        expected, on, size = (self._others(column) for column in (rates, chances, np.ones(len(chances))))
        alone = size < 1
        rate = np.where(alone, 0.5, expected / np.where(alone, 1.0, size))
        odds = np.log((on + _PURE * rate) / (size - on + _PURE * (1 - rate))) - _logit(rate)
        clipped = np.clip(np.where(alone, 0.0, odds), -_GROUP, _GROUP)
        return np.bincount(self.who, clipped, len(chances)).astype(np.float64)

    def _others(self, column: Vector) -> Vector:
        """For every membership, the sum of a column over the other pages of the group."""
        sums = np.bincount(self.where, column[self.who], self.groups)
        return np.asarray(sums[self.where] - column[self.who])


def _closeness(close: Vector, sort: Places, means: Vector, spreads: Vector) -> Vector:
    """Log-odds from closeness alone, with closeness clipped to the range between the two class means."""
    means, spreads = means[sort], spreads[sort]
    bounded = np.clip(close, means[:, 1], means[:, 0])
    density = -0.5 * ((bounded[:, None] - means) / spreads) ** 2 - np.log(spreads)
    return np.asarray(np.clip(density[:, 0] - density[:, 1], -_AGAINST[sort], _FOR))


def _memberships(pages: Sequence[Member]) -> tuple[int, Places, Places]:
    """The number of groups, and for every membership its page index and its group index."""
    places: dict[str, int] = {}
    pairs = [
        (index, places.setdefault(group, len(places)))
        for index, page in enumerate(pages)
        for group in sorted(page.groups)
    ]
    who, where = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return len(places), who, where


def _alone(close: Sequence[float]) -> Vector:
    """The topic probability of unfetched pages from closeness alone."""
    return _sigmoid(_closeness(np.array(close), np.full(len(close), _UNREAD), _MEANS, _SPREADS))


def _rate(chances: Vector) -> float:
    """The smoothed share of on-topic pages, clipped to 0.1 to 0.9."""
    return float(np.clip((chances.sum() + _COUNTS / 2) / (len(chances) + _COUNTS), 0.1, 0.9))


def _logit(rate: Vector) -> Vector:
    return np.asarray(np.log(rate / (1 - rate)))


def _sigmoid(odds: Vector) -> Vector:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -20, 20))))
