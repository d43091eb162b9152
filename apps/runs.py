"""Run folders: a new one, one to go on with, and the lock that allows one process each."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from soprag.tools.errors import UsageError
from soprag.tools.sop import digest
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Coordinator

LATEST = "latest"
CHECKPOINT = "checkpoint.sqlite"
COORDINATOR = "coordinator"  # the record of the machine that coordinates a shared run
Manifest = Literal["run", "research"]  # the name of the file that a run folder of this kind begins with
_SLUG = 48  # characters


def new_run(name: str, runs: Path, folder: Path | None) -> RunFolder:
    """An empty run folder: `folder`, or one in `runs` called after the name and the time. Raises `UsageError`."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_SLUG].strip("-") or "run"
    stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"[:-3]
    run = RunFolder((folder or runs / f"{slug}-{stamp}").absolute())
    if run.path.exists() and any(run.path.iterdir()):
        raise UsageError(f"{str(run.path)!r} is not empty; go on with its run by --resume, or name another folder.")
    return run


def stored_runs(runs: Path, manifest: Manifest) -> list[RunFolder]:
    """The runs of this kind in `runs`, the latest first."""
    files = sorted(runs.glob(f"*/{manifest}.json"), key=lambda file: file.stat().st_mtime, reverse=True)
    return [RunFolder(file.parent.absolute()) for file in files]


def find_run(name: str, runs: Path, manifest: Manifest) -> RunFolder:
    """The run of this kind with this id or folder, or the `latest`; raises `UsageError` that names the latest."""
    stored = stored_runs(runs, manifest)
    if name == LATEST and stored:
        return stored[0]
    for path in (Path(name), runs / name):
        if (path / f"{manifest}.json").is_file():
            return RunFolder(path.absolute())
    recent = ", ".join(run.id for run in stored[:5]) or "none"
    kind = "research" if manifest == "research" else "run"
    raise UsageError(f"There is no {kind} {name!r}; the latest in {str(runs)!r}: {recent}.")


def own_folder(run: RunFolder, cache: Path, shared: bool) -> Path:
    """The folder for the SQLite files and the lock of a run: the run's own, or one in `cache` where it is `shared`.

    A run that was begun with workers stays with the machine that coordinates it; raises `UsageError` on another one.
    """
    host = socket.gethostname()
    if run.has("", COORDINATOR):
        known = run.read("", COORDINATOR, Coordinator)
        if known.host != host:
            raise UsageError(
                f"Run {run.id!r} is coordinated by {known.host!r}, whose folder {known.folder!r} holds what it was "
                f"doing; go on there. If that machine is gone, delete {COORDINATOR}.json in {str(run.path)!r}."
            )
        return Path(known.folder)
    if not shared or (run.path / CHECKPOINT).exists():
        return run.path
    own = cache.absolute() / "runs" / f"{run.id}-{digest(str(run.path))[:12]}"
    run.write("", COORDINATOR, Coordinator(host=host, folder=str(own)))
    return own


@contextmanager
def only_one(run: RunFolder, own: Path | None = None) -> Iterator[None]:
    """Hold the lock in the run's own folder; the system gives it back when the process ends, however it ends."""
    from filelock import FileLock, Timeout

    folder = own or run.path
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout as busy:
        raise UsageError(f"Run {run.id!r} is being worked on by another process; wait for it or stop it.") from busy
