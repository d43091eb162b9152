"""A question as the ranking reads it: its terms, its vector, and its tokens with how much each of them says."""

import re
from dataclasses import dataclass

import numpy as np

from tools.embedding import Vectors, token_embedder
from tools.errors import UsageError
from tools.retriever.index import Index
from tools.retriever.terms import spaced, terms
from tools.retriever.tokens import telling
from tools.text.sanitize import sanitize

LONGEST = 4000  # characters that count; whoever pastes a log file asked in its first lines
_WORD = re.compile(r"\w+")
_LEAST = 0.5  # idf of a word that says nothing


@dataclass(frozen=True)
class Asked:
    """A question; `tokens` (n, d) are those that say something and `rarity` (n) what each says, with sum 1.

    Without a model that gives vectors of tokens there are none. `idf` is known of every term.
    """

    text: str
    terms: list[str]
    idf: dict[str, float]
    vector: Vectors
    tokens: Vectors
    rarity: Vectors


def read_question(question: str, index: Index, power: float) -> Asked:
    """Raises `UsageError` when nothing was asked; `power` is the exponent of the idf that a token counts with."""
    text = sanitize(question)[:LONGEST].strip()
    if not any(map(str.isalnum, text)):
        raise UsageError("The question is empty; ask something, such as 'coolant pump tripped'.")
    readable, term_list = spaced(text), terms(text)
    idf = _idf({*term_list, *terms(readable)}, index)
    embedder = index.embedder
    model = token_embedder(embedder)
    if model is None:
        nothing = np.zeros((0, 0), np.float32)
        return Asked(text, term_list, idf, embedder.embed([readable])[0], nothing, nothing.reshape(0))
    read = model.tokens([readable])[0]
    keep = telling(readable, read)
    rarity = _rarity(readable, read.spans[keep, 0].tolist(), idf) ** np.float32(power)
    return Asked(text, term_list, idf, read.vector, read.vectors[keep], rarity / max(float(rarity.sum()), 1e-9))


def _rarity(text: str, places: list[int], idf: dict[str, float]) -> Vectors:
    """The idf of the word that each token is part of; the rarest of its terms counts, a word without terms little."""
    word_at = {offset: match[0] for match in _WORD.finditer(text) for offset in range(match.start(), match.end())}
    word_idf = {word: max((idf.get(term, 0.0) for term in terms(word)), default=0.0) for word in set(word_at.values())}
    return np.array([max(word_idf.get(word_at.get(offset, ""), 0.0), _LEAST) for offset in places], np.float32)


def _idf(vocabulary: set[str], index: Index) -> dict[str, float]:
    often, size = index.frequencies(sorted(vocabulary)), index.size
    return {
        word: float(np.log1p((size - often.get(word, 0) + 0.5) / (often.get(word, 0) + 0.5))) for word in vocabulary
    }
