"""A BERT encoder in numpy: token ids in, one unit vector per text out.

Shapes: n texts, t tokens in the longest of them, d numbers per token (384), h heads.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.embedding.weights import Tensors

Floats = NDArray[np.float32]
MASKED = np.float32(-1e9)  # added to the attention of padding: exp() of it is 0
# GELU as x · (1 + tanh(z · (c0 + c1 z² + c2 z⁴))) / 2 with z = x clipped to ±5: within 2.5e-5 of the exact form.
_C0, _C1, _C2 = np.float32(0.797507884), np.float32(0.0370056462), np.float32(-0.000351516818)
_GELU_ROWS = 32  # rows at a time: the scratch space then stays in the processor's cache, which is several times faster


@dataclass(frozen=True)
class Linear:
    """x ↦ x·weight + bias."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """A new array."""
        y: Floats = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True)
class Norm:
    """Layer normalisation, in place."""

    gain: Floats
    bias: Floats
    epsilon: float

    def __call__(self, x: Floats) -> Floats:
        """`x` itself, changed."""
        x -= x.mean(-1, keepdims=True)
        variance = np.einsum("...i,...i->...", x, x)[..., None] / np.float32(x.shape[-1])
        x /= np.sqrt(variance + np.float32(self.epsilon))
        x *= self.gain
        x += self.bias
        return x


@dataclass(frozen=True)
class Layer:
    """One transformer layer: attention, then a feed-forward network, each added to its input and normalised."""

    heads: int
    queries_keys_values: Linear
    attended: Linear
    attention_norm: Norm
    widen: Linear
    narrow: Linear
    output_norm: Norm

    def __call__(self, x: Floats, n: int, bias: Floats | None) -> Floats:
        """`x` has shape (n·t, d); `bias`, of shape (n, 1, 1, t), masks the padding."""
        y = self.attended(self._attend(x, n, bias))
        y += x
        x = self.attention_norm(y)
        y = self.narrow(gelu(self.widen(x)))
        y += x
        return self.output_norm(y)

    def _attend(self, x: Floats, n: int, bias: Floats | None) -> Floats:
        rows, d = x.shape
        split = self.queries_keys_values(x).reshape(n, rows // n, 3, self.heads, d // self.heads)
        queries, keys, values = split.transpose(2, 0, 3, 1, 4)
        scores = queries @ keys.transpose(0, 1, 3, 2)
        if bias is not None:
            scores += bias
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        attended: Floats = scores @ values
        return attended.transpose(0, 2, 1, 3).reshape(rows, d)


@dataclass(frozen=True)
class Bert:
    """The whole encoder with mean pooling."""

    words: Floats
    positions: Floats
    norm: Norm
    layers: tuple[Layer, ...]

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return int(self.words.shape[1])

    def __call__(self, texts: list[list[int]]) -> Floats:
        """One vector of length 1 per text."""
        return self.read(texts)[0]

    def read(self, texts: list[list[int]]) -> tuple[Floats, list[Floats]]:
        """One vector of length 1 per text, and the output of the last layer for each of its tokens (not normalised)."""
        lengths = np.array([len(ids) for ids in texts])
        n, t = len(texts), int(lengths.max())
        present = np.arange(t)[None] < lengths[:, None]
        ids = np.zeros((n, t), np.int64)
        ids[present] = np.concatenate(texts)
        bias = None if present.all() else np.where(present, np.float32(0), MASKED)[:, None, None, :]
        x = self.norm(self.words[ids] + self.positions[:t]).reshape(n * t, self.dimension)
        for layer in self.layers:
            x = layer(x, n, bias)
        weight = present[..., None].astype(np.float32)
        tokens = x.reshape(n, t, self.dimension)
        pooled = unit((tokens * weight).sum(1) / weight.sum(1))
        return pooled, [own[:length] for own, length in zip(tokens, lengths, strict=True)]


def gelu(x: Floats) -> Floats:
    """GELU of every number, in place."""
    z = np.empty((_GELU_ROWS, x.shape[1]), np.float32)
    square = np.empty_like(z)
    for start in range(0, len(x), _GELU_ROWS):
        block = x[start : start + _GELU_ROWS]
        z_, square_ = z[: len(block)], square[: len(block)]
        np.clip(block, -5, 5, out=z_)
        np.multiply(z_, z_, out=square_)
        z_ *= (square_ * _C2 + _C1) * square_ + _C0
        np.tanh(z_, out=z_)
        z_ += 1
        z_ *= np.float32(0.5)
        block *= z_
    return x


def unit(rows: Floats) -> Floats:
    """Every row divided by its length; a row of zeros stays as it is."""
    lengths: Floats = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
    return (rows / lengths).astype(np.float32, copy=False)


def build(tensors: Tensors, config: dict[str, Any]) -> Bert:
    """The encoder of these weights."""
    heads, epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
    embeddings = "embeddings."
    return Bert(
        words=tensors[embeddings + "word_embeddings.weight"],
        # All tokens are of the first type, so its vector is added here once and for all.
        positions=tensors[embeddings + "position_embeddings.weight"]
        + tensors[embeddings + "token_type_embeddings.weight"][0],
        norm=_norm(tensors, embeddings + "LayerNorm", epsilon),
        layers=tuple(
            _layer(tensors, f"encoder.layer.{at}.", heads, epsilon) for at in range(int(config["num_hidden_layers"]))
        ),
    )


def _layer(tensors: Tensors, name: str, heads: int, epsilon: float) -> Layer:
    inputs = [_linear(tensors, f"{name}attention.self.{part}") for part in ("query", "key", "value")]
    width = inputs[0].bias.shape[0] // heads
    scale = np.float32(1 / np.sqrt(width))  # of the attention scores, moved into the queries
    inputs[0] = Linear(inputs[0].weight * scale, inputs[0].bias * scale)
    together = Linear(
        np.ascontiguousarray(np.concatenate([part.weight for part in inputs], axis=1)),
        np.concatenate([part.bias for part in inputs]),
    )
    return Layer(
        heads=heads,
        queries_keys_values=together,
        attended=_linear(tensors, f"{name}attention.output.dense"),
        attention_norm=_norm(tensors, f"{name}attention.output.LayerNorm", epsilon),
        widen=_linear(tensors, f"{name}intermediate.dense"),
        narrow=_linear(tensors, f"{name}output.dense"),
        output_norm=_norm(tensors, f"{name}output.LayerNorm", epsilon),
    )


def _linear(tensors: Tensors, name: str) -> Linear:
    return Linear(np.ascontiguousarray(tensors[f"{name}.weight"].T), tensors[f"{name}.bias"])


def _norm(tensors: Tensors, name: str, epsilon: float) -> Norm:
    return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"], epsilon)
