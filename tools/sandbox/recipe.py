"""How the sandbox component is made: CPython for WASI with the libraries of a calculation, built once and kept.

The folder `<cache>/<hash of the recipe>` holds `python.wasm`; the compiled form beside it belongs to one version of
wasmtime on one kind of machine. A compiled component is machine code: the cache must belong to the user.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock

from soprag.tools.errors import ConfigError, StorageError

GUEST = Path(__file__).parent / "guest"
LIBRARIES = ("sympy", "mpmath", "pint", "fluids", "ht")
SUPPORT = ("flexcache", "flexparser", "platformdirs", "typing_extensions")  # what pint imports
LEFT_OUT = shutil.ignore_patterns("__pycache__", "tests", "testing", "benchmarks", "*.pyc", "*.so", "*.pyd")
ADVICE = "install it again with `pip install --force-reinstall soprag`"
BUILDER = (sys.executable, "-I", "-c", "import sys, componentize_py; sys.exit(componentize_py.script())")
KEPT = 2  # components of other recipes
LONGEST = 900.0  # seconds a build may take on a slow machine


def component(cache_dir: Path, tell: Callable[[str], None]) -> Path:
    """The component for this recipe, built below `cache_dir` when it is not there yet; one process builds, others wait.

    Raises `ConfigError` when a library is missing or the build fails, `StorageError` when the disk does.
    """
    file = cache_dir / edition() / "python.wasm"
    if file.is_file():
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(file.parent / "build.lock"):
            if not file.is_file():
                _build(file, tell)
    except OSError as fault:
        raise StorageError(f"Cannot build the sandbox in {str(file.parent)!r}: {fault}; check that folder.") from fault
    return file


@cache
def edition() -> str:
    """The hash of all that goes into the component: our guest, the versions of the libraries and of the builder."""
    parts = [file.read_bytes() for file in sorted(GUEST.iterdir()) if file.is_file()]
    parts += [f"{name} {_version(name)}".encode() for name in ("componentize-py", *LIBRARIES)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def compiled_name() -> str:
    """The file name of the compiled form on this machine with this wasmtime."""
    return f"python-{_version('wasmtime')}-{platform.system()}-{platform.machine()}.cwasm".lower()


def is_built(cache_dir: Path) -> bool:
    """Whether the component of this recipe is there."""
    return (cache_dir / edition() / "python.wasm").is_file()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError as missing:
        raise ConfigError(f"The sandbox needs the package {name!r}; {ADVICE}.") from missing


def _build(file: Path, tell: Callable[[str], None]) -> None:
    tell("Building the Python sandbox; this is done once and takes about half a minute ...")
    with tempfile.TemporaryDirectory(prefix="soprag-sandbox-", dir=file.parent) as folder:
        stage, made = Path(folder), Path(folder) / "python.wasm"
        for source in _sources():
            _copy(source, stage / "libraries" / source.name)
        (stage / "venv").mkdir()
        done = subprocess.run(
            [*BUILDER, "-d", str(GUEST / "sandbox.wit"), "-w", "sandbox", "componentize", "app",
             "-p", str(GUEST), "-p", str(stage / "libraries"), "-o", str(made)],
            capture_output=True, text=True, check=False, timeout=LONGEST, stdin=subprocess.DEVNULL,
            env={**_environment(), "VIRTUAL_ENV": str(stage / "venv")},
        )  # fmt: skip
        if done.returncode or not made.is_file():
            last = (done.stderr or done.stdout).strip()[-600:]
            raise ConfigError(f"The sandbox component could not be built: {last or 'no output'}")
        made.replace(file)
    _forget(file.parent)
    tell("The Python sandbox is ready.")


def _forget(folder: Path) -> None:
    """Remove the oldest components: each has close to 200 MB, and only a few installations share a cache."""
    others = [one.parent for one in folder.parent.glob("*/python.wasm") if one.parent != folder]
    others.sort(key=lambda one: (one / "python.wasm").stat().st_mtime, reverse=True)
    for old in others[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _environment() -> dict[str, str]:
    """No keys of the user reach the builder."""
    kept = ("PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE", "LANG")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _sources() -> Iterator[Path]:
    for name in (*LIBRARIES, *SUPPORT):
        found = find_spec(name)
        if found is None or not found.origin:
            raise ConfigError(f"The sandbox needs the library {name!r}; {ADVICE}.")
        yield Path(found.origin).parent if found.submodule_search_locations else Path(found.origin)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=LEFT_OUT)
    else:
        shutil.copyfile(source, target)
