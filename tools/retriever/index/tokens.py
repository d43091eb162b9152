"""Token vectors of passages for late interaction: one code per content word piece, see `codes.py`.

They come from the same forward pass of the embedding model as the passage vector.
"""

import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import TokenEmbedder, Tokens, Vectors
from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.codes import Codes
from soprag.tools.retriever.index.elements import Element
from soprag.tools.text.stop_words import STOP

TITLE = 0  # the line of a token of the title, which stands above every passage
_HEAD = struct.Struct("<III")  # passages, tokens, bytes of what says where they stand


@dataclass(frozen=True)
class Passages:
    """All tokens of one SOP, passage after passage.

    `lines[i]` is the line of the body that token i stands on, 0 in the title; passage p begins at token `starts[p]`.
    """

    codes: Codes
    lines: NDArray[np.int32]
    starts: NDArray[np.int32]

    @property
    def ends(self) -> NDArray[np.int32]:
        """Past the last token of each passage."""
        return np.append(self.starts[1:], np.int32(len(self.lines)))


def read(model: TokenEmbedder, elements: Iterable[Element]) -> dict[str, Tokens]:
    """Token vectors of all passages, by the input text of the model."""
    texts = list(dict.fromkeys(element.spoken for element in elements if element.kind == "passage"))
    return dict(zip(texts, model.tokens(texts), strict=True))


def content_mask(text: str, tokens: Tokens) -> NDArray[np.bool_]:
    """Mask of content tokens (no stop words, no punctuation), shape (tokens,); all true when there are none."""
    pieces = [text[start:end].casefold() for start, end in tokens.spans]
    some = np.array([word not in STOP and any(map(str.isalnum, word)) for word in pieces], np.bool_)
    return some if some.any() else np.ones(len(pieces), np.bool_)


def pack(elements: Iterable[Element], tokens: Mapping[str, Tokens], bits: int) -> bytes:
    """The content tokens of the passages among `elements`, coded and serialised; empty without passages."""
    vectors: list[Vectors] = []
    lines: list[NDArray[np.int32]] = []
    for element in elements:
        if element.kind == "passage":
            text, passage = element.spoken, tokens[element.spoken]
            keep = content_mask(text, passage)
            vectors.append(passage.vectors[keep])
            lines.append(_lines(element, text, passage.spans[keep, 0]))
    if not vectors:
        return b""
    sizes = np.array([len(rows) for rows in vectors], "<i4")
    # Neighbouring tokens mostly share a line: as differences the lines shrink to a tenth.
    places = zlib.compress(sizes.tobytes() + np.diff(np.concatenate(lines), prepend=0).astype("<i4").tobytes())
    coded = codes.encode(np.concatenate(vectors), bits)
    return _HEAD.pack(len(sizes), len(coded), len(places)) + places + codes.pack(coded)


def unpack(data: bytes) -> Passages:
    """Deserialise the result of `pack`; codes are not copied."""
    passages, size, length = _HEAD.unpack_from(data)
    places = np.frombuffer(zlib.decompress(data[_HEAD.size : _HEAD.size + length]), "<i4", passages + size)
    starts = np.cumsum(places[:passages], dtype=np.int32) - places[:passages]
    lines = np.cumsum(places[passages:], dtype=np.int32)
    return Passages(codes.unpack(memoryview(data)[_HEAD.size + length :]), lines, starts)


def _lines(element: Element, text: str, starts: NDArray[np.int32]) -> NDArray[np.int32]:
    """The line of the body on which each token stands: rows of the text are told apart by line ends."""
    rows = np.array([TITLE] * element.context.count("\n") + list(element.rows), np.int32)
    ends = np.array([offset for offset, sign in enumerate(text) if sign == "\n"], np.int32)
    return rows[np.searchsorted(ends, starts)]
