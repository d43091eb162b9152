"""ONNX files: the few messages of their protobuf format that the graph of an encoder needs (onnx.proto, IR version 8).

A message is a run of fields, each with a tag in front; a message inside another is a field of bytes.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

_OPSET = 18
_IR = 8  # the version of the format that opset 18 came with
JOINED = "com.microsoft"  # the domain of onnxruntime's fused kernels
FLOAT, INT32 = 1, 6  # TensorProto.DataType
_EXTERNAL = 1  # TensorProto.DataLocation


@dataclass
class OnnxGraph:
    """Nodes and weights as they are added; `encode` gives the file."""

    nodes: list[bytes] = field(default_factory=list)
    weights: list[bytes] = field(default_factory=list)

    def add_node(
        self, kind: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: int | float
    ) -> None:
        """Apply the operator `kind` to the named inputs; an empty name leaves an input out."""
        parts = [_bytes(1, name) for name in inputs] + [_bytes(2, output), _bytes(4, kind), _bytes(7, domain)]
        self.nodes.append(b"".join([*parts, *(_bytes(5, _attribute(*item)) for item in attributes.items())]))

    def add_external(self, name: str, shape: Sequence[int], size: int) -> None:
        """Name a float32 weight of `size` bytes that the session is given by itself."""
        note = {"location": "memory", "offset": "0", "length": str(size)}
        places = [_bytes(13, _bytes(1, key) + _bytes(2, value)) for key, value in note.items()]
        self.weights.append(_tensor(name, shape) + b"".join(places) + _number(14, _EXTERNAL))

    def encode(self, inputs: Sequence[bytes], output: bytes) -> bytes:
        """The model; `inputs` and `output` are made by `described`."""
        graph = [_bytes(1, node) for node in self.nodes] + [_bytes(2, "graph")]
        graph += [_bytes(5, weight) for weight in self.weights] + [_bytes(11, value) for value in inputs]
        opsets = [_bytes(8, _bytes(1, name) + _number(2, version)) for name, version in (("", _OPSET), (JOINED, 1))]
        return _number(1, _IR) + b"".join(opsets) + _bytes(7, b"".join([*graph, _bytes(12, output)]))


def described(name: str, kind: int, axes: Sequence[str]) -> bytes:
    """An input or output: its type, `FLOAT` or `INT32`, and the names of its axes."""
    shape = b"".join(_bytes(1, _bytes(2, axis)) for axis in axes)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _tensor(name: str, shape: Sequence[int]) -> bytes:
    return b"".join(_number(1, size) for size in shape) + _number(2, FLOAT) + _bytes(8, name)


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, 2)
    return _bytes(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)


def _bytes(number: int, data: str | bytes) -> bytes:
    raw = data.encode() if isinstance(data, str) else data
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _number(number: int, value: int) -> bytes:
    """A field with an integer; negative ones take ten bytes, in two's complement of 64 bits."""
    return _varint(number << 3) + _varint(value & (1 << 64) - 1)


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first, the eighth set on all bytes but the last."""
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)
