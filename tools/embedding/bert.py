"""A BERT encoder on onnxruntime: token ids in, one unit vector per text and one vector per token out.

The ONNX graph is built from the weights with fused kernels for attention, layer normalisation and GELU; the weights
are handed to the session as they lie in memory and not copied into the graph. Shapes: n texts, t tokens in the longest
of them, d numbers per token (384).
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding.onnx_file import FLOAT, INT32, JOINED, OnnxGraph, described
from soprag.tools.embedding.weights import Tensors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Bert:
    """The encoder with mean pooling; `word_vectors` (vocabulary, d) and `positions` (t, d) are embedding tables."""

    word_vectors: Floats
    positions: Floats
    session: "InferenceSession"

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return int(self.word_vectors.shape[1])

    def __call__(self, texts: list[list[int]]) -> Floats:
        """One vector of length 1 per text."""
        return self.read(texts)[0]

    def read(self, texts: list[list[int]]) -> tuple[Floats, list[Floats]]:
        """One vector of length 1 per text, and the output of the last layer for each of its tokens (not normalised)."""
        lengths = np.array([len(ids) for ids in texts], np.int32)
        t = int(lengths.max())
        present = np.arange(t)[None] < lengths[:, None]
        ids = np.zeros((len(texts), t), np.int64)
        ids[present] = np.concatenate(texts)
        embedded: Floats = self.word_vectors[ids] + self.positions[:t]
        (tokens,) = self.session.run(None, {"embedded": embedded, "lengths": lengths})
        weight = present[..., None].astype(np.float32)
        pooled = unit((tokens * weight).sum(1) / weight.sum(1))
        return pooled, [rows[:length] for rows, length in zip(tokens, lengths, strict=True)]


def unit(rows: Floats) -> Floats:
    """Every row divided by its length; a row of zeros stays as it is."""
    lengths: Floats = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
    return (rows / lengths).astype(np.float32, copy=False)


def build(tensors: Tensors, config: dict[str, Any]) -> Bert:
    """The encoder of these weights, on one thread."""
    graph = _Graph(tensors, int(config["num_attention_heads"]), float(config["layer_norm_eps"]))
    last = graph.norm("embedded", "embeddings.LayerNorm")
    for index in range(int(config["num_hidden_layers"])):
        last = graph.layer(last, f"encoder.layer.{index}")
    return Bert(
        word_vectors=tensors["embeddings.word_embeddings.weight"],
        # All tokens are of the first type, so its vector is added here once and for all.
        positions=tensors["embeddings.position_embeddings.weight"]
        + tensors["embeddings.token_type_embeddings.weight"][0],
        session=graph.open(last),
    )


@dataclass
class _Graph:
    """Nodes and weights as they are added; every method returns the name of its output, of shape (n, t, …)."""

    tensors: Tensors
    heads: int
    epsilon: float
    graph: OnnxGraph = field(default_factory=OnnxGraph)
    weights: dict[str, Floats] = field(default_factory=dict)

    def layer(self, x: str, name: str) -> str:
        """One transformer layer: attention, then a feed-forward network, each added to its input and normalised."""
        parts = [self.linear(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
        attended = self._add("MultiHeadAttention", [*parts, "", "lengths"], name, JOINED, num_heads=self.heads)
        y = self.linear(attended, f"{name}.attention.output.dense")
        x = self.norm(y, f"{name}.attention.output.LayerNorm", beside=x)
        wide = self._add("Gelu", [self.linear(x, f"{name}.intermediate.dense")], name, JOINED)
        return self.norm(self.linear(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm", beside=x)

    def linear(self, x: str, name: str) -> str:
        """x·weightᵀ + bias."""
        product = self._add("FusedMatMul", [x, self._weigh(f"{name}.weight")], name, JOINED, transB=1)
        return self._add("Add", [product, self._weigh(f"{name}.bias")], name)

    def norm(self, x: str, name: str, beside: str = "") -> str:
        """Layer normalisation of x, or of x and what it is added to."""
        weights = [self._weigh(f"{name}.weight"), self._weigh(f"{name}.bias")]
        if beside:
            return self._add("SkipLayerNormalization", [x, beside, *weights], name, JOINED, epsilon=self.epsilon)
        return self._add("LayerNormalization", [x, *weights], name, axis=-1, epsilon=self.epsilon)

    def open(self, last: str) -> "InferenceSession":
        """The graph with its output `last`, ready to run."""
        import onnxruntime as ort

        options = ort.SessionOptions()
        # Two threads wait for each other on a busy machine and are several times slower than one.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        values = [ort.OrtValue.ortvalue_from_numpy(weight) for weight in self.weights.values()]
        options.add_external_initializers(list(self.weights), values)
        axes = ("n", "t", "d")
        inputs = [described("embedded", FLOAT, axes), described("lengths", INT32, axes[:1])]
        model = self.graph.encode(inputs, described(last, FLOAT, axes))
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def _weigh(self, name: str, weight: Floats | None = None) -> str:
        self.weights[name] = weight = np.ascontiguousarray(self.tensors[name]) if weight is None else weight
        self.graph.add_external(name, weight.shape, weight.nbytes)
        return name

    def _add(self, kind: str, inputs: list[str], name: str, domain: str = "", **attributes: int | float) -> str:
        self.graph.add_node(kind, inputs, f"{name}/{kind}", domain, **attributes)
        return f"{name}/{kind}"
