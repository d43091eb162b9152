"""Token vectors of passages for late interaction: one int8 vector per content word piece.

They come from the same forward pass of the embedding model as the passage vector.
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import TokenEmbedder, Tokens, Vectors
from soprag.tools.retriever.index.elements import Element
from soprag.tools.text.stop_words import STOP

TITLE = 0  # the line of a token of the title, which stands above every passage
_HEAD = struct.Struct("<III")


@dataclass(frozen=True)
class Passages:
    """All tokens of one SOP, passage after passage.

    The vector of token i is `vectors[i] * scales[i]`; `lines[i]` is the line of the body it stands on, 0 in the title;
    the tokens of passage p begin at `starts[p]`.
    """

    vectors: NDArray[np.int8]
    scales: NDArray[np.float32]
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


def pack(elements: Iterable[Element], tokens: Mapping[str, Tokens]) -> bytes:
    """The content tokens of the passages among `elements`, quantised to int8 and serialised."""
    vectors: list[Vectors] = []
    lines: list[NDArray[np.int32]] = []
    for element in elements:
        if element.kind == "passage":
            text, passage = element.spoken, tokens[element.spoken]
            keep = content_mask(text, passage)
            vectors.append(passage.vectors[keep])
            lines.append(_lines(element, text, passage.spans[keep, 0]))
    return _bytes(vectors, lines)


def unpack(data: bytes) -> Passages:
    """Deserialise the result of `pack` without copying."""
    passages, size, width = _HEAD.unpack_from(data)
    offset, parts = _HEAD.size, []
    for count, kind in ((passages, "<i4"), (size, "<i4"), (size, "<f4"), (size * width, "i1")):
        parts.append(np.frombuffer(data, kind, count, offset))
        offset += parts[-1].nbytes
    starts, lines, scales, vectors = parts
    return Passages(vectors.reshape(size, width), scales, lines, starts)


def _bytes(vectors: list[Vectors], lines: list[NDArray[np.int32]]) -> bytes:
    if not vectors:
        return b""
    sizes = [len(rows) for rows in vectors]
    starts = np.cumsum([0, *sizes[:-1]], dtype="<i4")
    rows = np.concatenate(vectors)
    scales = (np.abs(rows).max(axis=1, initial=1e-9) / 127).astype("<f4")
    small = np.round(rows / scales[:, None]).astype(np.int8)
    head = _HEAD.pack(len(sizes), len(rows), rows.shape[1])
    where = np.concatenate(lines).astype("<i4")
    return b"".join((head, starts.tobytes(), where.tobytes(), scales.tobytes(), small.tobytes()))


def _lines(element: Element, text: str, starts: NDArray[np.int32]) -> NDArray[np.int32]:
    """The line of the body on which each token stands: rows of the text are told apart by line ends."""
    rows = np.array([TITLE] * element.context.count("\n") + list(element.rows), np.int32)
    ends = np.array([offset for offset, sign in enumerate(text) if sign == "\n"], np.int32)
    return rows[np.searchsorted(ends, starts)]
