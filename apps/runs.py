"""Run folders: a new one, one to go on with, and the lock that allows one process each."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from soprag.tools.errors import UsageError
from soprag.tools.store.run_folder import RunFolder

LATEST = "latest"
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


@contextmanager
def only_one(run: RunFolder) -> Iterator[None]:
    """Hold the run's lock; the system gives it back when the process ends, however it ends."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(run.path / ".lock", timeout=0):
            yield
    except Timeout as busy:
        raise UsageError(f"Run {run.id!r} is being worked on by another process; wait for it or stop it.") from busy
