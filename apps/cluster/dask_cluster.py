"""The Dask workers of a command: those of a scheduler by its address, or processes started for the time of it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from soprag.configs.settings import ClusterSettings
from soprag.tools.errors import ConfigError, ServiceError, UsageError

if TYPE_CHECKING:
    from distributed import Client

Note = Callable[[dict[str, Any]], None]

_LOOK = 2.0  # seconds between two looks at the number of workers
_LOCAL = {
    "distributed.scheduler.allowed-failures": 1,  # suspects are tried again one by one, see `TaskPool`
    "distributed.comm.retry.count": 3,
    "distributed.deploy.lost-worker-timeout": "30s",  # a nanny may take longer than Dask's 15 s on a busy machine
}


@asynccontextmanager
async def open_client(settings: ClusterSettings, threads: int, note: Note) -> AsyncIterator["Client"]:
    """A client of the workers; `threads` is how many items each worker of this machine has under way.

    `note` hears how many workers there are. Raises `ConfigError` without the extra, `UsageError` for a scheduler
    and workers at once, `ServiceError` when no scheduler or worker is there in time.
    """
    if settings.scheduler and settings.workers:
        raise UsageError("Give --scheduler or --workers, not both: the scheduler's workers are already there.")
    try:
        import distributed
    except ImportError as missing:
        raise ConfigError("Workers need the extra 'cluster': pip install 'soprag[cluster]'.") from missing
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what is lost is told by `note`, and tried again
    async with _scheduler(settings, threads) as address:
        try:
            client = await distributed.Client(
                address, asynchronous=True, timeout=settings.patience, set_as_default=False
            )
        except (OSError, TimeoutError) as fault:
            raise ServiceError(
                f"There is no Dask scheduler at {address}: {fault}; start it, or leave --scheduler out."
            ) from fault
        async with client:
            await _first_worker(client, address, settings.patience)
            watching = asyncio.create_task(_watch(client, note))
            try:
                yield client
            finally:
                watching.cancel()
                with suppress(asyncio.CancelledError):
                    await watching


@asynccontextmanager
async def _scheduler(settings: ClusterSettings, threads: int) -> AsyncIterator[str]:
    """The address of the scheduler; one of our own listens on loopback only and ends with the block."""
    if settings.scheduler:
        yield settings.scheduler
        return
    # In threads of their own: the scheduler and the nannies must not wait for the coordinator's event loop.
    cluster = await asyncio.to_thread(_start_workers, settings.workers, threads)
    keeping = asyncio.create_task(_keep_up(cluster, settings.workers))
    try:
        yield cluster.scheduler_address
    finally:
        keeping.cancel()
        await asyncio.to_thread(cluster.close)


async def _keep_up(cluster: Any, count: int) -> None:  # noqa: ANN401 - Dask's types are not declared
    """Have workers started again whose nanny gave up, as it does when a worker is killed while it starts."""
    while True:
        await asyncio.sleep(_LOOK)
        cluster.scale(count)


def _start_workers(count: int, threads: int) -> Any:  # noqa: ANN401 - Dask's types are not declared
    import dask
    from distributed import LocalCluster

    dask.config.set(_LOCAL)
    return LocalCluster(
        n_workers=count,
        threads_per_worker=threads,
        processes=True,
        host="127.0.0.1",
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


async def _first_worker(client: "Client", address: str, patience: float) -> None:
    try:
        await client.wait_for_workers(1, timeout=patience)
    except TimeoutError as none:
        raise ServiceError(
            f"No worker has joined the Dask scheduler at {address} within {patience:.0f} s; start `dask worker "
            f"{address}` in the environment of soprag, or raise cluster.patience."
        ) from none


async def _watch(client: "Client", note: Note) -> None:
    """Tell how many workers there are whenever that changes."""
    known: set[str] | None = None
    while True:
        present = set((await client.scheduler.identity(n_workers=-1))["workers"])
        if known is not None and (lost := known - present):
            note({"stage": "cluster", "note": f"{len(lost)} of {len(known)} workers lost; their items are done again"})
        if present and present != known:
            note({"stage": "cluster", "note": f"{len(present)} workers"})
        known = present
        await asyncio.sleep(_LOOK)
