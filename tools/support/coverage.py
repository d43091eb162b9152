"""Coverage: how much of what a sentence says is not in the cited text, by word.

A content word that the text lacks counts by how special it is (its rank in the vocabulary of the embedded model, which
is ordered by frequency) and by how far it is from the words of the text in the embedding of the two. A word that other
parts of the procedure have counts less: it is not invented.
"""

import math
from dataclasses import dataclass

import numpy as np

from soprag.tools.embedding.minilm import MiniLm, word_rank
from soprag.tools.support.tokens import ContentWord, content_words, kin, opposed
from soprag.tools.text.terms import stem

# Tuned on the half of `soprag measure support` that is not reported.
_COMMON, _RARE = 4500, 11000  # ranks up to which a word says nothing of its own, and from which on it counts in full
_ELSEWHERE = 0.4  # factor of a word that stands in other parts of the procedure
LIMIT = 0.55


@dataclass(frozen=True)
class Uncovered:
    """How much of the sentence is not covered, and the word that counts most (empty: none)."""

    weight: float
    word: str


def uncovered(sentence: str, cited: str, context: str, document: str) -> Uncovered:
    """The words of the sentence that neither the cited text nor its headings (`context`) have."""
    have = {word.stem for word in content_words(f"{cited}\n{context}")}
    missing = [word for word in content_words(sentence) if not _covered(word, have)]
    weights = [_special(word) for word in missing]
    if not any(weights):
        return Uncovered(0.0, "")
    elsewhere = {word.stem for word in content_words(document)}
    near = _nearness(sentence, cited, missing)
    parts = [
        weight * (1 - close) * (_ELSEWHERE if _covered(word, elsewhere) else 1)
        for word, weight, close in zip(missing, weights, near, strict=True)
    ]
    worst = max(range(len(parts)), key=parts.__getitem__)
    return Uncovered(sum(parts), missing[worst].text)


def _covered(word: ContentWord, have: set[str]) -> bool:
    return any(kin(word.stem, other) or opposed(word.stem, other) for other in have)


def _special(word: ContentWord) -> float:
    """0 for a word of general language to 1 for a special one; of a word and its stem the more common counts."""
    rank = min(word_rank(word.text.casefold()), word_rank(stem(word.text.casefold())))
    return min(max((math.log(rank) - math.log(_COMMON)) / (math.log(_RARE) - math.log(_COMMON)), 0.0), 1.0)


def _nearness(sentence: str, cited: str, missing: list[ContentWord]) -> list[float]:
    """The largest cosine of each missing word with a word of the cited text, 0 to 1."""
    said, text = MiniLm().tokens([sentence, cited])
    best = (said.vectors @ text.vectors.T).max(axis=1) if len(text.vectors) else np.zeros(len(said.vectors))
    near = []
    for word in missing:
        rows = (said.spans[:, 0] < word.start + len(word.text)) & (said.spans[:, 1] > word.start)
        near.append(float(np.clip(best[rows].mean(), 0, 1)) if rows.any() else 0.0)
    return near
