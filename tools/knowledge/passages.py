"""Passages for a question: hybrid scores of all chunks, then hops over the names in the best ones.

A hop goes from a good passage over a name in it to the passages about that name (their title) and to those that
name it. Hubs are damped by 1 / log(2 + degree). A target gains when it has the words of the question that the passage
before it lacks, since the passages of a path divide the question between them. The weights were chosen on the even
questions of the HotpotQA and MuSiQue samples; figures of the odd ones are in docs/knowledge.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors
from soprag.tools.knowledge.proper_names import is_telling, name_key, proper_names
from soprag.tools.knowledge.question_words import phrases
from soprag.tools.knowledge.snapshot import Ids, Snapshot, hashed
from soprag.tools.text.terms import terms

Scores = NDArray[np.float64]
MOST = 200  # chunks of a ranking


@dataclass(frozen=True)
class WalkWeights:
    """The weights of seeds and hops; `hops` = 0 gives the hybrid search alone, `lexical` = 1 BM25, 0 cosine."""

    lexical: float = 0.4
    title: float = 1.0  # the question names the title of the passage
    mention: float = 0.2  # the question and the passage name the same thing
    similar: float = 0.2  # a phrase of the question and a name in the passage are near, by their cosine
    least: float = 0.55  # cosine of such a name
    nearest: int = 5  # such names of a phrase
    hops: int = 2
    front: int = 8  # passages that are gone on from
    hop: float = 3.0
    later: float = 0.7  # factor of each further hop
    to_mention: float = 0.8  # of a hop to a passage that only names the thing
    base: float = 0.3  # of a target: a constant part, words not covered yet, cosine with the question
    uncovered: float = 0.5
    cosine: float = 0.5
    hub: int = 60  # names in more passages lead nowhere
    k1: float = 1.2
    b: float = 0.75


@dataclass(frozen=True)
class SeededQuestion:
    """A question against a snapshot: its groups, its lexical matches (terms, chunks), rarities and cosines.

    `groups` are those it names, `similar` others whose names are near to its phrases, with their cosines.
    """

    groups: tuple[int, ...]
    similar: dict[int, float]
    matches: NDArray[np.bool_]
    rarity: NDArray[np.float64]
    lexical: Scores
    cosines: Scores


def asked_texts(question: str) -> list[str]:
    """The texts of a question to be embedded for `seed`: itself, and its phrases."""
    return [question, *phrases(question)]


def seed(snapshot: Snapshot, question: str, vectors: Vectors, weights: WalkWeights) -> SeededQuestion:
    """Score all chunks by BM25 and cosine, and link the question to names: named, known by another name, or near.

    `vectors` are those of `asked_texts`, shape (texts, dimension).
    """
    count = len(snapshot.chunks)
    rows = [row for term in hashed(terms(question)) if (row := snapshot.postings.row_of(term)) >= 0]
    matches = np.zeros((len(rows), count), np.bool_)
    rarity, lexical = np.zeros(len(rows)), np.zeros(count)
    mean = max(float(snapshot.postings.lengths.mean()), 1.0) if count else 1.0
    for position, row in enumerate(rows):
        chunks = snapshot.postings.rows.row(row)
        start = snapshot.postings.rows.starts[row]
        frequency = snapshot.postings.frequency[start : start + len(chunks)]
        matches[position, chunks] = True
        rarity[position] = math.log1p((count - len(chunks) + 0.5) / (len(chunks) + 0.5))
        length = weights.k1 * (1 - weights.b + weights.b * snapshot.postings.lengths[chunks] / mean)
        lexical[chunks] += rarity[position] * frequency * (weights.k1 + 1) / (frequency + length)
    cosines = (snapshot.vectors @ vectors[0]).astype(np.float64) if count else np.zeros(0)
    groups = tuple(named(snapshot, question))
    similar = _similar(snapshot, groups, snapshot.similar(vectors[1:], weights.least, weights.nearest))
    return SeededQuestion(groups, similar, matches, rarity, lexical, cosines)


def _similar(snapshot: Snapshot, groups: tuple[int, ...], near: dict[int, float]) -> dict[int, float]:
    """The groups that are near, and those that mean the same as one that is named or near, with their cosines."""
    cosines = {**near, **dict.fromkeys(groups, 1.0)}
    for group, cosine in list(cosines.items()):
        for other in snapshot.also.row(group).tolist():
            cosines[other] = max(cosine, cosines.get(other, 0.0))
    return {group: cosine for group, cosine in sorted(cosines.items()) if group not in groups}


def named(snapshot: Snapshot, text: str) -> list[int]:
    """The groups a text names: by the names of the graph, and by names of its own that the graph has."""
    groups = dict.fromkeys(snapshot.linked(text))
    keys = (name_key(name) for name in proper_names(text))
    return list(groups | {snapshot.group_of_key[key]: None for key in keys if key in snapshot.group_of_key})


def rank(
    snapshot: Snapshot, seeded: SeededQuestion, text_of: Callable[[int], str], weights: WalkWeights
) -> list[tuple[int, float]]:
    """The best `MOST` chunks with their scores, ties by document and line; `text_of` gives the text of a chunk."""
    if not snapshot.chunks:
        return []
    scores = _hybrid(snapshot, seeded, weights)
    links: dict[int, list[int]] = {}
    for hop in range(weights.hops):
        front = np.argsort(-scores, kind="stable")[: weights.front].tolist()
        for chunk in front:
            if chunk not in links:
                links[chunk] = _links(snapshot, chunk, text_of(chunk))
        scores = scores + weights.later**hop * _hop(snapshot, seeded, (scores, front, links), weights)
    order = np.argsort(-scores, kind="stable")[:MOST]
    return [(int(chunk), float(scores[chunk])) for chunk in order]


def _hybrid(snapshot: Snapshot, seeded: SeededQuestion, weights: WalkWeights) -> Scores:
    lexical = seeded.lexical / max(float(seeded.lexical.max()), 1e-9)
    cosines = seeded.cosines / max(float(seeded.cosines.max()), 1e-9)
    scores: Scores = weights.lexical * lexical + (1 - weights.lexical) * cosines
    if weights.hops:
        for group in seeded.groups:
            titled, chunks = snapshot.titled.get(group, _NONE), snapshot.named_in.row(group)
            scores[titled] += weights.title / math.log(math.e - 1 + max(len(titled), 1))
            if 0 < len(chunks) <= weights.hub:
                scores[chunks] += weights.mention / math.log(2 + len(chunks))
        for group, cosine in seeded.similar.items():
            chunks = snapshot.named_in.row(group)
            if 0 < len(chunks) <= weights.hub:
                scores[chunks] += weights.similar * cosine / math.log(2 + len(chunks))
    return scores


_NONE: Ids = np.zeros(0, np.int32)


def _links(snapshot: Snapshot, chunk: int, text: str) -> list[int]:
    """The groups that a passage names, also those whose names it writes in lower case."""
    groups = dict.fromkeys(snapshot.names_of.row(chunk).tolist())
    return [group for group in groups | dict.fromkeys(snapshot.linked(text)) if is_telling(_longest(snapshot, group))]


def _longest(snapshot: Snapshot, group: int) -> tuple[str, ...]:
    return max((name_key(text) for text in snapshot.groups[group]), key=lambda key: sum(map(len, key)))


def _hop(
    snapshot: Snapshot,
    seeded: SeededQuestion,
    state: tuple[Scores, list[int], dict[int, list[int]]],
    weights: WalkWeights,
) -> Scores:
    """What one hop from the front adds to each chunk: the best of the ways that lead to it."""
    scores, front, links = state
    gains = np.zeros(len(scores))
    best, cosine = scores[front[0]], np.maximum(seeded.cosines, 0) / max(float(seeded.cosines.max()), 1e-9)
    total = max(float(seeded.rarity.sum()), 1e-9)
    for chunk in front:
        strength = weights.hop * float(scores[chunk] / best) ** 2
        remaining = np.where(seeded.matches[:, chunk], 0.0, seeded.rarity)
        for group in links[chunk]:
            targets, factor = _targets(snapshot, group, weights)
            if len(targets):
                uncovered = remaining @ seeded.matches[:, targets] / total
                worth = weights.base + weights.uncovered * uncovered + weights.cosine * cosine[targets]
                worth = strength * factor * worth * (targets != chunk)
                gains[targets] = np.maximum(gains[targets], worth)
    return gains


def _targets(snapshot: Snapshot, group: int, weights: WalkWeights) -> tuple[Ids, Scores]:
    """The passages a name leads to, and how much of a hop's weight each of them gets."""
    naming, titled = snapshot.named_in.row(group), snapshot.titled.get(group, _NONE)
    if len(naming) > weights.hub:
        return _NONE, np.zeros(0)
    targets = np.concatenate([titled, naming[~np.isin(naming, titled)]])
    factor = np.full(len(targets), weights.to_mention / math.sqrt(max(len(naming), 1)))
    factor[: len(titled)] = 1.0
    return targets, factor / math.log(2 + len(naming))
