"""A lock that allows one process per run folder."""

from collections.abc import Iterator
from contextlib import contextmanager

from soprag.tools.errors import UsageError
from soprag.tools.store.run_folder import RunFolder


@contextmanager
def only_one(run: RunFolder) -> Iterator[None]:
    """Hold the run's lock; the system gives it back when the process ends, however it ends."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(run.path / ".lock", timeout=0):
            yield
    except Timeout as held:
        raise UsageError(f"Run {run.id!r} is being worked on by another process; wait for it or stop it.") from held
