"""The embedded model: all-MiniLM-L6-v2, 384 numbers per text, without torch and without a download."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from soprag.tools.embedding import Tokens, Vectors, bert
from soprag.tools.embedding.bert import unit
from soprag.tools.embedding.weights import check_weights, find_weights, read_tensors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSION = 384
LONGEST = 256  # tokens of a text that count; the model was trained on no more
BATCH = 256  # tokens at once, padding included: more are no faster
CALL = 8  # padded tokens that take as long as one more call


@dataclass
class MiniLm:
    """Loads its weights with the first text, once per process, and only if they are the known ones.

    `checked` is the file that remembers which files were found to be the known ones (see `check_weights`).
    """

    checked: Path | None = None
    name: ClassVar[str] = "minilm"

    def embed(self, texts: list[str]) -> Vectors:
        """One row of length 1 per text; shape (number of texts, 384)."""
        vectors = np.empty((len(texts), DIMENSION), np.float32)
        if not texts:
            return vectors
        tokenizer, encode = _load(self.checked)
        tokens = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
        for batch in _batches([len(ids) for ids in tokens]):
            vectors[batch] = encode([tokens[index] for index in batch])
        return vectors

    def tokens(self, texts: list[str]) -> list[Tokens]:
        """See `TokenEmbedder`; one forward pass gives the vector of a text and those of its tokens."""
        if not texts:
            return []
        tokenizer, bert = _load(self.checked)
        encodings = tokenizer.encode_batch(texts)
        read: dict[int, Tokens] = {}
        for batch in _batches([len(encoding.ids) for encoding in encodings]):
            vectors, tokens = bert.read([encodings[index].ids for index in batch])
            for index, vector, rows in zip(batch, vectors, tokens, strict=True):
                spans = np.array(encodings[index].offsets[1:-1], np.int32).reshape(-1, 2)
                read[index] = Tokens(vector, unit(rows[1:-1]), spans)
        return [read[index] for index in range(len(texts))]


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Batches of text indices by length, so that padding costs less than an additional call."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda row: lengths[row]):
        padding = len(batch) * (lengths[index] - lengths[batch[-1]]) if batch else 0
        if batch and (padding > CALL or (len(batch) + 1) * lengths[index] > BATCH):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def word_rank(word: str) -> int:
    """The place of a word in the vocabulary of the model, which is ordered by frequency; its size for other words."""
    ranks = _ranks(find_weights())
    return ranks.get(word, len(ranks))


@cache
def _ranks(folder: Path) -> dict[str, int]:
    from tokenizers import Tokenizer

    ranks: dict[str, int] = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    return ranks


_lock = threading.Lock()


_loaded: "dict[Path, tuple[Tokenizer, bert.Bert]]" = {}


def _load(checked: Path | None) -> "tuple[Tokenizer, bert.Bert]":
    with _lock:
        folder = find_weights()
        if folder not in _loaded:
            check_weights(folder, checked)
            _loaded[folder] = _load_from(folder)
        return _loaded[folder]


def _load_from(folder: Path) -> "tuple[Tokenizer, bert.Bert]":
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.no_padding()
    config = json.loads((folder / "config.json").read_bytes())
    return tokenizer, bert.build(read_tensors(folder / "model.safetensors"), config)
