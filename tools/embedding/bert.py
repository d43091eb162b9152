"""A BERT encoder on onnxruntime: token ids in, one unit vector per text and one vector per token out.

The ONNX graph is built from the weights with fused kernels for attention, layer normalisation and GELU. Shapes: n
texts, t tokens in the longest of them, d numbers per token (384).
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding.weights import Tensors

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto
    from onnxruntime import InferenceSession

Floats = NDArray[np.float32]
_OPSET = 18  # of ONNX; the fused kernels are in the domain of onnxruntime
_FORMAT = 8  # of the file, the one that opset came with
_JOINED = "com.microsoft"
_LAID_BESIDE = 1024  # bytes; larger weights are passed as external initializers and not copied into the graph


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
    nodes: "list[NodeProto]" = field(default_factory=list)
    weights: dict[str, Floats] = field(default_factory=dict)

    def layer(self, x: str, name: str) -> str:
        """One transformer layer: attention, then a feed-forward network, each added to its input and normalised."""
        parts = [self.linear(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
        attended = self._add("MultiHeadAttention", [*parts, "", "lengths"], name, _JOINED, num_heads=self.heads)
        y = self.linear(attended, f"{name}.attention.output.dense")
        x = self.norm(y, f"{name}.attention.output.LayerNorm", beside=x)
        wide = self._add("Gelu", [self.linear(x, f"{name}.intermediate.dense")], name, _JOINED)
        return self.norm(self.linear(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm", beside=x)

    def linear(self, x: str, name: str) -> str:
        """x·weightᵀ + bias."""
        weight = self._weigh(f"{name}.weight", np.ascontiguousarray(self.tensors[f"{name}.weight"].T))
        return self._add("Add", [self._add("MatMul", [x, weight], name), self._weigh(f"{name}.bias")], name)

    def norm(self, x: str, name: str, beside: str = "") -> str:
        """Layer normalisation of x, or of x and what it is added to."""
        weights = [self._weigh(f"{name}.weight"), self._weigh(f"{name}.bias")]
        if beside:
            return self._add("SkipLayerNormalization", [x, beside, *weights], name, _JOINED, epsilon=self.epsilon)
        return self._add("LayerNormalization", [x, *weights], name, axis=-1, epsilon=self.epsilon)

    def open(self, last: str) -> "InferenceSession":
        """The graph with its output `last`, ready to run."""
        import onnxruntime as ort

        options = ort.SessionOptions()
        # Two threads wait for each other on a busy machine and are several times slower than one.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        beside = {name: weight for name, weight in self.weights.items() if weight.nbytes >= _LAID_BESIDE}
        options.add_external_initializers(
            list(beside), [ort.OrtValue.ortvalue_from_numpy(weight) for weight in beside.values()]
        )
        model = self._model(last).SerializeToString()
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def _model(self, last: str) -> "ModelProto":
        from onnx import TensorProto, helper

        floats, lengths = ["n", "t", "d"], ["n"]
        graph = helper.make_graph(
            self.nodes,
            "bert",
            inputs=[
                helper.make_tensor_value_info("embedded", TensorProto.FLOAT, floats),
                helper.make_tensor_value_info("lengths", TensorProto.INT32, lengths),
            ],
            outputs=[helper.make_tensor_value_info(last, TensorProto.FLOAT, floats)],
            initializer=[_initializer(name, weight) for name, weight in self.weights.items()],
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_JOINED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_FORMAT)

    def _weigh(self, name: str, weight: Floats | None = None) -> str:
        self.weights[name] = np.ascontiguousarray(self.tensors[name]) if weight is None else weight
        return name

    def _add(self, kind: str, inputs: list[str], name: str, domain: str = "", **attributes: float) -> str:
        from onnx import helper

        settings: dict[str, Any] = attributes
        output = f"{name}/{kind}"
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **settings))
        return output


def _initializer(name: str, weight: Floats) -> "TensorProto":
    """The weight itself when it is small, otherwise a note that it is handed over with the session's options."""
    from onnx import TensorProto, numpy_helper

    if weight.nbytes < _LAID_BESIDE:
        return numpy_helper.from_array(weight, name)
    note = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=weight.shape)
    note.data_location = TensorProto.EXTERNAL
    for key, value in {"location": "memory", "offset": 0, "length": weight.nbytes}.items():
        note.external_data.add(key=key, value=str(value))
    return note
