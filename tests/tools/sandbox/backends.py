"""The backends that the tests of the sandbox run on, and the processes below this one."""

import asyncio
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import platformdirs
import pytest
from pydantic import JsonValue

from soprag.tools.history import StepFailure
from soprag.tools.sandbox import HostTool, Sandbox, SandboxLimits
from soprag.tools.sandbox.component import compiled_file
from soprag.tools.sandbox.native import NativeSandbox
from soprag.tools.sandbox.wasm import WasmSandbox

LINUX = sys.platform == "linux"
BACKENDS = ["wasm", *(["native", "native+bwrap"] if LINUX else [])]
CACHE = platformdirs.user_cache_path("soprag") / "sandbox"
LIMITS = SandboxLimits(seconds=2.0, memory=256 << 20, output=2_000, calls=3)
linux = pytest.mark.skipif(not LINUX, reason="Linux only")
prepared = pytest.mark.skipif(
    not compiled_file(CACHE).is_file(), reason="the component is not compiled yet; the slow tests compile it"
)
EVERY = [pytest.param(name, marks=prepared if name == "wasm" else linux) for name in BACKENDS]


def double(arguments: dict[str, JsonValue]) -> JsonValue | StepFailure:
    value = arguments["x"]
    if not isinstance(value, int | float):
        return StepFailure(kind="arguments", message="x must be a number")
    return 2 * value


def open_backend(name: str, tools: Mapping[str, HostTool] | None = None) -> Sandbox:
    """A new sandbox; skips the test where bubblewrap does not work."""
    tools = tools or {"double": double}
    if name == "wasm":
        return WasmSandbox(CACHE, LIMITS, tools)
    sandbox = NativeSandbox(LIMITS, tools)
    if name == "native":
        sandbox.__dict__["wrapper"] = ()  # as where user namespaces are blocked
    elif not sandbox.wrapper:
        pytest.skip("bubblewrap does not work here")
    return sandbox


def descendants(pid: int) -> set[int]:
    """Ids of the processes below `pid` that have not ended (Linux)."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        state, parent = _state_and_parent(stat)
        if state not in "ZX":
            parents[int(stat.parent.name)] = parent
    below = {pid}
    while grown := {child for child, parent in parents.items() if parent in below} - below:
        below |= grown
    return below - {pid}


def running(pids: set[int]) -> set[int]:
    """Those of `pids` that have not ended."""
    return {pid for pid in pids if _state_and_parent(Path(f"/proc/{pid}/stat"))[0] not in "ZX"}


def _state_and_parent(stat: Path) -> tuple[str, int]:
    try:
        state, parent = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:2]
    except OSError:
        return "X", 0  # ended
    return state, int(parent)


def wait_for_end(pids: set[int], seconds: float = 30.0) -> set[int]:
    """Those of `pids` that still run after at most `seconds`."""
    deadline = time.monotonic() + seconds
    while (alive := running(pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return alive


async def stop(task: "asyncio.Task[object]") -> None:
    """Cancel a task and wait until it has ended."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
