"""The worker's side: an office per coordinator with its models and event loop, and the tasks that are sent to it."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from soprag.apps.cluster.desk_models import DeskEmbedder, DeskLink, DeskLlm
from soprag.apps.cluster.edition import check_edition
from soprag.apps.cluster.work_order import WorkOrder
from soprag.apps.compose import services
from soprag.configs.settings import Settings
from soprag.tools.embedding import Embedder
from soprag.tools.llm import Llm
from soprag.tools.llm.trust import TrustingLlm

T = TypeVar("T")

_OFFICES = 2  # coordinators without a task that one worker process remembers
_offices: "OrderedDict[str, Office]" = OrderedDict()
_opening = threading.Lock()


class Office:
    """What a worker process keeps for one coordinator: an event loop in a thread, the link to the desk, the models."""

    def __init__(self, order: WorkOrder, worker: str, connecting: dict[str, Any], local: Path) -> None:
        self.worker = worker
        self.settings = _with_cache(order.settings, order.cache or str(local))
        self.loop = asyncio.new_event_loop()
        self.loop.set_default_executor(ThreadPoolExecutor(2 * self.settings.run.concurrency + 6))
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True, name="soprag office")
        self._thread.start()
        self.link = DeskLink(order.desk, connecting)
        self.llm = self._open_llm(order)
        self.embedder = self._open_embedder(order)
        self.opened: dict[str, Any] = {}  # what tasks keep between calls, by name
        self.opening = threading.Lock()
        self.busy: set[Future[Any]] = set()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, done in the office's loop."""
        doing = asyncio.run_coroutine_threadsafe(work, self.loop)
        self.busy.add(doing)
        try:
            return doing.result()
        finally:
            self.busy.discard(doing)

    def close(self) -> None:
        """Close the link and the loop; nothing may be under way."""
        self.do(self.link.close())
        self.do(self.loop.shutdown_default_executor())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    def _open_llm(self, order: WorkOrder) -> Llm:
        rules = services.open_rules(self.settings)
        if order.model == rules.name:
            return rules
        llm = DeskLlm(order.model, order.editions, self.link)
        return TrustingLlm(llm, rules, order.trust) if order.trust else llm

    def _open_embedder(self, order: WorkOrder) -> Embedder:
        return (
            DeskEmbedder(order.embedding, self.link, self.loop)
            if order.embedding
            else services.open_embedder(self.settings)
        )


def open_office(edition: str, order: str) -> Office:
    """The office of this process for a `WorkOrder` as JSON; raises `ConfigError` for another edition of the code."""
    from distributed import get_worker

    worker = get_worker()
    check_edition(edition, worker.address)
    read = WorkOrder.model_validate_json(order)
    with _opening:
        if read.number not in _offices:
            connecting = worker.security.get_connection_args("worker")
            _offices[read.number] = Office(read, worker.address, connecting, Path(worker.local_directory) / "soprag")
        _offices.move_to_end(read.number)
        for number in [number for number, office in _offices.items() if not office.busy][:-_OFFICES]:
            _offices.pop(number).close()
        return _offices[read.number]


def _with_cache(settings: Settings, folder: str) -> Settings:
    return settings.model_copy(update={"run": settings.run.model_copy(update={"cache": folder})})
