"""The runner of the benchmark builder that sends every item to a Dask worker."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import dataclass

from soprag.apps.cluster.dask_cluster import Note
from soprag.apps.cluster.stage_work import StageDone, StageTask, work_on_item
from soprag.apps.cluster.workforce import Workforce, open_workforce
from soprag.apps.compose.benchmark import run_settings
from soprag.configs.settings import ClusterSettings
from soprag.graphs.benchmark.context import FATAL, BuildContext, StageItem
from soprag.graphs.benchmark.runner import Emit, ItemStage, LocalRunner, StageRunner
from soprag.tools.errors import DocumentError
from soprag.tools.sop import Document


@dataclass(frozen=True)
class DaskRunner:
    """Sends items to workers, which leave their results in the shared run folder."""

    workforce: Workforce

    async def run(self, stage: ItemStage, build: BuildContext, id: str, emit: Emit) -> list[str]:
        """What the stage returned on a worker; nothing for an item that ended every worker that took it."""
        item = await asyncio.to_thread(_item, stage, build, id)
        try:
            done = await self._send(item, build, emit)
        except FATAL:
            raise
        except DocumentError as error:
            await asyncio.to_thread(build.keep_failure, item, error)
            done = StageDone([], [{"stage": item.stage, "item": item.name, "outcome": "failed"}])
        await build.keep_ledger()
        for event in done.events:
            emit(event)
        return done.ids

    async def _send(self, item: StageItem, build: BuildContext, emit: Emit) -> StageDone:
        ticket = uuid.uuid4().hex
        listeners = self.workforce.desk.listeners
        here = (
            copy_context()
        )  # LangGraph's writer looks the running node up in it, and the desk is called from elsewhere
        listeners[ticket] = lambda event: here.run(emit, event)
        try:
            audited = len(await asyncio.to_thread(build.run.keys, "sops")) if item.stage == "examine" else 0
            task = StageTask(item.stage, str(build.run.path), item.key, ticket, audited)
            return await self.workforce.run(item.name, work_on_item, task)
        finally:
            del listeners[ticket]


def _item(stage: ItemStage, build: BuildContext, id: str) -> StageItem:
    if stage.__name__ == "examine":
        return StageItem("examine", id, id)
    name = build.run.read("documents", id, Document).name
    return StageItem("archive" if stage.__name__ == "archive" else "audit", id, name)


@asynccontextmanager
async def open_runner(build: BuildContext, cluster: ClusterSettings, note: Note) -> AsyncIterator[StageRunner]:
    """The runner that `cluster` asks for, with the models of `build`; `note` hears of workers that come and go."""
    if not cluster.used:
        yield LocalRunner()
        return
    settings = await asyncio.to_thread(run_settings, build.run)
    async with open_workforce(settings, cluster, (build.llm, build.embedder), note) as workforce:
        yield DaskRunner(workforce)
