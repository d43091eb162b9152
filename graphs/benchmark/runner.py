"""Where the work on the items of a stage is done: in this process, or wherever a runner of `apps/cluster` sends it."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from soprag.graphs.benchmark.context import BuildContext

Emit = Callable[[dict[str, Any]], None]


class ItemStage(Protocol):
    """A stage on one item; its name is also that of its function."""

    __name__: str

    def __call__(self, build: "BuildContext", id: str, emit: Emit, /) -> Awaitable[list[str]]:
        """Do the stage on the item with this id, see `StageRunner.run`."""
        ...


class StageRunner(Protocol):
    """Runs a stage on one item; the results are files of the run folder, wherever the work is done."""

    async def run(self, stage: ItemStage, build: "BuildContext", id: str, emit: Emit) -> list[str]:
        """What `stage(build, id, emit)` returns: the item's id when it goes on, nothing when it failed or is left out.

        `emit` receives the stage's progress events. Raises what stops the whole run, see `context.FATAL`.
        """
        ...


class LocalRunner:
    """Works in this process, where documents are parsed in processes of their own."""

    async def run(self, stage: ItemStage, build: "BuildContext", id: str, emit: Emit) -> list[str]:
        """The stage's own result."""
        return await stage(build, id, emit)
