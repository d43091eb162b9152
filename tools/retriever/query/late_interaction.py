"""Late interaction (ColBERT style): the maximum cosine of each question token over the tokens of the passages.

    Sim(Q, X) = Σ_t rarity(t) · max_{t' in X} cos(t, t')      over the tokens t of Q

Only passages of the candidate SOPs are read, and of a long SOP only the nearest ones, so that a procedure of 5,000
steps costs no more than one of 50. Every line is either title, prose, state or step, so the maximum is computed once
per line, and the views are computed from the line maxima.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from soprag.configs.settings import RetrieverSettings
from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.index.tokens import Passages
from soprag.tools.retriever.query.query import Query
from soprag.tools.retriever.query.ranking import PassageShares, Places, Scores, path


@dataclass(frozen=True)
class Interaction:
    """Token-to-line similarities: `best` (question tokens, lines) holds the maximum cosine per line.

    The lines of a candidate, and those of a passage, are contiguous. Per line: `owners` is the candidate, `passages`
    the passage number, `states` and `steps` the element rows of the state and step on it (-1: none), `hops` the hops
    of the state to the card.
    """

    rarity: Vectors
    best: Vectors
    owners: Places
    passages: Places
    states: Places
    steps: Places
    hops: NDArray[np.uint8]

    def shown(self, settings: RetrieverSettings) -> PassageShares:
        """C and F of Eq. 8 and 9 per passage: the flow view scores step lines, the causal view states and other lines.

        Lines outside states count as linked to the card; a state without a path to the card counts as k hops away.
        """
        in_step, in_state = self.steps >= 0, self.states >= 0
        near = np.where(in_state, np.maximum(path(self.hops, settings), settings.decay**settings.hops), 1)
        begins = np.flatnonzero(np.diff(self.passages, prepend=-1))
        causal = np.where(in_state | ~in_step, near, 0).astype(np.float32)
        causal, flow = (np.maximum.reduceat(self.best * view, begins, axis=1) for view in (causal, in_step))
        return PassageShares(causal, flow, self.rarity, self.owners[begins], by_word=True)

    def similar(self) -> Scores:
        """Sim(Q, S) of every candidate S over all its lines, shape (candidates,)."""
        begins = np.flatnonzero(np.diff(self.owners, prepend=-1))
        scores: Scores = self.rarity @ np.maximum.reduceat(self.best, begins, axis=1)
        return scores

    def nearest(self, kind: Literal["state", "step"]) -> Places:
        """The row of the state or step nearest to the question in each candidate; -1 where there is none."""
        places = self.states if kind == "state" else self.steps
        begins = np.flatnonzero((np.diff(places, prepend=-2) != 0) | (np.diff(self.owners, prepend=-1) != 0))
        similarities = self.rarity @ np.maximum.reduceat(self.best, begins, axis=1)
        begins, similarities = begins[places[begins] >= 0], similarities[places[begins] >= 0]
        rows = np.full(self.owners[-1] + 1, -1, np.intp)
        order = begins[np.argsort(similarities, kind="stable")]  # the best of each candidate is written last
        rows[self.owners[order]] = places[order]
        return rows


def interact(query: Query, candidates: list[Elements], most: int) -> Interaction:
    """Late interaction of the question with the `most` nearest passages of each candidate."""
    chosen = [_chosen(query, candidate, most) for candidate in candidates]
    selected = [(candidate.token_lines, rows) for candidate, rows in zip(candidates, chosen, strict=True)]
    states = [lines.states[rows] for lines, rows in selected]
    before = np.cumsum([0, *(candidate.passages.shape[0] for candidate in candidates)])  # passages of those before it
    return Interaction(
        query.rarity,
        _cosines(query.tokens, candidates, chosen),
        np.repeat(np.arange(len(candidates)), [len(rows) for rows in chosen]),
        np.concatenate(
            [lines.passages[rows] + offset for (lines, rows), offset in zip(selected, before[:-1], strict=True)]
        ),
        np.concatenate(states).astype(np.intp),
        np.concatenate([lines.steps[rows] for lines, rows in selected]).astype(np.intp),
        np.concatenate([candidate.hops[rows] for candidate, rows in zip(candidates, states, strict=True)]),
    )


def _chosen(query: Query, candidate: Elements, most: int) -> Places:
    """Indices of the lines in the `most` nearest passages, ascending; at least one."""
    if len(candidate.passages) <= most:
        return np.arange(len(candidate.token_lines.starts))
    near = np.zeros(len(candidate.passages), np.bool_)
    near[np.argpartition(-(candidate.passages @ query.vector), most - 1)[:most]] = True
    rows = np.flatnonzero(near[candidate.token_lines.passages])
    return rows if rows.size else np.arange(1)


def _cosines(question: Vectors, candidates: list[Elements], chosen: list[Places]) -> Vectors:
    """The maximum cosine of each question token with the tokens of each chosen line, shape (tokens, lines)."""
    longest = max(
        int(candidate.token_lines.sizes[rows].sum()) for candidate, rows in zip(candidates, chosen, strict=True)
    )
    turned = {
        bits: codes.turned(question, bits) for bits in {_tokens(candidate).codes.bits for candidate in candidates}
    }
    asked = AskedTokens(
        question, turned, np.empty(longest * max(rows.shape[1] for rows in turned.values()), np.float32)
    )
    columns = [_cosine(asked, candidate, rows) for candidate, rows in zip(candidates, chosen, strict=True)]
    cosines: Vectors = np.concatenate(columns, axis=1)
    return cosines


@dataclass(frozen=True)
class AskedTokens:
    """The question tokens (n, d), the same `turned` for codes of so many bits, and a buffer to decode tokens into."""

    vectors: Vectors
    turned: dict[int, Vectors]
    buffer: Vectors


def _tokens(candidate: Elements) -> Passages:
    assert candidate.tokens is not None
    return candidate.tokens


def _cosine(asked: AskedTokens, candidate: Elements, rows: Places) -> Vectors:
    """`_cosines` for one candidate."""
    tokens, lines = _tokens(candidate), candidate.token_lines
    begins, sizes = lines.starts[rows], lines.sizes[rows]
    ends = np.cumsum(sizes)
    if not ends[-1]:
        return np.zeros((len(asked.vectors), len(rows)), np.float32)
    some = np.arange(ends[-1]) + np.repeat(begins - ends + sizes, sizes)  # the tokens of the lines
    coded, each = tokens.codes, tokens.rows[some]
    if ends[-1] < len(tokens.rows):
        read, each = np.unique(each, return_inverse=True)
        coded = coded[read]
    products = coded.products(asked.turned[coded.bits], asked.buffer)[each]
    if tokens.along.size:
        of_passages = candidate.passages @ (asked.vectors.T / np.float32(127))
        along = tokens.along[tokens.rows[some], None]
        products += along * of_passages[np.repeat(lines.passages[rows], sizes)]
    best: Vectors = np.maximum.reduceat(products, ends - sizes, axis=0).T
    return best
