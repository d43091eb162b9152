"""The encoded question: terms with idf, embedding, and token vectors with weights."""

import re
from dataclasses import dataclass

import numpy as np

from soprag.tools.embedding import Vectors, token_embedder
from soprag.tools.errors import UsageError
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.index.tokens import content_mask
from soprag.tools.text.sanitize import sanitize
from soprag.tools.text.terms import spaced, terms

LONGEST = 4000  # characters that count; a pasted log file has its question in the first lines
_WORD = re.compile(r"\w+")
_LEAST = 0.5  # idf of a word without indexed terms


@dataclass(frozen=True)
class Query:
    """An encoded question; `tokens` (n, d) are its content tokens and `rarity` (n,) their weights, with sum 1.

    n is 0 when the embedding model gives no token vectors. `idf` has every term of the question.
    """

    text: str
    terms: list[str]
    idf: dict[str, float]
    vector: Vectors
    tokens: Vectors
    rarity: Vectors


def read_question(question: str, index: Index, power: float) -> Query:
    """Encode a question; `power` is the exponent of the idf in token weights. Raises `UsageError` when it is empty."""
    text = sanitize(question)[:LONGEST].strip()
    if not any(map(str.isalnum, text)):
        raise UsageError("The question is empty; ask something, such as 'coolant pump tripped'.")
    readable, term_list = spaced(text), terms(text)
    idf = _idf({*term_list, *terms(readable)}, index)
    embedder = index.embedder
    model = token_embedder(embedder)
    if model is None:
        nothing = np.zeros((0, 0), np.float32)
        return Query(text, term_list, idf, embedder.embed([readable])[0], nothing, nothing.reshape(0))
    read = model.tokens([readable])[0]
    keep = content_mask(readable, read)
    rarity = _rarity(readable, read.spans[keep, 0].tolist(), idf) ** np.float32(power)
    return Query(text, term_list, idf, read.vector, read.vectors[keep], rarity / max(float(rarity.sum()), 1e-9))


def _rarity(text: str, offsets: list[int], idf: dict[str, float]) -> Vectors:
    """The idf of the word each token belongs to: the maximum over its terms, at least `_LEAST`; shape (tokens,)."""
    word_at = {offset: match[0] for match in _WORD.finditer(text) for offset in range(match.start(), match.end())}
    word_idf = {word: max((idf.get(term, 0.0) for term in terms(word)), default=0.0) for word in set(word_at.values())}
    return np.array([max(word_idf.get(word_at.get(offset, ""), 0.0), _LEAST) for offset in offsets], np.float32)


def _idf(vocabulary: set[str], index: Index) -> dict[str, float]:
    often, size = index.frequencies(sorted(vocabulary)), index.size
    return {
        word: float(np.log1p((size - often.get(word, 0) + 0.5) / (often.get(word, 0) + 0.5))) for word in vocabulary
    }
