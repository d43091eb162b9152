"""Tasks on Dask workers: one that loses its worker is done by another, one that ends its workers is given up."""

import asyncio
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, TypeVar

from soprag.tools.errors import ConfigError, DocumentError, ServiceError

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")


class TaskPool:
    """Runs functions on the workers of a Dask client of the running event loop."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._alone = asyncio.Lock()

    async def run(self, item: str, function: Callable[..., T], *arguments: object) -> T:
        """The result of `function(*arguments)`, or the error it raised; `item` is its name in messages.

        Raises `DocumentError` when it ended its workers again and again, `ConfigError` when workers cannot import it,
        `ServiceError` when the scheduler is gone.
        """
        from distributed import KilledWorker

        try:
            return await self._submit(function, arguments)
        except KilledWorker:
            pass  # it, or another task that was under way in the same process
        async with self._alone:  # one suspect at a time: only the guilty one ends workers again
            try:
                return await self._submit(function, arguments)
            except KilledWorker as killed:
                raise DocumentError(
                    f"{item!r} ended every worker that took it, {killed.allowed_failures + 1} in a row; their memory "
                    "may not suffice: see the log of the workers."
                ) from killed

    async def _submit(self, function: Callable[..., T], arguments: tuple[object, ...]) -> T:
        key = f"soprag-{function.__name__}-{uuid.uuid4().hex}"
        future = self._client.submit(function, *arguments, key=key, pure=False)
        try:
            result: T = await future
            return result
        except CancelledError as lost:
            raise ServiceError(f"The Dask scheduler is gone ({lost}); start it, and run the command again.") from lost
        except ImportError as missing:
            raise ConfigError(f"A worker cannot import what it is to do: {missing}; install soprag there.") from missing
        finally:
            future.release()
