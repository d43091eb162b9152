"""The default sandbox: CPython as a WebAssembly component under wasmtime, in worker processes that can be killed.

A program sees no folder, no socket and no variable of the environment. Its memory is limited by the WebAssembly store,
what it prints by the guest, and its time by this process, which kills the worker. Every run gets a fresh store.
"""

import json
import threading
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.sandbox import DEFAULT, HostTool, Program, Progress, SandboxLimits, SandboxOutcome, component
from soprag.tools.sandbox.calls import HostTools
from soprag.tools.sandbox.process import GuestProcess, Message, execute, wait_until_ready

LIBRARIES = ("sympy", "mpmath", "pint", "fluids", "ht")
WARM = 2  # idle workers that wait for the next program


class WarmWorkers:
    """Workers that have loaded the component and wait; starting one takes a few tenths of a second."""

    def __init__(self, start: Callable[[], GuestProcess]) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._idle: list[GuestProcess] = []
        weakref.finalize(self, _kill_all, self._idle)  # also at the exit of this process

    def take(self) -> GuestProcess:
        """An idle worker, or a new one."""
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.running:
                    return worker
                worker.kill()
        return self._start()

    def give_back(self, worker: GuestProcess) -> None:
        """Keep an idle worker for the next run; kill one that has not answered, or that is one too many."""
        with self._lock:
            if worker.ready and not worker.busy and len(self._idle) < WARM:
                self._idle.append(worker)
                return
        worker.kill()

    def warm_up(self) -> None:
        """Start a worker in advance when there is none."""
        with self._lock:
            if not self._idle:
                self._idle.append(self._start())


@dataclass
class WasmSandbox:
    """Runs programs in CPython on WebAssembly; see the module."""

    cache_dir: Path
    limits: SandboxLimits = DEFAULT
    tools: Mapping[str, HostTool] = field(default_factory=dict)
    progress: Progress | None = None
    name: str = "wasm"
    libraries: tuple[str, ...] = LIBRARIES

    async def run(self, program: Program, limits: SandboxLimits | None = None) -> SandboxOutcome:
        """Run `program`; cancelling kills its worker. Raises `ConfigError` when the component does not work here."""
        limits = limits or self.limits
        worker = await self._ready_worker()
        try:
            outcome = await execute(worker, _request(program, limits), limits, self._host.for_run(limits), _explain)
        finally:
            self._workers.give_back(worker)
        if not worker.running:
            self._workers.warm_up()  # a program that failed is often tried again
        return outcome

    async def _ready_worker(self) -> GuestProcess:
        """A worker that takes requests; a compiled component that does not load is compiled anew, once."""
        progress = self.progress or _ignore
        file = await component.compiled_component(self.cache_dir, progress)
        try:
            return await self._start_worker()
        except ConfigError:  # compiled on another processor, or damaged
            file.unlink(missing_ok=True)
            await component.compiled_component(self.cache_dir, progress)
            return await self._start_worker()

    async def _start_worker(self) -> GuestProcess:
        worker = self._workers.take()
        try:
            await wait_until_ready(worker)
        finally:
            if not worker.ready:
                worker.kill()
        return worker

    @cached_property
    def _host(self) -> HostTools:
        return HostTools(self.tools)

    @cached_property
    def _workers(self) -> WarmWorkers:
        command = component.worker_command("serve", str(component.compiled_file(self.cache_dir)))
        return WarmWorkers(lambda: GuestProcess(command, component.worker_environment()))


def _request(program: Program, limits: SandboxLimits) -> str:
    request = {"code": program.code, "inputs": dict(program.inputs), "output": limits.output}
    memory = component.read_manifest().memory + limits.memory
    return json.dumps({"request": json.dumps(request), "memory": memory})


def _explain(message: Message | None) -> StepFailure:
    trap = str(message.get("trap", "")) if message else "the worker process ended"
    return StepFailure(
        kind="limit",
        message="The program used more than its memory or nested too deeply and was stopped.",
        detail=trap.strip().rpartition("\n")[2][-300:],
    )


def _kill_all(workers: list[GuestProcess]) -> None:
    for worker in workers:
        worker.kill()


def _ignore(_line: str) -> None:
    """Discards the lines of progress."""
