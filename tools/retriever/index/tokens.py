"""Token vectors of passages for late interaction: one code per content word piece, see `codes.py`.

They come from the same forward pass of the embedding model as the passage vector.

With one bit a number, the pieces of a word have one vector, their mean, and coded is only what a token does not share
with its passage: x = a·p + r, where p is the vector of the passage, which is stored anyway, a = x·p has eight bits, and
r is coded. The noise of a code is proportional to the length of what is coded, and r is a fifth shorter than x.
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
_LEAST = 1e-9  # in place of the length of a vector of zeros
_HEAD = struct.Struct("<III")  # passages, tokens, bytes of what says where they stand


@dataclass(frozen=True)
class Passages:
    """All tokens of one SOP, passage after passage.

    `lines[i]` is the line of the body that token i stands on, 0 in the title; passage p begins at token `starts[p]`.
    `along[i]` / 127 is what token i has of the vector of its passage, and its code is of the rest; empty where codes
    are of all.
    """

    codes: Codes
    lines: NDArray[np.int32]
    starts: NDArray[np.int32]
    along: NDArray[np.int8]

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
    along: list[NDArray[np.int8]] = []
    for element in elements:
        if element.kind == "passage":
            text, passage = element.spoken, tokens[element.spoken]
            keep = content_mask(text, passage)
            rows, spans = passage.vectors[keep], passage.spans[keep]
            if bits == 1:
                rows, spans = _words(text, rows, spans)
                rows, shared = _apart(rows, passage.vector)
                along.append(shared)
            vectors.append(rows)
            lines.append(_lines(element, text, spans[:, 0]))
    if not vectors:
        return b""
    sizes = np.array([len(rows) for rows in vectors], "<i4")
    # Neighbouring tokens mostly share a line: as differences the lines shrink to a tenth.
    places = zlib.compress(sizes.tobytes() + np.diff(np.concatenate(lines), prepend=0).astype("<i4").tobytes())
    coded = codes.pack(codes.encode(np.concatenate(vectors), bits))
    head = _HEAD.pack(len(sizes), int(sizes.sum()), len(places))
    return b"".join((head, places, coded, *(shared.tobytes() for shared in along)))


def unpack(data: bytes) -> Passages:
    """Deserialise the result of `pack`; codes are not copied."""
    passages, size, length = _HEAD.unpack_from(data)
    places = np.frombuffer(zlib.decompress(data[_HEAD.size : _HEAD.size + length]), "<i4", passages + size)
    starts = np.cumsum(places[:passages], dtype=np.int32) - places[:passages]
    lines = np.cumsum(places[passages:], dtype=np.int32)
    rest = memoryview(data)[_HEAD.size + length :]
    coded = codes.unpack(rest)
    return Passages(coded, lines, starts, np.frombuffer(rest[codes.length(coded) :], np.int8))


def _words(text: str, rows: Vectors, spans: NDArray[np.int32]) -> tuple[Vectors, NDArray[np.int32]]:
    """One vector for the pieces of a word, their mean at length 1; a sign of another script stays a word."""
    if not len(rows):
        return rows, spans
    follows = (spans[1:, 0] == spans[:-1, 1]) & [text[start].isascii() for start in spans[1:, 0]]
    starts = np.flatnonzero(np.append(True, ~follows))
    sums = np.add.reduceat(rows, starts)
    words: Vectors = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), _LEAST)
    return words, spans[starts]


def _apart(rows: Vectors, passage: Vectors) -> tuple[Vectors, NDArray[np.int8]]:
    """What the rows do not share with the vector of their passage, and their share of it in 127ths."""
    along = np.clip(np.rint(127 * (rows @ passage)), -127, 127).astype(np.int8)
    apart: Vectors = rows - along[:, None].astype(np.float32) / 127 * passage
    return apart, along


def _lines(element: Element, text: str, starts: NDArray[np.int32]) -> NDArray[np.int32]:
    """The line of the body on which each token stands: rows of the text are told apart by line ends."""
    rows = np.array([TITLE] * element.context.count("\n") + list(element.rows), np.int32)
    ends = np.array([offset for offset, sign in enumerate(text) if sign == "\n"], np.int32)
    return rows[np.searchsorted(ends, starts)]
