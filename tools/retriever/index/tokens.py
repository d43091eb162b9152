"""Token vectors of passages for late interaction: one code per content word piece, see `codes.py`.

They come from the same forward pass of the embedding model as the passage vector.

With one bit a number, a word has one vector in a passage, the mean of its pieces wherever it stands there, and coded is
only what this does not share with the passage: x = a·p + r, where p is the vector of the passage, which is stored
anyway, a = x·p has eight bits, and r is coded. The noise of a code is proportional to the length of what is coded, and
r is a fifth shorter than x. A third of the words of a passage stand in it already.
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

    Token i has the code `rows[i]` and stands on line `lines[i]` of the body, 0 in the title; passage p begins at token
    `starts[p]`. `along[c]` / 127 is what code c lacks of the vector of its passage; empty where codes lack nothing.
    """

    codes: Codes
    rows: NDArray[np.int32]
    lines: NDArray[np.int32]
    starts: NDArray[np.int32]
    along: NDArray[np.int8]


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
    packed = [_passage(element, tokens[element.spoken], bits) for element in elements if element.kind == "passage"]
    if not packed:
        return b""
    sizes = np.array([len(passage.lines) for passage in packed], "<i4")
    # Neighbouring tokens mostly share a line: as differences the lines shrink to a tenth.
    lines = np.diff(np.concatenate([passage.lines for passage in packed]), prepend=0).astype("<i4")
    places = zlib.compress(b"".join(part.tobytes() for part in (sizes, lines, *(each.again for each in packed))))
    coded = codes.pack(codes.encode(np.concatenate([passage.vectors for passage in packed]), bits))
    head = _HEAD.pack(len(sizes), int(sizes.sum()), len(places))
    return b"".join((head, places, coded, *(passage.along.tobytes() for passage in packed)))


def unpack(data: bytes) -> Passages:
    """Deserialise the result of `pack`; codes are not copied."""
    passages, size, length = _HEAD.unpack_from(data)
    unpacked = zlib.decompress(data[_HEAD.size : _HEAD.size + length])
    places = np.frombuffer(unpacked, "<i4", passages + size)
    again = np.frombuffer(unpacked, "<i2", size, places.nbytes)
    starts = np.cumsum(places[:passages], dtype=np.int32) - places[:passages]
    lines = np.cumsum(places[passages:], dtype=np.int32)
    rest = memoryview(data)[_HEAD.size + length :]
    coded = codes.unpack(rest)
    along = np.frombuffer(rest[codes.length(coded) :], np.int8)
    return Passages(coded, _rows(again, starts), lines, starts, along)


@dataclass(frozen=True)
class _Packed:
    """The vectors of one passage to be coded; of each token its line, and `again`: see `_again`."""

    vectors: Vectors
    along: NDArray[np.int8]
    lines: NDArray[np.int32]
    again: NDArray[np.int16]


def _passage(element: Element, passage: Tokens, bits: int) -> _Packed:
    text = element.spoken
    keep = content_mask(text, passage)
    vectors, spans = passage.vectors[keep], passage.spans[keep]
    rows, along = np.arange(len(vectors)), np.zeros(0, np.int8)
    if bits == 1 and len(vectors):
        spans, pieces = _words(text, spans)
        words = [text[start:end].casefold() for start, end in spans]
        number = {word: row for row, word in enumerate(dict.fromkeys(words))}
        rows = np.array([number[word] for word in words])
        vectors, along = _apart(_means(vectors, rows[pieces]), passage.vector)
    return _Packed(vectors, along, _lines(element, text, spans[:, 0]), _again(rows))


def _words(text: str, spans: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The spans of words, and of every piece the word it is of; a sign of another script is a word."""
    follows = (spans[1:, 0] == spans[:-1, 1]) & [text[start].isascii() for start in spans[1:, 0]]
    starts = np.flatnonzero(np.append(True, ~follows))
    words = np.column_stack((spans[starts, 0], spans[np.append(starts[1:], len(spans)) - 1, 1]))
    return words, np.repeat(np.arange(len(starts)), np.diff(starts, append=len(spans)))


def _means(vectors: Vectors, groups: NDArray[np.intp]) -> Vectors:
    """The mean of the vectors of each group at length 1."""
    sums = np.zeros((int(groups.max()) + 1, vectors.shape[1]), np.float32)
    np.add.at(sums, groups, vectors)
    means: Vectors = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), _LEAST)
    return means


def _again(rows: NDArray[np.intp]) -> NDArray[np.int16]:
    """Of every token of a passage 0 when its row, one of 0, 1, 2 ..., is new, else the row and 1."""
    new = np.diff(np.maximum.accumulate(rows), prepend=-1) > 0
    return np.where(new, 0, rows + 1).astype("<i2")


def _rows(again: NDArray[np.int16], starts: NDArray[np.int32]) -> NDArray[np.int32]:
    """The code of every token, from `_again` of all passages."""
    new = again == 0
    if new.all():
        return np.arange(len(again), dtype=np.int32)
    before = np.cumsum(new) - new  # codes up to each token
    sizes = np.diff(starts, append=len(again))
    first = np.repeat(before[np.minimum(starts, len(again) - 1)], sizes)
    return np.where(new, before, first + again - 1).astype(np.int32)


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
