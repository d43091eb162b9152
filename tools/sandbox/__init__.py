"""The sandbox: runs Python that a model wrote, with no files, no network, no processes, and limits on everything."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import Field, JsonValue

from soprag.configs.settings import SandboxSettings
from soprag.tools.history import StepFailure
from soprag.tools.sop import Frozen

__all__ = ["HostTool", "Program", "Sandbox", "SandboxLimits", "SandboxOutcome", "Told", "open_sandbox"]

HostTool = Callable[[dict[str, JsonValue]], "JsonValue | StepFailure"]
Told = Callable[[str], None]  # takes a line about what is being prepared


@dataclass(frozen=True)
class SandboxLimits:
    """What one run may use."""

    seconds: float = 10.0
    memory: int = 512 << 20  # bytes
    output: int = 20_000  # characters printed
    calls: int = 100  # calls of tools of the host


DEFAULT = SandboxLimits()


@dataclass(frozen=True)
class Program:
    """A program with what it may read: `inputs` holds the outputs of earlier steps."""

    code: str
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)


class SandboxOutcome(Frozen):
    """What came of a run: the program's `answer` as `value`, or why there is none."""

    value: JsonValue = None
    stdout: str = ""
    failure: StepFailure | None = None
    seconds: float = Field(default=0.0, ge=0)


class Sandbox(Protocol):
    """Runs programs; every run starts from the same clean state and leaves nothing behind."""

    @property
    def name(self) -> str:
        """Which sandbox this is, for records."""
        ...

    @property
    def libraries(self) -> tuple[str, ...]:
        """What a program may import besides the standard library."""
        ...

    @property
    def tools(self) -> Mapping[str, HostTool]:
        """What a program may call of the host; nothing else can be."""
        ...

    async def run(self, program: Program, limits: SandboxLimits | None = None) -> SandboxOutcome:
        """Run `program`; its faults are in the outcome. Raises `ConfigError` when the sandbox is not ready."""
        ...


def open_sandbox(
    settings: SandboxSettings,
    cache_dir: Path,
    tools: Mapping[str, HostTool] | None = None,
    tell: Told | None = None,
) -> Sandbox:
    """The sandbox these settings ask for; opening it costs nothing, its first run prepares it and `tell`s about that.

    Programs may call `tools` and nothing else of the host. Raises `ConfigError` when the backend cannot work here.
    """
    limits = SandboxLimits(settings.seconds, settings.memory << 20, settings.output, settings.calls)
    if settings.backend == "native":
        from soprag.tools.sandbox.native import NativeSandbox

        return NativeSandbox(limits, tools or {})
    from soprag.tools.sandbox.wasm import WasmSandbox

    return WasmSandbox(cache_dir / "sandbox", limits, tools or {}, tell)
