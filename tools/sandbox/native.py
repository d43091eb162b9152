"""The optional sandbox on Linux: full Python with numpy and scipy, locked in by Landlock, seccomp and bubblewrap.

Where user namespaces are blocked the launcher works alone. Before its first run the backend tests itself, and it
refuses to work when any of the tests gets through. A program is one process with threads: the system calls that make
processes are refused, so that the limits of the kernel hold for all that runs.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.sandbox import HostTool, Program, SandboxLimits, SandboxOutcome
from soprag.tools.sandbox.calls import HostTools
from soprag.tools.sandbox.process import GuestProcess, Message, execute, in_thread, timed_out, wait_until_ready
from soprag.tools.sandbox.selftest import BREACHES, MEMORY

PACKAGE = Path(__file__).resolve().parent
LAUNCHER, GUEST = PACKAGE / "linux" / "launch.py", PACKAGE / "guest" / "program.py"
LIBRARIES = ("numpy", "scipy", "sympy", "mpmath", "pint", "fluids", "ht", "CoolProp")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
ADVICE = "use sandbox.backend = 'wasm'"


@dataclass
class NativeSandbox:
    """Runs programs in processes that lock themselves in; see the module."""

    limits: SandboxLimits
    tools: Mapping[str, HostTool] = field(default_factory=dict)
    libraries: tuple[str, ...] = field(default_factory=lambda: tuple(name for name in LIBRARIES if find_spec(name)))
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
        command = (binary, *_bubblewrap_options())
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            probe = [*command, sys.executable, "-I", "-c", "print(42)"]
            done = subprocess.run(probe, env=ENVIRONMENT, capture_output=True, timeout=20, check=False, cwd="/")
            if done.stdout.strip() == b"42":
                return command
        return ()

    @cached_property
    def _host(self) -> HostTools:
        return HostTools(self.tools)

    async def run(self, program: Program, limits: SandboxLimits | None = None) -> SandboxOutcome:
        """Run `program`, after the self-test; raises `ConfigError` when the backend cannot be trusted here."""
        if not self._tested:
            await self._test()
            self._tested = True
        return await self._run(program, limits or self.limits)

    async def _test(self) -> None:
        if sys.platform != "linux" or os.uname().machine != "x86_64":
            raise ConfigError(f"The native sandbox needs Linux on x86-64; {ADVICE}.")
        if "sympy" not in self.libraries:
            raise ConfigError(f"The native sandbox needs sympy: `pip install 'soprag[native]'`, or {ADVICE}.")
        await in_thread(lambda: self.wrapper, None)
        outcome = await self._run(Program(BREACHES), SandboxLimits(seconds=60.0, memory=MEMORY))
        if outcome.failure or outcome.value != []:
            reason = outcome.failure.message if outcome.failure else f"not blocked: {outcome.value}"
            raise ConfigError(f"The native sandbox failed its self-test ({reason}); {ADVICE}.")

    async def _run(self, program: Program, limits: SandboxLimits) -> SandboxOutcome:
        arguments = (str(GUEST), str(limits.seconds), str(limits.memory))
        process = GuestProcess((*self.wrapper, sys.executable, "-I", str(LAUNCHER), *arguments), ENVIRONMENT)
        request = {"code": program.code, "inputs": dict(program.inputs), "output": limits.output}

        def explain(_message: Message | None) -> StepFailure:
            return _explain(*process.exit_report(), limits)

        try:
            await wait_until_ready(process)
            return await execute(process, json.dumps(request), limits, self._host.for_run(limits), explain)
        finally:
            process.kill()


def _bubblewrap_options() -> tuple[str, ...]:
    """Own namespaces, and a view of the system's libraries, this Python and our two files, all to read only."""
    paths = {sys.prefix, sys.base_prefix, sysconfig.get_paths()["purelib"], str(LAUNCHER), str(GUEST)}
    binds = [part for path in sorted(paths) for part in ("--ro-bind", path, path)]
    system = [
        part
        for path in ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache")
        for part in ("--ro-bind-try", path, path)
    ]
    return (
        *("--unshare-all", "--disable-userns", "--unshare-user", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", "--clearenv", "--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "PATH", "/usr/bin"),
        *(*system, "--dev", "/dev", "--tmpfs", "/tmp", *binds, "--chdir", "/", "--"),
    )


def _explain(status: int, errors: str, limits: SandboxLimits) -> StepFailure:
    """The failure of a program whose process ended without an answer."""
    number = -status if status < 0 else status - 128  # bubblewrap passes a signal on like a shell
    if number == signal.SIGXCPU:
        return timed_out(limits)
    reason = signal.Signals(number).name if number in set(signal.Signals) else f"exit status {status}"
    return StepFailure(
        kind="limit", message=f"The process of the program ended before it answered ({reason}).", detail=errors
    )
