"""The layout of the elements of an SOP: how many there are of each kind, their lines, and the hops of the states."""

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.retriever.index.elements import KINDS


@dataclass(frozen=True)
class Layout:
    """Of n elements by kind: `counts` (kinds,), first and last `lines` (n, 2), 0 where unknown, and `hops` (n,)."""

    counts: NDArray[np.int32]
    lines: NDArray[np.int32]
    hops: NDArray[np.uint8]

    def pack(self) -> bytes:
        """Serialise."""
        parts = (self.counts.astype("<i4"), self.lines.astype("<i4"), self.hops)
        return zlib.compress(b"".join(part.tobytes() for part in parts))

    @classmethod
    def unpack(cls, data: bytes) -> "Layout":
        """The result of `pack`."""
        whole = zlib.decompress(data)
        counts = np.frombuffer(whole, "<i4", len(KINDS))
        size = int(counts.sum())
        lines = np.frombuffer(whole, "<i4", 2 * size, counts.nbytes).reshape(size, 2)
        return cls(counts, lines, np.frombuffer(whole, np.uint8, size, counts.nbytes + lines.nbytes))
