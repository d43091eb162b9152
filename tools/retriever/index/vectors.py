"""Embedding of elements: the texts of several SOPs in one call of the model."""

from dataclasses import dataclass

import numpy as np

from soprag.tools.embedding import Embedder, Vectors, token_embedder
from soprag.tools.retriever.index import tokens
from soprag.tools.retriever.index.elements import Element


@dataclass(frozen=True)
class Embedded:
    """The vectors of one SOP: a row for each of its first elements, and the tokens of its passages as bytes."""

    rows: Vectors
    tokens: bytes = b""

    def gist(self, elements: list[Element]) -> Vectors:
        """The normalised mean of the passage vectors, or of the card vector without passages; shape (dimension,)."""
        passages = [row for row, element in enumerate(elements) if element.kind == "passage"]
        mean = self.rows[passages or [0]].mean(axis=0)
        gist: Vectors = mean / max(float(np.linalg.norm(mean)), 1e-9)
        return gist


@dataclass(frozen=True)
class Vectoriser:
    """Embeds elements: cards and passages, and with `every` also entities, states and steps.

    Token vectors get codes of `token_bits` bits a number.

    """

    embedder: Embedder
    every: bool
    token_bits: int

    def embed(self, items: list[list[Element]]) -> list[Embedded]:
        """The vectors of every item."""
        selected = [[element for element in elements if self._wants(element)] for elements in items]
        flat = [element for elements in selected for element in elements]
        model = token_embedder(self.embedder)
        read = tokens.read(model, flat) if model and flat else {}
        texts = dict.fromkeys(element.spoken for element in flat if element.spoken not in read)
        vectors = dict(zip(texts, self.embedder.embed(list(texts)), strict=True))
        vectors |= {text: passage.vector for text, passage in read.items()}
        return [
            Embedded(
                np.stack([vectors[element.spoken] for element in elements]),
                tokens.pack(elements, read, self.token_bits) if model else b"",
            )
            for elements in selected
        ]

    def _wants(self, element: Element) -> bool:
        return self.every or element.kind in ("card", "passage")
