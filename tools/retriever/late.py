"""Late interaction: every token of the question against every token of the passages that are compared.

    Sim(Q, X) = Σ_t rarity(t) · max_{t' in X} cos(t, t')      over the tokens t of Q

Only passages of the anchored SOPs are read, and of a long SOP only those nearest to the question, so that a procedure
of 5,000 steps costs no more than one of 50.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from configs.settings import RetrieverSettings
from tools.embedding import Vectors
from tools.retriever.question import Asked
from tools.retriever.ranking import Scores, path
from tools.retriever.reader import Elements
from tools.retriever.tokens import TITLE, Passages

Places = NDArray[np.intp]
Reading = Callable[[Elements], NDArray[np.int32]]


@dataclass(frozen=True)
class Runs:
    """Neighbouring columns that stand in one state or step, the runs of a candidate one after the other.

    `best` (tokens of the question, runs) are the largest cosines; `owners` the candidates, `rows` the states or steps.
    """

    best: Vectors
    owners: Places
    rows: Places

    def top(self, rarity: Vectors, size: int) -> Places:
        """The state or step nearest to the question in each of `size` candidates; -1 where there is none."""
        rows = np.full(size, -1, np.intp)
        order = np.argsort(rarity @ self.best, kind="stable")  # the best of each candidate is written last
        rows[self.owners[order]] = self.rows[order]
        return rows


@dataclass(frozen=True)
class Interaction:
    """The cosines of all tokens: a row per token of the question, a column per token of the candidates.

    `columns[i]` are the tokens of candidate i that are compared, its columns begin at `starts[i]`, those of each
    passage at one of `passages`, which are of the candidates `owners`.
    """

    candidates: list[Elements]
    rarity: Vectors
    cosine: Vectors
    columns: list[Places]
    starts: Places
    passages: Places
    owners: Places

    def similar(self) -> Scores:
        """Sim(Q, S) of every candidate S as a whole."""
        scores: Scores = self.rarity @ np.maximum.reduceat(self.cosine, self.starts, axis=1)
        return scores

    def of_passages(self, weight: Scores) -> Scores:
        """The best passage of every candidate, each column weighted."""
        scores = self.rarity @ np.maximum.reduceat(self.cosine * weight, self.passages, axis=1)
        best: Scores = np.maximum.reduceat(scores, np.searchsorted(self.owners, np.arange(len(self.candidates))))
        return best

    def runs(self, kind: Literal["state", "step"]) -> Runs:
        """The columns of states or steps, taken together where they are neighbours."""
        places = self.states if kind == "state" else self.steps
        begins = np.union1d(np.flatnonzero(np.diff(places)) + 1, self.starts)
        inside = places[begins] >= 0
        best = np.maximum.reduceat(self.cosine, begins, axis=1)[:, inside]
        owners = np.searchsorted(self.starts, begins[inside], side="right") - 1
        return Runs(best, owners, places[begins[inside]])

    @cached_property
    def states(self) -> Places:
        """For every column the row of the state it stands in, -1 where there is none."""
        return self._each(lambda one: one.states)

    @cached_property
    def steps(self) -> Places:
        """The same for steps."""
        return self._each(lambda one: one.steps)

    def in_steps(self) -> Scores:
        """1 for every column that stands in a step, else 0; all 1 for a candidate without steps: a story told."""
        inside = self.steps >= 0
        told = ~np.logical_or.reduceat(inside, self.starts)
        sizes = np.diff(np.append(self.starts, len(inside)))
        weight: Scores = (inside | np.repeat(told, sizes)).astype(np.float32)
        return weight

    def path(self, settings: RetrieverSettings) -> Scores:
        """Path of Eq. 8 for every column: the title and states by their hops; all else is one hop away from a state."""
        in_title = self._each(lambda one: tokens_of(one).lines) == TITLE
        hops = np.concatenate([one.hops[some] for one, some in zip(self.candidates, self._state_rows(), strict=True)])
        decayed = np.where(self.states >= 0, path(hops, settings), 0)
        weight: Scores = np.where(in_title, 1, np.maximum(decayed, settings.decay)).astype(np.float32)
        return weight

    def _state_rows(self) -> list[Places]:
        return [np.maximum(some, 0) for some in np.split(self.states, self.starts[1:])]

    def _each(self, read: Reading) -> Places:
        found = [read(one)[some] for one, some in zip(self.candidates, self.columns, strict=True)]
        return np.concatenate(found).astype(np.intp)


def interact(asked: Asked, candidates: list[Elements], most: int) -> Interaction:
    """Compare the question with the `most` nearest passages of each candidate."""
    chosen = [_nearest(asked, one, most) for one in candidates]
    sizes = [
        tokens_of(one).ends[some] - tokens_of(one).starts[some] for one, some in zip(candidates, chosen, strict=True)
    ]
    columns = [_columns(tokens_of(one), some) for one, some in zip(candidates, chosen, strict=True)]
    flat = np.concatenate(sizes)
    begins, owners = np.cumsum(flat) - flat, np.repeat(np.arange(len(candidates)), [len(some) for some in sizes])
    width = [len(some) for some in columns]
    return Interaction(
        candidates,
        asked.rarity,
        _cosine(asked.tokens, candidates, columns),
        columns,
        np.cumsum([0, *width[:-1]]),
        begins[flat > 0],
        owners[flat > 0],
    )


def tokens_of(one: Elements) -> Passages:
    """Its tokens, which it has when the model gives vectors of tokens."""
    assert one.tokens is not None
    return one.tokens


def _nearest(asked: Asked, one: Elements, most: int) -> Places:
    """The passages to compare, in their order."""
    cosine = one.vectors[one.rows("passage")] @ asked.vector
    if len(cosine) <= most:
        return np.arange(len(cosine))
    return np.sort(np.argpartition(-cosine, most - 1)[:most])


def _columns(tokens: Passages, passages: Places) -> Places:
    if len(passages) == len(tokens.starts):
        return np.arange(len(tokens.lines))
    return np.concatenate([np.arange(tokens.starts[at], tokens.ends[at]) for at in passages])


def _cosine(question: Vectors, candidates: list[Elements], columns: list[Places]) -> Vectors:
    """All cosines, candidate by candidate: its numbers of eight bits become floats while they are in the cache."""
    ends = np.cumsum([len(some) for some in columns])
    cosine: Vectors = np.empty((len(question), ends[-1]), np.float32)
    for one, some, end in zip(candidates, columns, ends, strict=True):
        tokens = tokens_of(one)
        whole = len(some) == len(tokens.lines)
        vectors, scales = (tokens.vectors, tokens.scales) if whole else (tokens.vectors[some], tokens.scales[some])
        cosine[:, end - len(some) : end] = question @ vectors.astype(np.float32).T * scales
    return cosine
