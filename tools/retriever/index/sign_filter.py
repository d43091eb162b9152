"""Which of many vectors may be the nearest to a question: those whose numbers share the most signs with its numbers.

Two unit vectors with the angle θ differ in about θ/π of their signs (Charikar 2002, *Similarity estimation techniques
from rounding algorithms*). Signs take a bit a number, and a processor compares 64 with two instructions. It orders
roughly: what it selects has to be compared by its cosines.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

ZERO = np.float32(128)  # the code of 0 with eight bits a number
_WORD = 64


@dataclass(frozen=True)
class SignFilter:
    """The signs of n vectors as `words`, shape (64ths of the dimension, n)."""

    words: NDArray[np.uint64] = field(default_factory=lambda: np.empty((0, 0), np.uint64))

    @classmethod
    def of(cls, packed: NDArray[np.uint8]) -> "SignFilter":
        """The signs of vectors with eight-bit codes, shape (n, dimension)."""
        return cls(np.ascontiguousarray(_words(packed >= ZERO).T))

    def select(self, question: NDArray[np.float32], size: int) -> NDArray[np.intp]:
        """The rows of the `size` vectors that share the most signs with it, and of all that tie; ascending."""
        differing = np.zeros(self.words.shape[1], np.uint16)
        other, count = np.empty(len(differing), np.uint64), np.empty(len(differing), np.uint8)  # made once
        for word, asked in zip(self.words, _words(question[None] >= 0)[0], strict=True):
            np.bitwise_count(np.bitwise_xor(word, asked, out=other), out=count)
            differing += count
        many = np.bincount(differing).cumsum()
        return np.flatnonzero(differing <= np.searchsorted(many, min(size, len(differing))))


def _words(signs: NDArray[np.bool_]) -> NDArray[np.uint64]:
    padded = np.pad(signs, ((0, 0), (0, -signs.shape[1] % _WORD)))
    return np.packbits(padded, axis=1).view(np.uint64)
