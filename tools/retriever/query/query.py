"""The encoded question: terms with idf, embedding, and token vectors with weights."""

import re
from dataclasses import dataclass

import numpy as np

from soprag.tools.embedding import Embedder, Tokens, Vectors, token_embedder
from soprag.tools.errors import UsageError
from soprag.tools.retriever.index.bm25 import Scored
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


@dataclass(frozen=True)
class EmbeddedQuestion:
    """A question and what the embedding model says of it; `tokens` is None when it gives no token vectors.

    `spoken` is the text that the model reads, with identifiers taken apart.
    """

    text: str
    spoken: str
    terms: list[str]
    vector: Vectors
    tokens: Tokens | None

    @property
    def vocabulary(self) -> list[str]:
        """The different terms of the text, however its identifiers are written."""
        return sorted({*self.terms, *terms(self.spoken)})

    def weigh(self, scored: Scored, power: float) -> Query:
        """The encoded question; `power` is the exponent of the idf in token weights."""
        idf = {word: scored.rarity(word) for word in self.vocabulary}
        if self.tokens is None:
            nothing = np.zeros((0, 0), np.float32)
            return Query(self.text, self.terms, idf, self.vector, nothing, nothing.reshape(0))
        keep = content_mask(self.spoken, self.tokens)
        rarity = _rarity(self.spoken, self.tokens.spans[keep, 0].tolist(), idf) ** np.float32(power)
        weights = rarity / max(float(rarity.sum()), 1e-9)
        return Query(self.text, self.terms, idf, self.vector, self.tokens.vectors[keep], weights)


def question_text(question: str) -> str:
    """The part of a question that counts, harmless to a screen. Raises `UsageError` when it is empty."""
    text = sanitize(question)[:LONGEST].strip()
    if not any(map(str.isalnum, text)):
        raise UsageError("The question is empty; ask something, such as 'pump P1 tripped'.")
    return text


def embed_question(text: str, embedder: Embedder) -> EmbeddedQuestion:
    """Embed a question of `question_text`."""
    spoken, model = spaced(text), token_embedder(embedder)
    if model is None:
        return EmbeddedQuestion(text, spoken, terms(text), embedder.embed([spoken])[0], None)
    read = model.tokens([spoken])[0]
    return EmbeddedQuestion(text, spoken, terms(text), read.vector, read)


def _rarity(text: str, offsets: list[int], idf: dict[str, float]) -> Vectors:
    """The idf of the word each token belongs to: the maximum over its terms, at least `_LEAST`; shape (tokens,)."""
    word_at = {offset: match[0] for match in _WORD.finditer(text) for offset in range(match.start(), match.end())}
    word_idf = {word: max((idf.get(term, 0.0) for term in terms(word)), default=0.0) for word in set(word_at.values())}
    return np.array([max(word_idf.get(word_at.get(offset, ""), 0.0), _LEAST) for offset in offsets], np.float32)
