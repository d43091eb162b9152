"""Builds the Python component that this package ships: CPython for WebAssembly with our guest and its libraries.

Only whoever changes the guest or renews the libraries needs this; it takes the extra `sandbox-build`. Equal inputs give
an equivalent component and not equal bytes: the stored interpreter has random hashes and has read the clock.
"""

import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from soprag.tools.errors import ConfigError, StorageError
from soprag.tools.sandbox import Progress
from soprag.tools.sandbox.component import (
    ARCHIVE,
    FOLDER,
    MANIFEST,
    ComponentManifest,
    read_manifest,
    worker_environment,
)
from soprag.tools.sandbox.wasm import LIBRARIES
from soprag.tools.sandbox.worker import instantiate

GUEST = Path(__file__).resolve().parent / "guest"
BUILDER = "componentize-py"
COMMAND = (sys.executable, "-I", "-c", "import sys, componentize_py; sys.exit(componentize_py.script())")
SUPPORT = ("flexcache", "flexparser", "platformdirs", "typing_extensions")  # what pint imports
LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", "tests", "testing", "testsuite", "benchmarks", "*.pyc", "*.so", "*.pyd"
)
LICENSES = "LICENSES.txt"
LONGEST = 1800.0  # seconds a build may take on a slow machine
MEMORY_STEP = 1 << 20  # bytes: to what the memory of the component is measured
MOST_MEMORY = 1 << 30  # bytes of memory the component may begin with


def build_component(progress: Progress, folder: Path = FOLDER) -> ComponentManifest:
    """Build, compress and describe the component in `folder`.

    Raises `ConfigError` when the builder or a library is missing or the build fails, `StorageError` when the disk does.
    """
    if find_spec("componentize_py") is None:
        raise ConfigError(
            "Building the sandbox component needs componentize-py: `pip install 'soprag[sandbox-build]'`. "
            "Running programs in the sandbox does not: soprag ships a component."
        )
    try:
        with tempfile.TemporaryDirectory(prefix="soprag-sandbox-") as stage:
            progress("Building the component; this takes a minute or two ...")
            component = _componentize(Path(stage))
        progress("Measuring and compressing it ...")
        return _write(component, folder)
    except OSError as error:
        raise StorageError(f"Cannot build the sandbox component in {str(folder)!r}: {error}.") from error


def guest_hash() -> str:
    """SHA-256 of the files of the guest, which tells whether the shipped component was built from them."""
    files = sorted(file for file in GUEST.iterdir() if file.is_file())
    return hashlib.sha256(b"\0".join(file.name.encode() + b"\0" + file.read_bytes() for file in files)).hexdigest()


def _componentize(stage: Path) -> bytes:
    for source in _sources():
        _copy(source, stage / "libraries" / source.name)
    (stage / "venv").mkdir()  # else the builder would add the site-packages of this environment
    output = stage / "python.wasm"
    done = subprocess.run(
        [*COMMAND, "-d", str(GUEST / "sandbox.wit"), "-w", "sandbox", "componentize", "app",
         "-p", str(GUEST), "-p", str(stage / "libraries"), "-o", str(output)],
        capture_output=True, text=True, check=False, timeout=LONGEST, stdin=subprocess.DEVNULL,
        env={**worker_environment(), "VIRTUAL_ENV": str(stage / "venv")},
    )  # fmt: skip
    if done.returncode or not output.is_file():
        raise ConfigError(
            f"The component could not be built: {(done.stderr or done.stdout).strip()[-600:] or 'no output'}"
        )
    return output.read_bytes()


def _write(component: bytes, folder: Path) -> ComponentManifest:
    folder.mkdir(parents=True, exist_ok=True)
    archive = lzma.compress(component, preset=9 | lzma.PRESET_EXTREME)
    manifest = ComponentManifest(
        component=hashlib.sha256(archive).hexdigest(),
        guest=guest_hash(),
        memory=_initial_memory(component),
        versions={name: _version(name) for name in (BUILDER, *LIBRARIES, *SUPPORT)},
    )
    (folder / ARCHIVE).write_bytes(archive)
    (folder / LICENSES).write_text("\n".join(_licenses()), encoding="utf-8")
    (folder / MANIFEST).write_text(json.dumps(manifest.model_dump(), indent=2) + "\n", encoding="utf-8")
    read_manifest.cache_clear()
    return manifest


def _initial_memory(component: bytes) -> int:
    """Bytes of memory of a fresh instance: the smallest limit under which wasmtime makes one, found by bisection."""
    from wasmtime import Engine
    from wasmtime.component import Component

    engine = Engine()
    compiled = Component(engine, component)
    low, high = 0, MOST_MEMORY
    while high - low > MEMORY_STEP:
        middle = (low + high) // 2
        low, high = (low, middle) if _fits(engine, compiled, middle) else (middle, high)
    compiled.close()
    return high


def _fits(engine: Any, component: Any, memory: int) -> bool:  # noqa: ANN401 - wasmtime's own types
    from wasmtime import Store, WasmtimeError

    store = Store(engine)
    try:
        instantiate(store, component, memory, lambda _store, _name, _arguments: "")
    except WasmtimeError:
        return False
    finally:
        store.close()
    return True


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError as missing:
        raise ConfigError(f"Building the component needs {name!r}: `pip install 'soprag[sandbox-build]'`.") from missing


def _sources() -> Iterator[Path]:
    for name in (*LIBRARIES, *SUPPORT):
        spec = find_spec(name)
        if spec is None or not spec.origin:
            raise ConfigError(f"Building the component needs {name!r}: `pip install 'soprag[sandbox-build]'`.")
        yield Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=LEFT_OUT)
    else:
        shutil.copyfile(source, target)


def _licenses() -> Iterator[str]:
    """The licence texts of what the component contains: CPython, the runtime of the builder, and the libraries."""
    yield f"The component {ARCHIVE} contains these works, under these licences.\n"
    yield f"{'=' * 100}\nCPython (Python Software Foundation Licence, Version 2)\n{'=' * 100}\n"
    yield _python_license()
    for name in (BUILDER, *LIBRARIES, *SUPPORT):
        files = distribution(name).files or []
        for file in files:
            if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE")) and ".dist-info" in str(file):
                yield f"{'=' * 100}\n{name} {version(name)}: {file.name}\n{'=' * 100}\n"
                yield file.read_text(encoding="utf-8")


def _python_license() -> str:
    for file in (Path(os.__file__).parent / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt"):
        if file.is_file():
            return file.read_text(encoding="utf-8")
    raise ConfigError("This Python does not carry its licence (LICENSE.txt), which belongs to the component.")
