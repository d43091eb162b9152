"""The workers of one command, with the desk they ask and the order they work by."""

import math
import os
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from soprag.apps.cluster.dask_cluster import Note, open_client
from soprag.apps.cluster.desk import Desk, open_desk
from soprag.apps.cluster.edition import edition
from soprag.apps.cluster.task_pool import TaskPool
from soprag.apps.cluster.work_order import WorkOrder
from soprag.apps.compose.settings import cache_folder, recorded_settings
from soprag.configs.settings import ClusterSettings, Settings
from soprag.tools.embedding import Embedder, token_embedder
from soprag.tools.llm import Llm, every_task
from soprag.tools.llm.trust import TrustingLlm

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

RULES = "rules"  # the name of the door that asks no model: workers answer themselves


@dataclass(frozen=True)
class Workforce:
    """Runs functions of `apps/cluster` on workers; `order` is their `WorkOrder` as JSON."""

    pool: TaskPool
    desk: Desk
    order: str

    async def run(
        self, item: str, function: Callable[Concatenate[str, str, P], T], *arguments: P.args, **options: P.kwargs
    ) -> T:
        """The result of `function(edition, order, *arguments)` on a worker; errors as of `TaskPool.run`."""
        return await self.pool.run(item, function, edition(), self.order, *arguments, **options)


@asynccontextmanager
async def open_workforce(
    settings: Settings, cluster: ClusterSettings, models: tuple[Llm, Embedder], note: Note
) -> AsyncIterator[Workforce]:
    """The workers that `cluster` names, for work by `settings` with the models of this process."""
    llm, embedder = models
    async with open_client(cluster, _threads(settings, cluster, llm), note) as client:
        listening = client.security.get_listen_args("client")
        async with open_desk(Desk(llm, embedder), _interface(client), listening) as desk:
            order = _order(settings, cluster, desk)
            yield Workforce(TaskPool(client), desk, order.model_dump_json())


def _threads(settings: Settings, cluster: ClusterSettings, llm: Llm) -> int:
    """Items under way per worker of this machine: the share of those that one process would have under way."""
    at_once = settings.run.concurrency * (1 if llm.name == RULES else 2)
    return math.ceil(at_once / max(cluster.workers, 1))


def _interface(client: "Client") -> str:
    """Where the desk listens: the address of this machine by which it reaches the scheduler, loopback for loopback."""
    local: str = client.scheduler_comm.comm.local_address
    return local.rpartition(":")[0]


def _order(settings: Settings, cluster: ClusterSettings, desk: Desk) -> WorkOrder:
    llm, embedder = desk.llm, desk.embedder
    own = str(cache_folder(settings)) if cluster.workers else ""
    return WorkOrder(
        number=uuid.uuid4().hex,
        desk=desk.address,
        settings=_shared_out(Settings.model_validate(recorded_settings(settings)), cluster.workers),
        model=llm.name,
        editions={task.name: llm.fingerprint(task) for task in every_task()} if llm.name != RULES else {},
        trust=llm.trust if isinstance(llm, TrustingLlm) else None,
        embedding="" if token_embedder(embedder) is not None else embedder.name,
        cache=cluster.cache or (own and str(Path(own).absolute())),
    )


def _shared_out(settings: Settings, workers: int) -> Settings:
    """The settings of one worker; workers of one machine share its cores out among their parser processes."""
    if not workers or settings.parsing.workers:
        return settings
    parsers = max(1, min(os.cpu_count() or 1, 8) // workers)
    return settings.model_copy(update={"parsing": settings.parsing.model_copy(update={"workers": parsers})})
