"""Vector codes: vectors in one, two or eight bits a number with one scale each; nothing is fitted to the vectors.

A vector x is divided by a unit u, every number goes to the nearest of 2^bits levels L, and one scale α turns the levels
c back into a vector:

    c_i = nearest level to x_i / u          x̂ = α · c          α = (x·x) / (x·c)

Two bits and one: u is the root mean square of x, and L are the levels with the least squared error for a normal
variable (Max 1960, Lloyd 1982), ±0.4528 and ±1.5104, and ±0.7979. Eight bits: u = max |x_i| / 127, L = -127 ... 127.

One bit: x and every question are turned before by one fixed random rotation. It leaves their cosines as they are and
makes the numbers of x normal whatever the model, so that cos(x, x̂) is that of theory, √(2/π) = 0.798 (MiniLM's tokens
as they are: 0.782). At two bits a rotation gains less (0.940 for 0.932), and answers were no better with it.

The scale is the *unbiased* one. With it x·x̂ = x·x, so the error e = x̂ - x is perpendicular to x. For another vector
q, with q = p + r, p along x and r perpendicular to it, q·x̂ = q·x + r·e: the error is that of two vectors that have
nothing to do with each other, about |r||e|/√d with mean 0 (RaBitQ, Gao and Long 2024, section 3.2). The scale
with the least squared error would give x·x̂ = 0.88 x·x at two bits. Every cosine would shrink by an eighth, and the
confidence, which has fixed thresholds, would refuse many questions more.

A code depends on its own vector alone: what is added later or removed changes no other code.
"""

import struct
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors

_HEAD = struct.Struct("<HHI")  # bits a number, bytes a vector, vectors
_LEAST = 1e-12  # in place of the length of a vector of zeros
_LEVELS: dict[int, Vectors] = {
    1: np.array([-0.7979, 0.7979], np.float32),
    2: np.array([-1.5104, -0.4528, 0.4528, 1.5104], np.float32),
    8: np.arange(-128, 128, dtype=np.float32),
}


@dataclass(frozen=True)
class Codes:
    """Coded vectors, a row each: `packed` (n, bytes) with the first number in the low bits, and `scales` (n,)."""

    packed: NDArray[np.uint8]
    scales: NDArray[np.float16]
    bits: int

    def __len__(self) -> int:
        return len(self.packed)

    def __getitem__(self, rows: NDArray[np.intp]) -> "Codes":
        return Codes(self.packed[rows], self.scales[rows], self.bits)

    @property
    def width(self) -> int:
        """Numbers of a decoded vector: the dimension, rounded up to whole bytes."""
        return int(self.packed.shape[1]) * 8 // self.bits

    def products(self, question: Vectors, buffer: Vectors) -> Vectors:
        """The products with every row of `question`, which `turned` has prepared; shape (n, rows).

        `buffer`, float32 and flat, has room for n vectors of `width` numbers; callers use one for many calls.
        """
        levels = buffer[: len(self) * self.width].reshape(len(self), self.width)
        values = levels.reshape(*self.packed.shape, 8 // self.bits)
        np.take(_values(self.bits), self.packed, axis=0, out=values, mode="clip")
        products: Vectors = levels @ question.T
        return products * self.scales[:, None].astype(np.float32)

    def vectors(self) -> Vectors:
        """The decoded vectors, shape (n, `width`) float32; those of one bit are still turned."""
        if self.bits == 8:  # code c is the number c - 128
            vectors = self.packed.astype(np.float32)
            vectors -= 128
        else:
            vectors = _values(self.bits)[self.packed].reshape(len(self), self.width)
        vectors *= self.scales[:, None].astype(np.float32)
        return vectors


def turned(vectors: Vectors, bits: int) -> Vectors:
    """Vectors (n, d) as codes with this number of bits have them: turned at one bit, filled up to whole bytes."""
    rows = vectors @ _rotation(vectors.shape[1]) if bits == 1 else vectors
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % (8 // bits))))


def encode(vectors: Vectors, bits: int) -> Codes:
    """The codes of vectors (n, d) of any length, in 1, 2 or 8 `bits`; vectors of zeros stay zero."""
    rows, levels = turned(vectors, bits), _LEVELS[bits]
    squares = (vectors**2).sum(axis=1, keepdims=True)
    root = np.sqrt(squares / max(vectors.shape[1], 1))
    unit = np.abs(rows).max(axis=1, keepdims=True, initial=0) / 127 if bits == 8 else root
    codes = np.searchsorted((levels[1:] + levels[:-1]) / 2, rows / np.maximum(unit, _LEAST)).astype(np.uint8)
    product = (rows * levels[codes]).sum(axis=1, keepdims=True)
    scales = np.where(product > 0, squares / np.maximum(product, _LEAST), 0)
    parts = codes.reshape(len(rows), rows.shape[1] * bits // 8, 8 // bits) << np.arange(0, 8, bits, dtype=np.uint8)
    return Codes(np.bitwise_or.reduce(parts, axis=2), scales[:, 0].astype(np.float16), bits)


def pack(codes: Codes) -> bytes:
    """The codes as bytes, with a header that says how many bits they have."""
    head = _HEAD.pack(codes.bits, codes.packed.shape[1], len(codes))
    return head + codes.scales.astype("<f2").tobytes() + codes.packed.tobytes()


def unpack(data: bytes | memoryview) -> Codes:
    """The result of `pack` without copying."""
    bits, width, size = _HEAD.unpack_from(data)
    scales = np.frombuffer(data, "<f2", size, _HEAD.size)
    packed = np.frombuffer(data, np.uint8, size * width, _HEAD.size + scales.nbytes)
    return Codes(packed.reshape(size, width), scales, bits)


def length(codes: Codes) -> int:
    """The bytes of the result of `pack`."""
    return _HEAD.size + codes.scales.nbytes + codes.packed.nbytes


@lru_cache
def _values(bits: int) -> Vectors:
    """The levels that each byte stands for, shape (256, levels per byte)."""
    shifts = np.arange(0, 8, bits)
    values: Vectors = _LEVELS[bits][(np.arange(256)[:, None] >> shifts) & (2**bits - 1)]
    return values


@lru_cache
def _rotation(dimension: int) -> Vectors:
    """A random orthogonal matrix, the same everywhere: the stream of `RandomState` never changes."""
    matrix, _ = np.linalg.qr(np.random.RandomState(dimension).standard_normal((dimension, dimension)))
    return np.ascontiguousarray(matrix, np.float32)
