"""What a worker does for the benchmark builder: one stage on one item, whose results are files of the run folder."""

import asyncio
import time
from pathlib import Path
from typing import Any, NamedTuple

from soprag.apps.cluster.worker import Office, open_office
from soprag.apps.compose.benchmark import open_worker_build
from soprag.graphs.benchmark import stages
from soprag.graphs.benchmark.context import BuildContext
from soprag.tools.errors import ConfigError, StorageError
from soprag.tools.store.run_folder import RunFolder

_LAG = 90.0  # seconds after which a file that was written must be seen on another machine


class StageTask(NamedTuple):
    """Which stage, on which item of which run; `ticket` is for progress, `audited` how many documents hold SOPs."""

    stage: str
    run: str
    id: str
    ticket: str
    audited: int


class StageDone(NamedTuple):
    """What the stage returned, and the event that tells of it."""

    ids: list[str]
    events: list[dict[str, Any]]


def work_on_item(edition: str, order: str, task: StageTask) -> StageDone:
    """Do it; raises what stops a run, and puts down every other failure in the run folder."""
    office = open_office(edition, order)
    build = _open_run(office, task.run)
    if task.stage == "examine":
        _await_files(build.run, task.audited, office.worker)
    return office.do(_work(office, build, task))


async def _work(office: Office, build: BuildContext, task: StageTask) -> StageDone:
    done: list[dict[str, Any]] = []
    telling: set[asyncio.Task[Any]] = set()

    def emit(event: dict[str, Any]) -> None:
        if "standing" not in event:
            done.append(event)  # told with the result, so that an item that is done again counts once
            return
        told = asyncio.get_running_loop().create_task(office.link.call("tell", ticket=task.ticket, event=event))
        telling.add(told)
        told.add_done_callback(telling.discard)

    ids = await getattr(stages, task.stage)(build, task.id, emit)
    if task.stage == "audit" and ids and not build.idles:  # with a model the stage does so itself, while it waits
        # Here, where the work is spread: otherwise every worker would embed all SOPs when questions begin.
        build.embed_ahead(task.id)
        await asyncio.gather(*build.behind)
    await asyncio.gather(*telling, return_exceptions=True)
    return StageDone(ids, done)


def _open_run(office: Office, path: str) -> BuildContext:
    with office.opening:
        if path not in office.opened:
            run = RunFolder(Path(path))
            if not run.has("", "run"):
                raise ConfigError(
                    f"The worker {office.worker} finds no run in {path!r}; the folder must be on a file system that "
                    "all workers share, at the same path: name one with --out."
                )
            office.opened[path] = open_worker_build(run, office.settings, office.llm, office.embedder)
        build: BuildContext = office.opened[path]
        return build


def _await_files(run: RunFolder, count: int, worker: str) -> None:
    """Wait until this machine sees all SOPs: a network file system may list a folder as it was a minute ago."""
    until = time.monotonic() + _LAG
    while (seen := len(run.keys("sops"))) < count:
        if time.monotonic() > until:
            raise StorageError(
                f"The worker {worker} sees {seen} of {count} files in {str(run.path / 'sops')!r} after {_LAG:.0f} s; "
                "check the shared file system, and go on with --resume."
            )
        time.sleep(1.0)
