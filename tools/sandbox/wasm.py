"""The default sandbox: CPython as a WASI component under wasmtime; every run gets a fresh store and nothing of ours.

No folder is opened to the component, no socket, no variable of the environment. Its memory is limited by the store, its
time by the engine's epoch, what it prints by the guest, and of the host it can call the allowed tools alone.
"""

import asyncio
import atexit
import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.sandbox import DEFAULT, HostTool, Program, SandboxLimits, SandboxOutcome, Told, recipe
from soprag.tools.sandbox.calls import HostCalls
from soprag.tools.store.run_folder import write_whole

TICK = 0.02  # seconds between two looks at the clock
SNAPSHOT = 192 << 20  # bytes of memory the loaded libraries take; a run's own memory comes on top


class Ticker:
    """Moves the engine's epoch while programs run; each store counts the ticks it has left."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._lock = threading.Lock()
        self._running = 0
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """The clock goes on inside."""
        with self._lock:
            self._running += 1
            self._wake.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._go, name="sandbox-clock", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._wake.clear()

    def _go(self) -> None:
        while self._wake.wait():
            time.sleep(TICK)
            self._tick()


@dataclass(frozen=True)
class Machine:
    """The engine with the compiled component: costly to make, shared by all runs."""

    engine: Any
    component: Any
    ticker: Ticker


@dataclass
class WasmSandbox:
    """Runs programs in CPython on WASI; see the module."""

    cache_dir: Path
    limits: SandboxLimits = DEFAULT
    tools: Mapping[str, HostTool] = field(default_factory=dict)
    tell: Told | None = None
    name: str = "wasm"
    libraries: tuple[str, ...] = recipe.LIBRARIES
    _preparing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    async def run(self, program: Program, limits: SandboxLimits | None = None) -> SandboxOutcome:
        """Run `program`; a run that is cancelled ends by its own time limit."""
        return await asyncio.to_thread(self._run, program, limits or self.limits)

    def prepare(self) -> None:
        """Build and load what is needed; raises `ConfigError`."""
        with self._preparing:
            _ = self.machine

    @cached_property
    def machine(self) -> Machine:
        """The engine and the component, from the cache or made now."""
        try:
            import wasmtime
        except ImportError as missing:
            raise ConfigError(f"The sandbox needs the package 'wasmtime'; {recipe.ADVICE}.") from missing
        config = wasmtime.Config()
        config.epoch_interruption = True
        engine = wasmtime.Engine(config)
        file = recipe.component(self.cache_dir, self.tell or _silent)
        component = _compiled(engine, file)
        atexit.register(component.close)  # wasmtime's own clean-up comes too late, and complains
        return Machine(engine, component, Ticker(engine.increment_epoch))

    def _run(self, program: Program, limits: SandboxLimits) -> SandboxOutcome:
        self.prepare()
        began = time.monotonic()
        desk = HostCalls(self.tools, limits.calls, began + limits.seconds)
        request = {"code": program.code, "inputs": dict(program.inputs), "output": limits.output}
        try:
            with self.machine.ticker.running():
                reply = self._enter(json.dumps(request), desk, limits)
        except Exception as trap:  # noqa: BLE001 - wasmtime raises several kinds; each of them ended this run only
            return SandboxOutcome(failure=_trapped(trap, limits), seconds=time.monotonic() - began)
        return desk.read(reply, time.monotonic() - began)

    def _enter(self, request: str, desk: HostCalls, limits: SandboxLimits) -> str:
        import wasmtime
        from wasmtime import component

        store = wasmtime.Store(self.machine.engine)
        try:
            store.set_limits(memory_size=SNAPSHOT + limits.memory)
            store.set_wasi(wasmtime.WasiConfig())
            store.set_epoch_deadline(max(1, math.ceil(limits.seconds / TICK)))
            linker = component.Linker(self.machine.engine)
            linker.add_wasip2()
            with linker.root() as root:
                root.add_func("call-tool", lambda _, name, arguments: desk.call(name, arguments))
            instance = linker.instantiate(store, self.machine.component)
            run = instance.get_func(store, "run")
            return str(run(store, request)) if run else ""
        finally:
            store.close()


def _compiled(engine: Any, file: Path) -> Any:  # noqa: ANN401 - wasmtime's own types
    from wasmtime import WasmtimeError, component

    kept = file.with_name(recipe.compiled_name())
    if kept.is_file():
        try:
            return component.Component.deserialize_file(engine, str(kept))
        except WasmtimeError:
            kept.unlink(missing_ok=True)  # another build of wasmtime, or another processor
    made = component.Component.from_file(engine, str(file))
    write_whole(kept, bytes(made.serialize()))
    return made


def _trapped(trap: Exception, limits: SandboxLimits) -> StepFailure:
    text = str(trap)
    if "epoch" in text or "interrupt" in text:
        return StepFailure(
            kind="timeout", message=f"The program did not end within {limits.seconds:g} s; do less, or in larger steps."
        )
    last = text.strip().splitlines()[-1][:300] if text.strip() else type(trap).__name__
    return StepFailure(
        kind="limit",
        message=f"The program used more than its {limits.memory >> 20} MiB or nested too deeply and was stopped.",
        detail=last,
    )


def _silent(line: str) -> None:
    """Nobody is told."""
