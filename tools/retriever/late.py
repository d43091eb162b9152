"""Late interaction: every token of the question against every token of the passages that are compared.

    Sim(Q, X) = Σ_t rarity(t) · max_{t' in X} cos(t, t')      over the tokens t of Q

Only passages of the anchored SOPs are read, and of a long SOP only those nearest to the question, so that a procedure
of 5,000 steps costs no more than one of 50. A line is all title, prose, state or step, so the tokens are looked at
once, for the best of every line, and all that follows looks at lines.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from configs.settings import RetrieverSettings
from tools.embedding import Vectors
from tools.retriever.question import Asked
from tools.retriever.ranking import Places, Scores, Shown, path
from tools.retriever.reader import Elements


@dataclass(frozen=True)
class Interaction:
    """The question against the candidates: `best` (tokens of the question, lines) are the largest cosines.

    The lines of a candidate, and those of a passage, stand together. Of each, `owners` is the candidate, `passages` the
    number of its passage, `states` and `steps` the rows of the state and step on it (-1: none), `hops` those of the
    state.
    """

    rarity: Vectors
    best: Vectors
    owners: Places
    passages: Places
    states: Places
    steps: Places
    hops: NDArray[np.uint8]

    def shown(self, settings: RetrieverSettings) -> Shown:
        """C and F of Eq. 8 and 9: steps are read by the flow view, all else by the causal view, and states by it too.

        What stands around states is as near to the card as a state can be; one that never leads to it, k hops away.
        """
        in_step, in_state = self.steps >= 0, self.states >= 0
        near = np.where(in_state, np.maximum(path(self.hops, settings), settings.decay**settings.hops), 1)
        begins = np.flatnonzero(np.diff(self.passages, prepend=-1))
        causal = np.where(in_state | ~in_step, near, 0).astype(np.float32)
        causal, flow = (np.maximum.reduceat(self.best * view, begins, axis=1) for view in (causal, in_step))
        return Shown(causal, flow, self.rarity, self.owners[begins], by_word=True)

    def similar(self) -> Scores:
        """Sim(Q, S) of every candidate S as a whole."""
        begins = np.flatnonzero(np.diff(self.owners, prepend=-1))
        scores: Scores = self.rarity @ np.maximum.reduceat(self.best, begins, axis=1)
        return scores

    def nearest(self, kind: Literal["state", "step"]) -> Places:
        """The row of the state or step nearest to the question in each candidate; -1 where there is none."""
        places = self.states if kind == "state" else self.steps
        begins = np.flatnonzero((np.diff(places, prepend=-2) != 0) | (np.diff(self.owners, prepend=-1) != 0))
        said = self.rarity @ np.maximum.reduceat(self.best, begins, axis=1)
        begins, said = begins[places[begins] >= 0], said[places[begins] >= 0]
        rows = np.full(self.owners[-1] + 1, -1, np.intp)
        order = begins[np.argsort(said, kind="stable")]  # the best of each candidate is written last
        rows[self.owners[order]] = places[order]
        return rows


def interact(asked: Asked, candidates: list[Elements], most: int) -> Interaction:
    """Compare the question with the `most` nearest passages of each candidate."""
    chosen = [_chosen(asked, one, most) for one in candidates]
    held = [(one.token_lines, rows) for one, rows in zip(candidates, chosen, strict=True)]
    states = [lines.states[rows] for lines, rows in held]
    before = np.cumsum([0, *(one.passages.shape[0] for one in candidates)])  # passages of those before it
    return Interaction(
        asked.rarity,
        _cosines(asked.tokens, candidates, chosen),
        np.repeat(np.arange(len(candidates)), [len(rows) for rows in chosen]),
        np.concatenate([lines.passages[rows] + at for (lines, rows), at in zip(held, before[:-1], strict=True)]),
        np.concatenate(states).astype(np.intp),
        np.concatenate([lines.steps[rows] for lines, rows in held]).astype(np.intp),
        np.concatenate([one.hops[rows] for one, rows in zip(candidates, states, strict=True)]),
    )


def _chosen(asked: Asked, one: Elements, most: int) -> Places:
    """The lines to compare, in their order; at least one."""
    if len(one.passages) <= most:
        return np.arange(len(one.token_lines.starts))
    near = np.zeros(len(one.passages), np.bool_)
    near[np.argpartition(-(one.passages @ asked.vector), most - 1)[:most]] = True
    rows = np.flatnonzero(near[one.token_lines.passages])
    return rows if rows.size else np.arange(1)


def _cosines(question: Vectors, candidates: list[Elements], chosen: list[Places]) -> Vectors:
    """The largest cosine of each token of the question with any of each chosen line."""
    longest = max(int(one.token_lines.sizes[rows].sum()) for one, rows in zip(candidates, chosen, strict=True))
    floats = np.empty((longest, question.shape[1]), np.float32)
    columns = [_cosine(question, one, rows, floats) for one, rows in zip(candidates, chosen, strict=True)]
    cosines: Vectors = np.concatenate(columns, axis=1)
    return cosines


def _cosine(question: Vectors, one: Elements, rows: Places, floats: Vectors) -> Vectors:
    """The same for one candidate, whose numbers of eight bits become `floats` that stay in the cache."""
    assert one.tokens is not None
    begins, sizes = one.token_lines.starts[rows], one.token_lines.sizes[rows]
    ends = np.cumsum(sizes)
    if not ends[-1]:
        return np.zeros((len(question), len(rows)), np.float32)
    vectors, scales = one.tokens.vectors, one.tokens.scales
    if ends[-1] < len(vectors):
        some = np.arange(ends[-1]) + np.repeat(begins - ends + sizes, sizes)
        vectors, scales = vectors[some], scales[some]
    held = floats[: len(vectors)]
    np.copyto(held, vectors)
    best: Vectors = np.maximum.reduceat(held @ question.T * scales[:, None], ends - sizes, axis=0).T
    return best
