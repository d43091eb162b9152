"""The collaborators of a review: the reviewer's name, and whoever opens run folders."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from pydantic import Field

from soprag.graphs.context import Collaborator, RunContext
from soprag.tools.store.run_folder import RunFolder


class ReviewRuns(Protocol):
    """The run folders whose questions can be reviewed; it blocks."""

    def folder(self, run: str) -> RunFolder:
        """The folder of a run. Raises `UsageError` for one that is no run."""
        ...


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class ReviewContext(RunContext):
    """The collaborators of a review."""

    reviewer: str = Field(default="", description="Who reviews, as the benchmark names them.")
    runs: Collaborator[ReviewRuns]
    now: Collaborator[Callable[[], str]] = _now
