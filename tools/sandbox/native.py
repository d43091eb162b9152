"""The optional sandbox on Linux: full Python with numpy and scipy, locked in by Landlock, seccomp and bubblewrap.

Where user namespaces are blocked the launcher works alone. Before its first run the backend tests itself, and it
refuses to work when any of the tests gets through.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.sandbox import HostTool, Program, SandboxLimits, SandboxOutcome
from soprag.tools.sandbox.calls import HostCalls
from soprag.tools.sandbox.selftest import BREACHES

HERE = Path(__file__).parent
LAUNCHER, GUEST = HERE / "linux" / "launch.py", HERE / "guest" / "program.py"
LIBRARIES = ("numpy", "scipy", "sympy", "mpmath", "pint", "fluids", "ht", "CoolProp")
CLEAN = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
LONGEST_LINE = 4 << 20  # bytes of one message
START = 20.0  # seconds the interpreter may take to start on a busy machine, on top of the program's own


@dataclass
class NativeSandbox:
    """Runs programs in processes that lock themselves in; see the module."""

    limits: SandboxLimits
    tools: Mapping[str, HostTool] = field(default_factory=dict)
    libraries: tuple[str, ...] = LIBRARIES
    _tested: bool = False

    @property
    def name(self) -> str:
        """`native`, and whether bubblewrap is around it."""
        return "native+bwrap" if self.wrapper else "native"

    @cached_property
    def wrapper(self) -> tuple[str, ...]:
        """The command of bubblewrap, empty where it is missing or user namespaces are blocked."""
        binary = shutil.which("bwrap")
        if not binary:
            return ()
        command = (binary, *_view())
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            probe = [*command, sys.executable, "-I", "-c", "print(42)"]
            done = subprocess.run(probe, env=CLEAN, capture_output=True, timeout=20, check=False, cwd="/")
            if done.stdout.strip() == b"42":
                return command
        return ()

    async def run(self, program: Program, limits: SandboxLimits | None = None) -> SandboxOutcome:
        """Run `program`, after the self-test; raises `ConfigError` when the backend cannot be trusted here."""
        if not self._tested:
            await self._test()
            self._tested = True
        return await self._run(program, limits or self.limits)

    async def _test(self) -> None:
        if sys.platform != "linux" or os.uname().machine != "x86_64":
            raise ConfigError("The native sandbox needs Linux on x86-64; use sandbox.backend = 'wasm'.")
        outcome = await self._run(Program(BREACHES), SandboxLimits(seconds=20.0, memory=256 << 20))
        if outcome.failure or outcome.value != []:
            found = outcome.failure.message if outcome.failure else f"not blocked: {outcome.value}"
            raise ConfigError(f"The native sandbox failed its self-test ({found}); use sandbox.backend = 'wasm'.")

    async def _run(self, program: Program, limits: SandboxLimits) -> SandboxOutcome:
        began = time.monotonic()
        desk = HostCalls(self.tools, limits.calls, began + limits.seconds + START)
        request = {"code": program.code, "inputs": dict(program.inputs), "output": limits.output}
        command = [
            *self.wrapper,
            sys.executable,
            "-I",
            str(LAUNCHER),
            str(GUEST),
            str(limits.seconds),
            str(limits.memory),
        ]
        process = await asyncio.create_subprocess_exec(
            *command, env=CLEAN, cwd="/", start_new_session=True, limit=LONGEST_LINE,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            reply = await asyncio.wait_for(_talk(process, json.dumps(request), desk), limits.seconds + START)
        except TimeoutError:
            return SandboxOutcome(failure=_late(limits), seconds=time.monotonic() - began)
        except ValueError:
            message = "The program's answer is too long."
            return SandboxOutcome(failure=StepFailure(kind="limit", message=message), seconds=time.monotonic() - began)
        finally:
            await _end(process)
        if reply is None:
            return SandboxOutcome(failure=await _died(process, limits), seconds=time.monotonic() - began)
        return desk.read(reply, time.monotonic() - began)


def _view() -> tuple[str, ...]:
    """What bubblewrap shows: the system's libraries, this Python, and our two files; all to read only."""
    shown = {sys.prefix, sys.base_prefix, sysconfig.get_paths()["purelib"], str(LAUNCHER), str(GUEST)}
    binds = [part for path in sorted(shown) for part in ("--ro-bind", path, path)]
    system = [
        part
        for path in ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache")
        for part in ("--ro-bind-try", path, path)
    ]
    return (
        *(
            "--unshare-all",
            "--disable-userns",
            "--unshare-user",
            "--die-with-parent",
            "--new-session",
            "--cap-drop",
            "ALL",
        ),
        *("--clearenv", "--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "PATH", "/usr/bin"),
        *(*system, "--dev", "/dev", "--tmpfs", "/tmp", *binds, "--chdir", "/", "--"),
    )


async def _talk(process: asyncio.subprocess.Process, request: str, desk: HostCalls) -> str | None:
    """Hand over the request, serve the calls, and take the response; None when the process ends without one."""
    assert process.stdin and process.stdout
    await _send(process.stdin, request)
    while line := await process.stdout.readline():
        message: Any = _json(line)
        if isinstance(message, dict) and "done" in message:
            return str(message["done"])
        if isinstance(message, dict) and "call" in message:
            reply = await asyncio.to_thread(desk.call, str(message["call"]), str(message.get("arguments")))
            await _send(process.stdin, reply)
    return None


def _json(line: bytes) -> Any:  # noqa: ANN401 - whatever the process wrote
    try:
        return json.loads(line)
    except ValueError:
        return None


async def _send(stream: asyncio.StreamWriter, line: str) -> None:
    with contextlib.suppress(ConnectionError):
        stream.write(line.encode() + b"\n")
        await stream.drain()


async def _end(process: asyncio.subprocess.Process) -> None:
    """Nothing of the process group is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def _died(process: asyncio.subprocess.Process, limits: SandboxLimits) -> StepFailure:
    said = (await process.stderr.read(2000)).decode(errors="replace").strip() if process.stderr else ""
    if process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU) or "SIGXCPU" in said:
        return _late(limits)
    return StepFailure(kind="limit", message="The program was ended by its limits.", detail=said[-500:])


def _late(limits: SandboxLimits) -> StepFailure:
    return StepFailure(kind="timeout", message=f"The program did not end within {limits.seconds:g} s; do less.")
