"""The sandbox: runs Python that a model wrote, without files, network or processes, and with limits on the rest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import Field, JsonValue

from soprag.configs.settings import SandboxSettings
from soprag.tools.history import StepFailure
from soprag.tools.sop import Frozen

__all__ = ["HostTool", "Program", "Progress", "Sandbox", "SandboxLimits", "SandboxOutcome", "open_sandbox"]

HostTool = Callable[[dict[str, JsonValue]], "JsonValue | StepFailure"]
Progress = Callable[[str], None]  # receives lines such as "Preparing the Python sandbox ..."


@dataclass(frozen=True)
class SandboxLimits:
    """What one run may use."""

    seconds: float = 10.0  # from the start of the program to its answer, waiting and calls of tools included
    memory: int = 512 << 20  # bytes beyond what the interpreter takes before the program starts
    output: int = 20_000  # characters printed
    calls: int = 100  # calls of tools of the host


DEFAULT = SandboxLimits()


@dataclass(frozen=True)
class Program:
    """A program and its data: `inputs` holds the outputs of earlier steps."""

    code: str
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)


class SandboxOutcome(Frozen):
    """Result of a run: the program's `answer` as `value`, or the reason why there is none."""

    value: JsonValue = None
    stdout: str = ""
    failure: StepFailure | None = None
    seconds: float = Field(default=0.0, ge=0)


class Sandbox(Protocol):
    """Runs programs; every run starts from the same clean state and leaves nothing behind."""

    @property
    def name(self) -> str:
        """Name of the backend, for records."""
        ...

    @property
    def libraries(self) -> tuple[str, ...]:
        """What a program may import besides the standard library."""
        ...

    @property
    def tools(self) -> Mapping[str, HostTool]:
        """The functions of the host that a program may call by name."""
        ...

    async def run(self, program: Program, limits: SandboxLimits | None = None) -> SandboxOutcome:
        """Run `program`; its errors are in the outcome, and cancelling ends its process.

        Raises `ConfigError` when the sandbox cannot work here.
        """
        ...


def open_sandbox(
    settings: SandboxSettings,
    cache_dir: Path,
    tools: Mapping[str, HostTool] | None = None,
    progress: Progress | None = None,
) -> Sandbox:
    """The sandbox of these settings; opening it is cheap, its first run prepares it and reports that to `progress`.

    Programs may call `tools` and nothing else of the host.
    """
    limits = SandboxLimits(settings.seconds, settings.memory << 20, settings.output, settings.calls)
    if settings.backend == "native":
        from soprag.tools.sandbox.native import NativeSandbox

        return NativeSandbox(limits, tools or {})
    from soprag.tools.sandbox.wasm import WasmSandbox

    return WasmSandbox(cache_dir / "sandbox", limits, tools or {}, progress)
