"""The Python component that this package ships, and its compiled form for this machine.

The compiled form is machine code for one version of wasmtime on one kind of machine. It is made at the first run and
stored in `<cache>/<start of the component's hash>/`; that folder must belong to the user alone.
"""

import os
import platform
import shutil
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from filelock import AsyncFileLock
from pydantic import Field, ValidationError

from soprag.tools.errors import ConfigError, StorageError
from soprag.tools.sandbox import Progress
from soprag.tools.sandbox.process import GuestProcess, in_thread
from soprag.tools.sop import Frozen

PACKAGE = Path(__file__).resolve().parent
FOLDER, WORKER = PACKAGE / "artifact", PACKAGE / "worker.py"
ARCHIVE, MANIFEST = "python.wasm.xz", "manifest.json"
OLD_EDITIONS = 2  # compiled components of other editions that stay in the cache, for other installations
LONGEST = 900.0  # seconds the compilation may take on a slow machine
VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE", "APPDATA")


class ComponentManifest(Frozen):
    """What the shipped component was made of."""

    component: str = Field(description="SHA-256 of the compressed component")
    guest: str = Field(description="SHA-256 of the files of `guest/` it was built from")
    memory: int = Field(ge=0, description="bytes of memory with which every run begins: interpreter and libraries")
    versions: Mapping[str, str] = Field(description="versions of the builder and of the libraries inside")


@cache
def read_manifest(folder: Path = FOLDER) -> ComponentManifest:
    """The manifest of the component in `folder`; raises `ConfigError` when there is none."""
    try:
        return ComponentManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError) as missing:
        raise ConfigError(
            f"The sandbox component is missing or damaged in {str(folder)!r}; install the wheel of soprag again, or "
            "build it with `pip install 'soprag[sandbox-build]'` and `soprag sandbox build`."
        ) from missing


def compiled_file(cache_dir: Path) -> Path:
    """Where the compiled form for this machine is or will be. Raises `ConfigError`."""
    try:
        engine = version("wasmtime")
    except PackageNotFoundError as missing:
        raise ConfigError("The sandbox needs the package 'wasmtime'; install soprag again.") from missing
    name = f"python-{engine}-{platform.system()}-{platform.machine()}.cwasm".lower()
    return cache_dir.absolute() / read_manifest().component[:16] / name


def worker_command(*arguments: str) -> tuple[str, ...]:
    """The command of a worker; nothing of the current folder or of Python's variables reaches it."""
    return (sys.executable, "-E", "-P", str(WORKER), *arguments)


def worker_environment() -> dict[str, str]:
    """The variables a worker needs, without the keys of the user."""
    return {name: os.environ[name] for name in VARIABLES if name in os.environ}


async def compiled_component(cache_dir: Path, progress: Progress) -> Path:
    """The compiled form, made now if it is not there; one process compiles, others wait.

    Raises `ConfigError` when the component does not compile, `StorageError` when the disk is the reason.
    """
    file = compiled_file(cache_dir)
    if file.is_file():
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        async with AsyncFileLock(file.parent / "compile.lock", poll_interval=0.1, run_in_executor=False):
            if not file.is_file():
                progress("Preparing the Python sandbox; this is done once and takes up to half a minute ...")
                await _compile(FOLDER / ARCHIVE, file)
                _remove_old_editions(file.parent)
                progress("The Python sandbox is ready.")
    except OSError as error:
        raise StorageError(
            f"Cannot prepare the sandbox in {str(file.parent)!r}: {error}; check that folder."
        ) from error
    return file


async def _compile(archive: Path, file: Path) -> None:
    for unfinished in file.parent.glob("*.part"):  # of a compilation that was killed
        unfinished.unlink(missing_ok=True)
    process = GuestProcess(worker_command("compile", str(archive), str(file)), worker_environment())
    try:
        message = await in_thread(process.receive, LONGEST)
        if message is None or "ready" not in message:
            reason = message.get("failed") if message else process.exit_report()[1]
            raise ConfigError(f"The sandbox component could not be compiled: {reason or 'no reason was given'}")
    except TimeoutError as late:
        raise ConfigError(f"The sandbox component was not compiled within {LONGEST:g} s.") from late
    finally:
        process.kill()


def _remove_old_editions(current: Path) -> None:
    """Remove the oldest compiled components: each takes about 70 MB."""
    editions = {
        file.parent: file.stat().st_mtime for file in current.parent.glob("*/*.cwasm") if file.parent != current
    }
    for folder in sorted(editions, key=lambda folder: editions[folder], reverse=True)[OLD_EDITIONS:]:
        shutil.rmtree(folder, ignore_errors=True)
